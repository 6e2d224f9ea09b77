import { createRequire } from 'node:module';
import type { Page } from 'playwright';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Rules of accessibility that are broken seriously, each with the first place. */
export async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.addScriptTag({ path: axe });
  return page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { impact: string; id: string; nodes: { html: string }[] }[] }> };
    };
    const found = (await checker.run()).violations.filter(({ impact }) => ['serious', 'critical'].includes(impact));
    return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
}
