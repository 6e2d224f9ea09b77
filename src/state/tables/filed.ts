import { isRefOfKind } from './lookup.ts';
import { innerPlans } from './plan-parts.ts';
import type { Plan, StructurePlan } from './plan.ts';

/** Returns whether the value of a field has only refs, as normalizing leaves them, and no nested records. */
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
    case 'all':
      return Array.isArray(stored) && stored.every((item) => typeof item !== 'object' || isRefOfKind(item));
    case 'structure':
      return isRefOfKind(stored) || areMembersFiled(plan, stored, planOf);
    default:
      return true;
  }
}

/**
 * Checks the members of an object, each by its own plan, and the entries of a map by their one plan. The members of other structures are
 * not known.
 */
function areMembersFiled(plan: StructurePlan, stored: object, planOf: (schema: unknown) => Plan): boolean {
  const { schema } = plan;
  // A relation stores nothing in the row.
  if (schema.isUnion === true || schema.keptBy !== undefined) return false;
  if (schema.filesAs !== undefined) return isFiled(planOf(schema.filesAs), stored, planOf);
  if (schema.entrySchema !== undefined) {
    const inner = planOf(schema.entrySchema);
    return Object.values(stored).every((entry) => isFiled(inner, entry, planOf));
  }
  return innerPlans(plan, planOf).every(
    ([name, inner]) =>
      !Object.hasOwn(stored, name) || isFiled(inner, (stored as Readonly<Record<string, unknown>>)[name], planOf),
  );
}

/** Returns whether a field contains records, and not only pks. */
export function isNested(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) ? value.some(isNested) : true;
}
