import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { installPacked } from '../../scripts/package.mjs';
import { root, tsc } from './project.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder with the tarball that npm would publish, and with the installed package under node_modules. */
    readonly packed: string;
  }
}

/**
 * Builds the package as `npm run build` does, and packs it, once for all tests. The build is not in dist/, where another build may be
 * running, and does not check the types, which have a check of their own.
 */
export function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'rejoin-packed-'));
  const source = join(folder, 'source');
  mkdirSync(source);
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: readonly string[] };
  const parts = ['package.json', 'README.md', 'LICENSE', 'tsconfig.json', 'tsconfig.build.json', ...files];
  for (const part of parts)
    if (part !== 'dist' && !part.startsWith('!')) cpSync(join(root, part), join(source, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'), 'junction');
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--noCheck'], { cwd: source });
  installPacked(folder, source);
  provide('packed', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
