import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { playwright } from '@vitest/browser-playwright';
import { transformSync } from 'oxc-transform-react';
import { defineConfig } from 'vitest/config';
import { chromiumArgs, executablePath } from './tests/chromium.ts';
import { Sequencer } from './tests/sequencer.ts';

// Longer names first, because an alias also applies to longer names that begin with it.
const doors = {
  'rejoin/devtools': 'devtools',
  'rejoin/outbox': 'outbox',
  'rejoin/persist': 'persist',
  'rejoin/react': 'react',
  'rejoin/ssr': 'ssr',
  'rejoin/tabs': 'tabs',
  'rejoin/testing': 'testing',
  'rejoin/wire': 'wire',
  rejoin: 'index',
};
const alias = Object.fromEntries(
  Object.entries(doors).map(([door, file]) => [door, fileURLToPath(new URL(`src/${file}.ts`, import.meta.url))]),
);

/**
 * After how long a test that hangs ends. No test depends on speed, so a busy machine may take as long as it needs. An error shows all steps of a
 * failed history.
 */
const patience = { testTimeout: 300_000, hookTimeout: 300_000, chaiConfig: { truncateThreshold: 4000 } };

/** Tests that often wait for a browser, a server or another process: one more runs than there are processors. They run after the others. */
const waiting = { maxWorkers: availableParallelism() + 1, sequence: { groupOrder: 1 } };

/** Projects whose tests count for the coverage: tests/coverage.ts. */
const counted = { COVERAGE: 'counted' };

/** Tests that measure or dump the memory of their process. */
const MEMORY = ['tests/reliability/session/heap.test.ts', 'tests/scenarios/stores-of-pages.test.ts'];

type Release = '18' | '19' | 'experimental';

/** The packages of a release of React. The newest stable release is a dependency of this package. */
function packagesOf(release: Release): Readonly<Record<string, string>> {
  if (release === '19') return {};
  const inFolder = (name: string): string =>
    fileURLToPath(new URL(`tests/react-${release}/node_modules/${name}`, import.meta.url));
  return { react: inFolder('react'), 'react-dom': inFolder('react-dom') };
}

/** Compiles components with the React Compiler. */
const compiled = {
  name: 'react-compiler',
  enforce: 'pre' as const,
  transform: (code: string, file: string) =>
    file.includes('/tests/react/') && file.endsWith('.tsx')
      ? { code: transformSync(file, code).code, map: null }
      : null,
};

type Mode = 'development' | 'production';

/** Random histories of pages. */
const HISTORIES = ['{deal-screens,form-screens,history}', 'worlds/*'];

interface TestsOfReact {
  readonly files?: readonly string[];
  readonly without?: readonly string[];
  /** The rate at which React yields, at moments that the seed of a history decides: tests/react/seeded-scheduler.ts. By default, React decides. */
  readonly yields?: string | undefined;
}

function testsOf(files: readonly string[]): string[] {
  return files.map((file) => `tests/react/${file}.test.{ts,tsx}`);
}

/** The tests of React in an emulated page. */
function dom(name: string, mode: Mode, react: Release = '19', tests: TestsOfReact = {}) {
  const yields = process.env['REJOIN_YIELDS'] ?? tests.yields;
  return {
    resolve: { alias: { ...alias, ...packagesOf(react) } },
    // The JSX runtime for development does not work with production builds of React.
    oxc: { jsx: { development: false } },
    test: {
      name,
      env: { NODE_ENV: mode, ...(name === 'dom' && counted), ...(yields !== undefined && { REJOIN_YIELDS: yields }) },
      // The build to use. `tests/react/build.tsx` checks that it is in use.
      provide: { build: { mode, react } },
      environment: 'happy-dom',
      // Files that share their modules load React and the library once. React takes the functions of its scheduler when it is loaded.
      isolate: yields !== undefined,
      setupFiles: [...(yields === undefined ? [] : ['tests/react/seeded-scheduler.ts']), 'tests/leftover.ts'],
      include: testsOf(tests.files ?? ['**/*']),
      exclude: testsOf(tests.without ?? []),
      ...patience,
    },
  };
}

/** Replaces NODE_ENV in the code of a page, as bundlers do. (Vitest would apply a `define` to the environment of every project.) */
const builtFor = (mode: Mode) => ({
  name: 'built-for',
  enforce: 'pre' as const,
  transform: (code: string) => ({ code: code.replaceAll('process.env.NODE_ENV', JSON.stringify(mode)), map: null }),
});

/** The tests of React in Chromium. */
function browser(name: string, mode: Mode, react: Release = '19') {
  return {
    mode,
    plugins: [builtFor(mode)],
    resolve: { alias: { ...alias, ...packagesOf(react) } },
    oxc: { jsx: { development: false } },
    cacheDir: `node_modules/.vite/${name}`,
    optimizeDeps: {
      include: ['react', 'react-dom', 'react-dom/client', 'react/jsx-runtime'],
      rolldownOptions: { plugins: [builtFor(mode)] },
    },
    test: {
      name,
      provide: { build: { mode, react } },
      include: ['tests/browser/**/*.test.{ts,tsx}'],
      isolate: false,
      ...patience,
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        provider: playwright({ launchOptions: { executablePath, args: [...chromiumArgs] } }),
        instances: [{ browser: 'chromium' as const }],
      },
    },
  };
}

export default defineConfig({
  resolve: { alias },
  test: {
    // Vitest leaves one processor to itself, and has nothing to do there once the tests run.
    maxWorkers: availableParallelism(),
    sequence: { sequencer: Sequencer },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          env: counted,
          // Files that share their modules load them once. No test replaces a module, and caches in modules are by class.
          isolate: false,
          setupFiles: ['tests/seed.ts', 'tests/without-navigator.ts', 'tests/leftover.ts'],
          include: ['src/**/*.test.ts', 'tests/**/*.test.ts', 'examples/**/*.test.ts'],
          ...patience,
          expect: { poll: { timeout: 60_000, interval: 5 } },
          exclude: [
            'tests/{react,browser,consumers}/**',
            ...MEMORY,
            'examples/node-script/**',
            '**/e2e/**',
            '**/node_modules/**',
          ],
        },
      },
      // The memory of a process has what all its files have left there, so these files have processes of their own.
      { extends: true, test: { name: 'memory', include: MEMORY, ...patience } },
      {
        test: {
          ...waiting,
          name: 'consumers',
          globalSetup: 'tests/consumers/pack.ts',
          include: ['tests/consumers/*.test.ts', 'examples/node-script/*.test.ts'],
          ...patience,
          expect: { poll: { timeout: 60_000, interval: 25 } },
        },
      },
      {
        extends: true,
        test: {
          ...waiting,
          name: 'demo',
          globalSetup: 'examples/demo/e2e/build-site.ts',
          // Files that share their process share a browser: tests/chromium.ts.
          isolate: false,
          include: ['examples/*/e2e/**/*.test.ts'],
          ...patience,
          expect: { poll: { timeout: 60_000, interval: 25 } },
        },
      },
      dom('dom', 'development'),
      dom('dom-production', 'production'),
      dom('dom-18', 'development', '18'),
      dom('dom-18-production', 'production', '18', { without: HISTORIES }),
      dom('dom-18-seeded', 'production', '18', { files: HISTORIES, yields: '0.05' }),
      dom('dom-experimental', 'development', 'experimental'),
      dom('dom-experimental-production', 'production', 'experimental'),
      {
        resolve: { alias: { ...alias, ...packagesOf('18') } },
        oxc: { jsx: { development: false } },
        test: {
          name: 'server-18',
          isolate: false,
          setupFiles: 'tests/leftover.ts',
          include: ['tests/ssr/**/*.test.ts', 'tests/testing/render-data-hook.test.ts'],
          ...patience,
        },
      },
      {
        ...dom('dom-compiled', 'development', '19', { files: ['{build,scenario-table,hooks,seed,infinite}'] }),
        plugins: [compiled],
      },
      // Without a Chromium, the tests that need one are left out.
      ...(!existsSync(executablePath)
        ? []
        : [
            browser('browser', 'development'),
            browser('browser-production', 'production'),
            browser('browser-18', 'development', '18'),
            browser('browser-18-production', 'production', '18'),
            browser('browser-experimental', 'development', 'experimental'),
            browser('browser-experimental-production', 'production', 'experimental'),
          ]),
      {
        extends: true,
        test: {
          name: 'types',
          include: [],
          typecheck: {
            enabled: true,
            only: true,
            checker: 'tsc',
            include: ['src/**/*.test-d.ts', 'tests/**/*.test-d.{ts,tsx}'],
            // The other tests are no part of it: the check of all types has them.
            tsconfig: './tsconfig.test-d.json',
            ignoreSourceErrors: true,
          },
        },
      },
    ],
    coverage: {
      provider: 'custom',
      customProviderModule: 'tests/coverage.ts',
      include: ['src/**/*.{ts,tsx}'],
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
