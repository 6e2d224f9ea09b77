import { createRequire } from 'node:module';
import type { Page } from 'playwright';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** The serious violations of accessibility rules, each with its first place: of all rules, or of those given. */
export async function violations(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.addScriptTag({ path: axe });
  return page.evaluate(async (runOnly) => {
    const { axe: checker } = globalThis as unknown as {
      axe: {
        run(options: object): Promise<{ violations: { impact: string; id: string; nodes: { html: string }[] }[] }>;
      };
    };
    // Without this option, axe also describes every element that passes.
    const { violations: all } = await checker.run({ resultTypes: ['violations'], ...(runOnly && { runOnly }) });
    const found = all.filter(({ impact }) => ['serious', 'critical'].includes(impact));
    return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  }, rules);
}
