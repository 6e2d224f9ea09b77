import type { CoverageProviderModule } from 'vitest/node';

/** Whether the tests of this process count. A page of a browser has no `process`. */
const isCounted = globalThis.process?.env['COVERAGE'] === 'counted';
/** In a variable, because Vite would bundle a package with a constant name for the pages in browsers. */
const v8Provider: string = '@vitest/coverage-v8';

async function v8(): Promise<CoverageProviderModule> {
  return ((await import(/* @vite-ignore */ v8Provider)) as { readonly default: CoverageProviderModule }).default;
}

interface Taken {
  readonly result: readonly { readonly url: string }[];
}

/**
 * Measures the coverage in the projects that set COVERAGE: those that run for every commit, in this process or in an emulated page. The others run the same
 * code in browsers and in other builds of React. To convert what each of them has covered takes most of a minute, at the end of all tests.
 */
const coverage: CoverageProviderModule = {
  async startCoverage(options) {
    if (isCounted) await (await v8()).startCoverage?.(options);
  },
  async takeCoverage(options) {
    if (!isCounted) return undefined;
    const taken = (await (await v8()).takeCoverage?.(options)) as Taken | undefined;
    return { result: taken?.result.filter(({ url }) => url.includes('/src/') && !url.endsWith('.test.ts')) };
  },
  async stopCoverage(options) {
    if (isCounted) await (await v8()).stopCoverage?.(options);
  },
  async getProvider() {
    return (await v8()).getProvider();
  },
};

// oxlint-disable-next-line import/no-default-export -- Vitest takes the default export
export default coverage;
