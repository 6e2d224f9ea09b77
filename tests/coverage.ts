import type { CoverageProviderModule } from 'vitest/node';

/** In a variable, because Vite would bundle a package with a constant name for the pages, which import this file too. */
const provider: string = '@vitest/coverage-v8';

async function v8(): Promise<CoverageProviderModule> {
  const loaded: unknown = await import(/* @vite-ignore */ provider);
  return (loaded as { readonly default: CoverageProviderModule }).default;
}

/** Whether the tests of this process count. */
function isCounted(): boolean {
  return import.meta.env['COVERAGE'] === 'counted';
}

interface Taken {
  readonly result: readonly { readonly url: string }[];
}

/**
 * Measures the coverage in the projects that set COVERAGE: one without a page, and one in an emulated page. The others run the same code in other builds of
 * React and in browsers. To convert what a project has covered takes ten seconds, at the end of all tests.
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
