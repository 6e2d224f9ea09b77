import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { countRenders } from './count-renders.ts';

const src = (file: string): string => fileURLToPath(new URL(`../../../src/${file}.ts`, import.meta.url));

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [countRenders(), react()],
  // Imports the library from its sources, so that the demo needs no build of it.
  resolve: {
    alias: {
      'rejoin/devtools': src('devtools'),
      'rejoin/outbox': src('outbox'),
      'rejoin/persist': src('persist'),
      'rejoin/tabs': src('tabs'),
      'rejoin/react': src('react'),
      'rejoin/wire': src('wire'),
      rejoin: src('index'),
    },
  },
  // The developer tools show components by their names.
  build: {
    outDir: '../build/web',
    emptyOutDir: true,
    sourcemap: true,
    rolldownOptions: { output: { keepNames: true } },
  },
});
