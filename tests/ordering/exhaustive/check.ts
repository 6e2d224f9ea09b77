import { type History, histories } from './histories.ts';
import { type Plan, plans } from './plans.ts';
import { World } from './world.ts';

/** How many mutations and reads overlap, and how many pairs of a history and a plan are tested. */
export interface Size {
  readonly mutations: number;
  readonly reads: number;
  /** One of this many pairs is tested. */
  readonly every: number;
}

export interface Checked {
  readonly histories: number;
  readonly pairs: number;
  readonly wrong: string | undefined;
}

/** All sizes. `every` is chosen so that all of them together take a few seconds. */
export const SIZES: readonly Size[] = [
  { mutations: 1, reads: 2, every: 41 },
  { mutations: 2, reads: 0, every: 31 },
  { mutations: 2, reads: 1, every: 1_801 },
  { mutations: 2, reads: 2, every: 53_003 },
  { mutations: 3, reads: 0, every: 47_507 },
  { mutations: 3, reads: 1, every: 2_370_017 },
  { mutations: 3, reads: 2, every: 118_500_037 },
];

/** Tests pairs of a history and a plan, until one fails or the time has passed. */
export async function checkOrder({ mutations, reads, every }: Size, until = Infinity): Promise<Checked> {
  const planned = plans(mutations);
  const step = stepFor(every, planned.length);
  let pairs = 0;
  let count = 0;
  // `number` continues from history to history, so that each history is tested with other plans.
  let number = 0;
  for (const history of histories(mutations, reads)) {
    count++;
    for (; number < planned.length; number += step) {
      const plan = planned[number] as Plan;
      pairs++;
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const wrong = await new World(plan).run(history);
      if (wrong !== undefined) return { histories: count, pairs, wrong: describePair(wrong, plan, history) };
    }
    number -= planned.length;
    if (Date.now() > until) break;
  }
  return { histories: count, pairs, wrong: undefined };
}

/** Returns the first number, beginning with `every`, that has no factor in common with `length`. Steps of this size reach all plans. */
function stepFor(every: number, length: number): number {
  const common = (one: number, other: number): number => (other === 0 ? one : common(other, one % other));
  return common(every, length) === 1 ? every : stepFor(every + 1, length);
}

export function describePair(wrong: string, plan: Plan, history: History): string {
  return `${wrong}\n  ${JSON.stringify(plan)}\n  ${history.map((step) => JSON.stringify(step)).join('\n  ')}`;
}
