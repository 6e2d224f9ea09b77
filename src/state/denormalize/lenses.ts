import type { Plan } from '../tables/plan.ts';
import { innerPlans } from '../tables/plan-parts.ts';

/** Finds something in the arguments of a read: see `DenormalizeDelegate.argsKey`. */
export type Lens = (args: readonly unknown[]) => string | undefined;

/** Returns all lenses in a plan and the plans below it. */
export function lensesOf(plan: Plan, planOf: (schema: unknown) => Plan): ReadonlySet<Lens> {
  const lenses = new Set<Lens>();
  const seen = new Set<Plan>([plan]);
  for (const at of seen) {
    const lens = at.kind === 'structure' && 'lens' in at.schema ? at.schema.lens : undefined;
    if (typeof lens === 'function') lenses.add(lens as Lens);
    // A relation is read with its own arguments.
    if (at.kind === 'structure' && at.schema.keptBy !== undefined) continue;
    for (const [, next] of innerPlans(at, planOf)) seen.add(next);
  }
  return lenses;
}
