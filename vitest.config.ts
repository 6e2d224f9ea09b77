import { fileURLToPath } from 'node:url';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';

// The longer names first: a name stands for everything that begins with it.
const doors = { 'rejoin/react': 'react', 'rejoin/ssr': 'ssr', 'rejoin/testing': 'testing', rejoin: 'index' };
const alias = Object.fromEntries(
  Object.entries(doors).map(([door, file]) => [door, fileURLToPath(new URL(`src/${file}.ts`, import.meta.url))]),
);

const inReact18 = (name: string): string =>
  fileURLToPath(new URL(`tests/react-18/node_modules/${name}`, import.meta.url));
const react18 = { react: inReact18('react'), 'react-dom': inReact18('react-dom') };

/** The tests of React in an emulated page. */
function dom(name: string, env: Record<string, string>, react: Record<string, string> = {}) {
  return {
    resolve: { alias: { ...alias, ...react } },
    // What the development build of React wants to know of each element, the production build does not know.
    oxc: { jsx: { development: false } },
    test: { name, env, environment: 'happy-dom', include: ['tests/react/**/*.test.{ts,tsx}'] },
  };
}

const chromium = {
  executablePath: '/usr/bin/chromium',
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

/** The tests of React in Chromium. */
function browser(name: string, mode: 'development' | 'production', react: Record<string, string> = {}) {
  const define = { 'process.env.NODE_ENV': JSON.stringify(mode) };
  return {
    mode,
    define,
    resolve: { alias: { ...alias, ...react } },
    oxc: { jsx: { development: false } },
    cacheDir: `node_modules/.vite/${name}`,
    optimizeDeps: {
      include: ['react', 'react-dom', 'react-dom/client', 'react/jsx-runtime'],
      rolldownOptions: { transform: { define } },
    },
    test: {
      name,
      include: ['tests/browser/**/*.test.{ts,tsx}'],
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
          exclude: ['tests/oracle/**', 'tests/react/**', 'tests/browser/**', '**/e2e/**', '**/node_modules/**'],
        },
      },
      {
        extends: true,
        test: { name: 'demo', include: ['examples/*/e2e/**/*.test.ts'], testTimeout: 30_000 },
      },
      dom('dom', {}),
      dom('dom-production', { NODE_ENV: 'production' }),
      dom('dom-18', {}, react18),
      browser('browser', 'development'),
      browser('browser-production', 'production'),
      browser('browser-18', 'development', react18),
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
