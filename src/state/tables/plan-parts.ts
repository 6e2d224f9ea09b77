import type { Plan } from './plan.ts';

/** Returns the plans inside a plan that is not of an entity class, by name. An only one has the name ''. */
export function innerPlans(plan: Plan, planOf: (schema: unknown) => Plan): readonly (readonly [string, Plan])[] {
  return plan.kind === 'list' ? [['item', plan.item]] : rarePlans(plan, planOf);
}

/**
 * Returns a plan and all plans inside it. With `known`, the plans that relations lead to are included, those in `known` are left out, and all others
 * are added to it.
 */
export function plansWithin(root: Plan, planOf: (schema: unknown) => Plan, known?: WeakSet<Plan>): ReadonlySet<Plan> {
  const found = new Set<Plan>([root]);
  for (const plan of found) {
    if (known?.has(plan) === true) continue;
    known?.add(plan);
    if (plan.kind === 'entity') {
      for (const { plan: inner, isForeign } of plan.current.refs) if (!isForeign) found.add(inner);
    } else if (plan.kind === 'list') found.add(plan.item);
    else if (plan.kind !== 'plain')
      for (const inner of rarePlansWithin(plan, planOf, known !== undefined)) found.add(inner);
  }
  return found;
}

function rarePlansWithin(plan: Plan, planOf: (schema: unknown) => Plan, withRelations: boolean): readonly Plan[] {
  // A relation is read with its own arguments.
  if (!withRelations && plan.kind === 'structure' && plan.schema.keptBy !== undefined) return [];
  try {
    return rarePlans(plan, planOf).map(([, inner]) => inner);
  } catch (error) {
    // A relation can lead to a class that is declared later: then nothing has been read of it.
    if (withRelations && error instanceof ReferenceError) return [];
    throw error;
  }
}

/** As `innerPlans`, for plans with which few responses begin. It is separate so that a first write compiles only the code that it runs. */
function rarePlans(plan: Plan, planOf: (schema: unknown) => Plan): readonly (readonly [string, Plan])[] {
  switch (plan.kind) {
    case 'all':
      return plan.lists.map((list, at) => [`${at}`, list]);
    case 'choice':
      return partsOf(plan.choice).map(([name, schema]) => [name, planOf(schema)]);
    case 'rows':
      return [['row', plan.inner]];
    case 'structure':
      return partsOf(plan.schema).map(([name, schema]) => [name, planOf(schema)]);
    default:
      return [];
  }
}

/** Returns the inner schemas of a schema: its member `schema`, which is a schema or a map of schemas. */
function partsOf(schema: object): readonly (readonly [string, unknown])[] {
  const inner: unknown = 'schema' in schema ? schema.schema : undefined;
  const isMap = typeof inner === 'object' && inner !== null && !('normalize' in inner) && !Array.isArray(inner);
  return isMap ? Object.entries(inner) : [['', inner]];
}
