import { isRefOfKind } from './lookup.ts';
import { innerPlans } from './plan-parts.ts';
import type { Plan, StructurePlan } from './plan.ts';

/** Returns whether the value of a field has only refs, as normalizing leaves them, and no nested records. */
export function isNormalized(plan: Plan, stored: unknown, planOf: (schema: unknown) => Plan): boolean {
  if (typeof stored !== 'object' || stored === null) return true;
  switch (plan.kind) {
    case 'entity':
    case 'rows':
      return false;
    case 'list':
      return Array.isArray(stored) && stored.every((item) => isNormalized(plan.item, item, planOf));
    case 'choice':
      return isRefOfKind(stored);
    case 'all':
      return Array.isArray(stored) && stored.every((item) => typeof item !== 'object' || isRefOfKind(item));
    case 'structure':
      return isRefOfKind(stored) || areMembersNormalized(plan, stored, planOf);
    default:
      return true;
  }
}

/**
 * Checks the members of an object, each by its own plan, and the entries of a map by their one plan. The members of other structures are
 * not known.
 */
function areMembersNormalized(plan: StructurePlan, stored: object, planOf: (schema: unknown) => Plan): boolean {
  const { schema } = plan;
  // A relation stores nothing in the row.
  if (schema.isUnion === true || schema.keptBy !== undefined) return false;
  if (schema.normalizesAs !== undefined) return isNormalized(planOf(schema.normalizesAs), stored, planOf);
  if (schema.entrySchema !== undefined) {
    const inner = planOf(schema.entrySchema);
    return Object.values(stored).every((entry) => isNormalized(inner, entry, planOf));
  }
  return innerPlans(plan, planOf).every(
    ([name, inner]) =>
      !Object.hasOwn(stored, name) || isNormalized(inner, (stored as Readonly<Record<string, unknown>>)[name], planOf),
  );
}

/** Returns whether a field contains records, and not only pks. */
export function hasNestedRecords(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) ? value.some(hasNestedRecords) : true;
}
