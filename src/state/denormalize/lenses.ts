import type { Plan } from '../tables/plan.ts';
import { plansWithin } from '../tables/plan-parts.ts';

/** Returns the text by which a field selects its value, from the arguments of a read: see `DenormalizeDelegate.argsKey`. */
export type Lens = (args: readonly unknown[]) => string | undefined;

/** Returns all lenses in a plan and the plans below it. */
export function lensesOf(plan: Plan, planOf: (schema: unknown) => Plan): ReadonlySet<Lens> {
  const lenses = new Set<Lens>();
  for (const at of plansWithin(plan, planOf)) {
    const lens = at.kind === 'structure' && 'lens' in at.schema ? at.schema.lens : undefined;
    if (typeof lens === 'function') lenses.add(lens as Lens);
  }
  return lenses;
}

/** Calls a lens. Live queries read records without arguments, for which a lens may not be prepared. */
export function readLens(lens: Lens, args: readonly unknown[]): string | undefined {
  try {
    return lens(args);
  } catch (error) {
    if (args.length > 0) throw error;
    return undefined;
  }
}
