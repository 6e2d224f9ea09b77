import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { transformSync } from 'oxc-transform-react';
import { defineConfig } from 'vite';

const src = (file: string): string => fileURLToPath(new URL(`../../src/${file}.ts`, import.meta.url));

export default defineConfig({
  plugins: [
    {
      name: 'react-compiler',
      enforce: 'pre',
      transform: (code, file) =>
        file.endsWith('compiled-list.tsx') ? { code: transformSync(file, code).code, map: null } : null,
    },
    react(),
  ],
  // An application imports the package. This example imports the sources beside it.
  resolve: { alias: { 'rejoin/react': src('react'), rejoin: src('index') } },
});
