import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const src = (file: string): string => fileURLToPath(new URL(`../../../src/${file}.ts`, import.meta.url));

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react()],
  // The library from its sources: the demo shows what is there, and needs no build before its own.
  resolve: { alias: { 'rejoin/devtools': src('devtools'), 'rejoin/react': src('react'), rejoin: src('index') } },
  build: { outDir: '../build/web', emptyOutDir: true, sourcemap: true },
});
