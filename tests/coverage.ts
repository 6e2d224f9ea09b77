import type { CoverageProviderModule } from 'vitest/node';

/** Whether this is a page of a browser, and not an emulated page. */
const isPage = globalThis.process?.versions?.node === undefined;
/** In a variable, because Vite would bundle a package with a constant name for the pages. */
const forNode: string = '@vitest/coverage-v8';

async function v8(): Promise<CoverageProviderModule> {
  const loaded: unknown = isPage
    ? await import('@vitest/coverage-v8/browser')
    : await import(/* @vite-ignore */ forNode);
  return (loaded as { readonly default: CoverageProviderModule }).default;
}

/** Whether the tests of this process or page count. */
function isCounted(): boolean {
  return import.meta.env['COVERAGE'] === 'counted';
}

interface Taken {
  readonly result: readonly { readonly url: string }[];
}

/**
 * Measures the coverage in the projects that set COVERAGE: those that every commit runs, of the browsers one. The others run the same code in other builds of
 * React. To convert what each of them has covered takes most of a minute, at the end of all tests.
 */
const coverage: CoverageProviderModule = {
  async startCoverage(options) {
    if (isCounted()) await (await v8()).startCoverage?.(options);
  },
  async takeCoverage(options) {
    if (!isCounted()) return undefined;
    const taken = (await (await v8()).takeCoverage?.(options)) as Taken | undefined;
    return { result: taken?.result.filter(({ url }) => url.includes('/src/') && !url.endsWith('.test.ts')) };
  },
  async stopCoverage(options) {
    if (isCounted()) await (await v8()).stopCoverage?.(options);
  },
  async getProvider() {
    return (await v8()).getProvider();
  },
};

// oxlint-disable-next-line import/no-default-export -- Vitest takes the default export
export default coverage;
