import { DataError } from '../../std/data-error.ts';
import { MAX_NESTING, type Plan } from './plan.ts';

/** Returns the plans inside a plan that is not of an entity class, each with its name. The name is '' if a structure has one inner schema. */
export function innerPlans(plan: Plan, planOf: (schema: unknown) => Plan): readonly (readonly [string, Plan])[] {
  return plan.kind === 'list' ? [['item', plan.item]] : rarePlans(plan, planOf);
}

/**
 * Returns a plan and all plans inside it. With `known`, the plans that relations lead to are included, those in `known` are left out, and all others
 * are added to it.
 */
export function plansWithin(root: Plan, planOf: (schema: unknown) => Plan, known?: WeakSet<Plan>): Iterable<Plan> {
  /** How many other plans are around each one. A record has none around it. */
  const found = new Map<Plan, number>([[root, 0]]);
  const note = (plan: Plan, around: number): void => {
    if (around > MAX_NESTING) throw nestedTooDeep();
    if (!found.has(plan)) found.set(plan, around);
  };
  for (const [plan, around] of found) {
    if (known?.has(plan) === true) continue;
    if (plan.kind === 'entity') {
      for (const { plan: inner, isForeign } of plan.current.refs) if (!isForeign) note(inner, 1);
    } else if (plan.kind === 'list') note(plan.item, around + 1);
    else if (plan.kind !== 'plain')
      for (const inner of rarePlansWithin(plan, planOf, known !== undefined)) note(inner, around + 1);
  }
  for (const plan of found.keys()) known?.add(plan);
  return found.keys();
}

export function nestedTooDeep(): DataError {
  return new DataError('too-deep', `Schemas of lists, maps and objects are nested deeper than ${MAX_NESTING} levels.`);
}

function rarePlansWithin(plan: Plan, planOf: (schema: unknown) => Plan, withRelations: boolean): readonly Plan[] {
  // The records of a relation are read with arguments of their own.
  if (!withRelations && plan.kind === 'structure' && plan.schema.keptBy !== undefined) return [];
  try {
    return rarePlans(plan, planOf).map(([, inner]) => inner);
  } catch (error) {
    // A relation can lead to a class that is declared later. Then no record of that class has been read.
    if (withRelations && error instanceof ReferenceError) return [];
    throw error;
  }
}

/** As `innerPlans`, without lists. It is a function of its own, so that a first write of a list does not compile it. */
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
