import type { Plan } from './plan.ts';

/**
 * Returns the plans inside a plan, by name. An only one has the name ''. For an entity class, only the fields that the class itself
 * declares.
 */
export function innerPlans(plan: Plan, planOf: (schema: unknown) => Plan): readonly (readonly [string, Plan])[] {
  switch (plan.kind) {
    case 'entity':
      return plan.current.refs.filter(({ isForeign }) => !isForeign).map(({ name, plan: inner }) => [name, inner]);
    case 'list':
      return [['item', plan.item]];
    default:
      return rarePlans(plan, planOf);
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
