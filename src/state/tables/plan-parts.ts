import type { Plan } from './plan.ts';

/** The plans that a plan is made of, by name; an only kind has none. Of an entity class, what it says itself. */
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

/** Of a plan that few responses begin with. A first write compiles only what it runs. */
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

/** What a schema is made of: its member `schema`, which is a schema or a map of them. */
function partsOf(schema: object): readonly (readonly [string, unknown])[] {
  const inner: unknown = 'schema' in schema ? schema.schema : undefined;
  const isMap = typeof inner === 'object' && inner !== null && !('normalize' in inner) && !Array.isArray(inner);
  return isMap ? Object.entries(inner) : [['', inner]];
}
