import { type Parser, parsers } from './parsers.ts';
import { isInTime, timingOf } from './cpu-time.ts';

const MEGABYTE = 2 ** 20;

export interface TextsOutcome {
  readonly checked: number;
  /** The parser and text that took longest, and those that grew fastest. */
  readonly slowest: string;
  readonly slowestMs: number;
  readonly growth: number;
  readonly wrong: readonly string[];
}

/** Runs every parser with all of its texts, and measures the time. */
export async function checkTexts(
  only: (parser: Parser) => boolean = () => true,
  length: number = MEGABYTE,
): Promise<TextsOutcome> {
  let checked = 0;
  let slowest = { what: '', ms: 0 };
  let growth = 0;
  const wrong: string[] = [];
  for (const parser of parsers.filter(only)) {
    for (const [name, textOf] of Object.entries(parser.texts)) {
      // oxlint-disable-next-line no-await-in-loop -- each has the processor for itself
      const timing = await timingOf(parser, textOf, Math.min(length, parser.length ?? length));
      checked++;
      if (timing.ms > slowest.ms) slowest = { what: `${parser.name}: ${name}`, ms: timing.ms };
      growth = Math.max(growth, timing.growth);
      // A few of many failures with one cause are enough.
      if (wrong.length === 20) return { checked, slowest: slowest.what, slowestMs: slowest.ms, growth, wrong };
      if (!isInTime(timing))
        wrong.push(
          `${parser.name}: ${name} takes ${timing.ms.toFixed(1)} ms, and ${timing.growth.toFixed(2)} times that for twice the length`,
        );
    }
  }
  return { checked, slowest: slowest.what, slowestMs: slowest.ms, growth, wrong };
}
