import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { playwright } from '@vitest/browser-playwright';
import { transformSync } from 'oxc-transform-react';
import { defineConfig } from 'vitest/config';

// The longer names first: a name stands for everything that begins with it.
const doors = { 'rejoin/react': 'react', 'rejoin/ssr': 'ssr', 'rejoin/testing': 'testing', rejoin: 'index' };
const alias = Object.fromEntries(
  Object.entries(doors).map(([door, file]) => [door, fileURLToPath(new URL(`src/${file}.ts`, import.meta.url))]),
);

const inReact18 = (name: string): string =>
  fileURLToPath(new URL(`tests/react-18/node_modules/${name}`, import.meta.url));
const react18 = { react: inReact18('react'), 'react-dom': inReact18('react-dom') };

/** Components as the React Compiler leaves them. */
const compiled = {
  name: 'react-compiler',
  enforce: 'pre' as const,
  transform: (code: string, file: string) =>
    file.includes('/tests/react/') && file.endsWith('.tsx')
      ? { code: transformSync(file, code).code, map: null }
      : null,
};

type Mode = 'development' | 'production';
type React = Readonly<Record<string, string>>;

/** What a test is to run with; `tests/react/build.tsx` looks whether it is so. */
const provided = (mode: Mode, react: React) => ({
  build: { mode, react: react === react18 ? ('18' as const) : ('19' as const) },
});

/** The tests of React in an emulated page. */
function dom(name: string, mode: Mode, react: React = {}, files = '**/*') {
  return {
    resolve: { alias: { ...alias, ...react } },
    // What the development build of React wants to know of each element, the production build does not know.
    oxc: { jsx: { development: false } },
    test: {
      name,
      env: { NODE_ENV: mode },
      provide: provided(mode, react),
      environment: 'happy-dom',
      include: [`tests/react/${files}.test.{ts,tsx}`],
      testTimeout: 30_000,
    },
  };
}

/** Without a Chromium, the tests that need one are left out. */
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const chromium = {
  executablePath,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};

/** Code for a page, as a bundler for this mode leaves it. (Of a `define`, Vitest makes the environment of every project.) */
const builtFor = (mode: Mode) => ({
  name: 'built-for',
  enforce: 'pre' as const,
  transform: (code: string) => ({ code: code.replaceAll('process.env.NODE_ENV', JSON.stringify(mode)), map: null }),
});

/** The tests of React in Chromium. */
function browser(name: string, mode: Mode, react: React = {}) {
  return {
    mode,
    plugins: [builtFor(mode)],
    resolve: { alias: { ...alias, ...react } },
    oxc: { jsx: { development: false } },
    cacheDir: `node_modules/.vite/${name}`,
    optimizeDeps: {
      include: ['react', 'react-dom', 'react-dom/client', 'react/jsx-runtime'],
      rolldownOptions: { plugins: [builtFor(mode)] },
    },
    test: {
      name,
      provide: provided(mode, react),
      include: ['tests/browser/**/*.test.{ts,tsx}'],
      testTimeout: 60_000,
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        provider: playwright({ launchOptions: chromium }),
        instances: [{ browser: 'chromium' as const }],
      },
    },
  };
}

export default defineConfig({
  resolve: { alias },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'tests/**/*.test.ts', 'examples/**/*.test.ts'],
          testTimeout: 30_000,
          exclude: [
            'tests/{oracle,react,browser,consumers}/**',
            'examples/node-script/**',
            '**/e2e/**',
            '**/node_modules/**',
          ],
        },
      },
      {
        test: {
          name: 'consumers',
          globalSetup: 'tests/consumers/pack.ts',
          include: ['tests/consumers/*.test.ts', 'examples/node-script/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 60_000, interval: 25 } },
        },
      },
      {
        extends: true,
        test: {
          name: 'demo',
          include: ['examples/*/e2e/**/*.test.ts'],
          testTimeout: 30_000,
          // A page has as long as it takes; a test no longer than its time.
          expect: { poll: { timeout: 60_000, interval: 25 } },
        },
      },
      dom('dom', 'development'),
      dom('dom-production', 'production'),
      dom('dom-18', 'development', react18),
      dom('dom-18-production', 'production', react18),
      {
        resolve: { alias: { ...alias, ...react18 } },
        oxc: { jsx: { development: false } },
        test: { name: 'server-18', include: ['tests/ssr/**/*.test.ts', 'tests/testing/render-data-hook.test.ts'] },
      },
      { ...dom('dom-compiled', 'development', {}, '{build,scenario-table,hooks,seed,infinite}'), plugins: [compiled] },
      ...(!existsSync(executablePath)
        ? []
        : [
            browser('browser', 'development'),
            browser('browser-production', 'production'),
            browser('browser-18', 'development', react18),
            browser('browser-18-production', 'production', react18),
          ]),
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
            include: ['src/**/*.test-d.ts', 'tests/**/*.test-d.{ts,tsx}'],
            tsconfig: './tsconfig.json',
            ignoreSourceErrors: true,
          },
        },
      },
    ],
    coverage: {
      provider: 'v8',
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
