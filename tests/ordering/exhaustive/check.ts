import { type History, histories } from './histories.ts';
import { type Plan, plans } from './plans.ts';
import { World } from './world.ts';

/** How many requests of each sort overlap, and how many of the pairs of a history and a plan are tried. */
export interface Slice {
  readonly mutations: number;
  readonly reads: number;
  /** One pair of this many is tried. */
  readonly every: number;
}

export interface Checked {
  readonly histories: number;
  readonly pairs: number;
  readonly wrong: string | undefined;
}

/** Every size, with as many pairs as take a few seconds together. */
export const SIZES: readonly Slice[] = [
  { mutations: 1, reads: 2, every: 31 },
  { mutations: 2, reads: 0, every: 17 },
  { mutations: 2, reads: 1, every: 997 },
  { mutations: 2, reads: 2, every: 30_011 },
  { mutations: 3, reads: 0, every: 20_011 },
  { mutations: 3, reads: 1, every: 1_000_003 },
  { mutations: 3, reads: 2, every: 50_000_017 },
];

/** Tries pairs of a history and a plan, until one is wrong or the time is over. */
export async function checkOrder({ mutations, reads, every }: Slice, until = Infinity): Promise<Checked> {
  const planned = plans(mutations);
  const step = apart(every, planned.length);
  let pairs = 0;
  let count = 0;
  // The count continues from history to history, so that each history is tried with other plans.
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

/** Returns the first number from `every` on that has no factor in common with `length`, so that successive histories get different plans. */
function apart(every: number, length: number): number {
  const common = (one: number, other: number): number => (other === 0 ? one : common(other, one % other));
  return common(every, length) === 1 ? every : apart(every + 1, length);
}

export function describePair(wrong: string, plan: Plan, history: History): string {
  return `${wrong}\n  ${JSON.stringify(plan)}\n  ${history.map((step) => JSON.stringify(step)).join('\n  ')}`;
}
