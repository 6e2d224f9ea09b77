import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const alias = { rejoin: fileURLToPath(new URL('src/index.ts', import.meta.url)) };

export default defineConfig({
  resolve: { alias },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'tests/**/*.test.ts', 'examples/**/*.test.ts'],
          exclude: ['tests/oracle/**', '**/node_modules/**'],
        },
      },
      {
        extends: true,
        test: { name: 'property', include: ['tests/oracle/**/*.test.ts'], testTimeout: 120_000 },
      },
      {
        extends: true,
        test: {
          name: 'types',
          include: [],
          typecheck: {
            enabled: true,
            only: true,
            checker: 'tsc',
            include: ['src/**/*.test-d.ts', 'tests/**/*.test-d.ts'],
            tsconfig: './tsconfig.json',
            ignoreSourceErrors: true,
          },
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/**/*.test.ts', 'src/**/*.test-d.ts'],
      reporter: ['text-summary', 'json', 'json-summary'],
      thresholds: {
        lines: 95,
        statements: 95,
        functions: 95,
        branches: 95,
        'src/define/**': { branches: 100 },
        'src/state/**': { branches: 100 },
      },
    },
  },
});
