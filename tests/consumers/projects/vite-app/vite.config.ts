import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const proxy = {
  '/api': { target: process.env['API_URL'] ?? '', rewrite: (path: string) => path.slice('/api'.length) },
};

export default defineConfig({ plugins: [react()], server: { proxy }, preview: { proxy } });
