import type { Plan } from '../tables/plan.ts';

/** What a schema looks up in the args; see `DenormalizeDelegate.argsKey`. */
export type Lens = (args: readonly unknown[]) => string | undefined;

const known = new WeakMap<Plan, ReadonlySet<Lens>>();

/** Every lens that can be met on the way down from a plan. */
export function lensesOf(plan: Plan): ReadonlySet<Lens> {
  const found = known.get(plan);
  if (found !== undefined) return found;
  const lenses = new Set<Lens>();
  const seen = new Set<Plan>([plan]);
  for (const at of seen) {
    const lens = at.kind === 'structure' && 'lens' in at.schema ? at.schema.lens : undefined;
    if (typeof lens === 'function') lenses.add(lens as Lens);
    for (const next of innerPlans(at)) seen.add(next);
  }
  known.set(plan, lenses);
  return lenses;
}

function innerPlans(plan: Plan): readonly Plan[] {
  switch (plan.kind) {
    case 'entity':
      return plan.current.refs.map((field) => field.plan);
    case 'list':
      return [plan.item];
    case 'rows':
      return [plan.inner];
    default:
      return [];
  }
}
