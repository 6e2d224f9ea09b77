import { createRequire } from 'node:module';
import type { Page } from 'playwright';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Lines of code that are not checked. The lines before them have all colors; one page is checked with all lines. */
const MOST_CODE = '.code .line:nth-child(n + 12)';

/** The serious violations of accessibility rules, each with its first place: of all rules, or of those given. */
export async function violations(page: Page, rules?: readonly string[], without = MOST_CODE): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.addScriptTag({ path: axe });
  return page.evaluate(
    async ([runOnly, exclude]) => {
      const { axe: checker } = globalThis as unknown as {
        axe: {
          run(
            context: object,
            options: object,
          ): Promise<{ violations: { impact: string; id: string; nodes: { html: string }[] }[] }>;
        };
      };
      // Without this option, axe also describes every element that passes.
      const options = { resultTypes: ['violations'], ...(runOnly && { runOnly }) };
      const { violations: all } = await checker.run({ exclude: [exclude] }, options);
      const found = all.filter(({ impact }) => ['serious', 'critical'].includes(impact));
      return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
    },
    [rules, without] as const,
  );
}
