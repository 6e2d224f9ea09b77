import { defineConfig } from 'vitest/config';

/** One plain project, for tools that cannot choose among those of vitest.config.ts (mutation testing). */
export default defineConfig({
  test: { include: ['src/**/*.test.ts', 'tests/{laws,oracle,scenarios}/**/*.test.ts'] },
});
