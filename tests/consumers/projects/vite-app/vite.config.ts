import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const proxy = {
  '/api': { target: process.env['API_URL'] ?? '', rewrite: (path: string) => path.slice('/api'.length) },
};

export default defineConfig({
  plugins: [react()],
  // React DOM and Rejoin have 576 kB before compression. Vite suggests from 500 kB on that an application is split into parts.
  build: { chunkSizeWarningLimit: 576 },
  server: { proxy },
  preview: { proxy },
});
