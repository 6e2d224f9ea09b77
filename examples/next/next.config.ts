import { fileURLToPath } from 'node:url';
import type { NextConfig } from 'next';

/** The tests run the sources of the library, which need no build. An application needs none of these settings. */
const source = (file: string): string => `../../src/${file}.ts`;
const sources = { 'rejoin/react': source('react'), 'rejoin/ssr': source('ssr'), rejoin: source('index') };

const config: NextConfig = {
  distDir: process.env['BUILD'] ?? 'build',
  // The types are checked together with those of the whole repository.
  typescript: { ignoreBuildErrors: true },
  turbopack: {
    // The library is a workspace of the same repository.
    root: fileURLToPath(new URL('../..', import.meta.url)),
    ...(process.env['SOURCES'] !== undefined && { resolveAlias: sources }),
  },
};

export default config;
