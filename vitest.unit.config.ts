import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/**
 * One plain project, for tools that cannot choose among those of vitest.config.ts (mutation testing). A mutant is judged
 * by a few random histories in place of thousands, and in its own time.
 */
export default defineConfig({
  resolve: { alias: { rejoin: fileURLToPath(new URL('src/index.ts', import.meta.url)) } },
  test: {
    // Most of what endpoints promise is in tests/endpoints.
    include: ['src/**/*.test.ts', 'tests/{endpoints,laws,oracle,scenarios}/**/*.test.ts'],
    env: { RUNS: '20' },
    testTimeout: 60_000,
  },
});
