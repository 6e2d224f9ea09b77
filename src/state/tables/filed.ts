import { isRefOfKind } from './lookup.ts';
import { innerPlans } from './plan-parts.ts';
import type { Plan, StructurePlan } from './plan.ts';

/** Whether what a row holds under a plan is what filing leaves there: refs, and no nested records. */
export function isFiled(plan: Plan, stored: unknown, planOf: (schema: unknown) => Plan): boolean {
  if (typeof stored !== 'object' || stored === null) return true;
  switch (plan.kind) {
    case 'entity':
    case 'rows':
      return false;
    case 'list':
      return Array.isArray(stored) && stored.every((item) => isFiled(plan.item, item, planOf));
    case 'choice':
      return isRefOfKind(stored);
    case 'structure':
      return isRefOfKind(stored) || areMembersFiled(plan, stored, planOf);
    default:
      return true;
  }
}

/** Of an object, each member has a plan of its own; of a map, all have one. Of other structures, nothing can be told from outside. */
function areMembersFiled(plan: StructurePlan, stored: object, planOf: (schema: unknown) => Plan): boolean {
  const { schema } = plan;
  // Of a relation, nothing stays in the row.
  if (schema.isUnion === true || schema.keptBy !== undefined) return false;
  if (schema.entrySchema !== undefined) {
    const inner = planOf(schema.entrySchema);
    return Object.values(stored).every((entry) => isFiled(inner, entry, planOf));
  }
  return innerPlans(plan, planOf).every(
    ([name, inner]) =>
      !Object.hasOwn(stored, name) || isFiled(inner, (stored as Readonly<Record<string, unknown>>)[name], planOf),
  );
}

/** Whether there are records in a field, and not only their pks, whatever its plan. */
export function isNested(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) ? value.some(isNested) : true;
}
