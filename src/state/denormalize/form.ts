import type { Fields } from '../../std/plain.ts';
import type { Plan } from '../tables/plan.ts';
import { innerPlans } from '../tables/plan-parts.ts';

const forms = new WeakMap<Plan, string>();

/**
 * Returns a name for the form in which a schema stores a response. Schemas with the same form can read each other's results, for example
 * lists of two classes with the same key.
 */
export function formOf(plan: Plan, planOf: (schema: unknown) => Plan): string {
  const known = forms.get(plan);
  if (known !== undefined) return known;
  // Ends the recursion for a schema that contains itself.
  forms.set(plan, '…');
  const made = describe(plan, planOf);
  forms.set(plan, made);
  return made;
}

function describe(plan: Plan, planOf: (schema: unknown) => Plan): string {
  switch (plan.kind) {
    case 'entity':
    case 'rows':
      return `pk of ${plan.table.name}`;
    case 'list':
      return `[${formOf(plan.item, planOf)}]`;
    case 'structure': {
      if (plan.schema.normalizesAs !== undefined) return formOf(planOf(plan.schema.normalizesAs), planOf);
      const inner = innerPlans(plan, planOf).map(([name, part]) => `${name}: ${formOf(part, planOf)}`);
      return `${plan.schema.constructor.name}(${inner.join(', ')})`;
    }
    case 'choice':
    case 'all':
      return `${plan.kind}(${innerPlans(plan, planOf)
        .map(([name, part]) => `${name}: ${formOf(part, planOf)}`)
        .join(', ')})`;
    default:
      return 'plain';
  }
}

/**
 * Returns whether a schema can read a stored result of an unknown schema, as far as the data shows: where the schema has records, the result
 * has refs. Of each list and map, one member is looked at.
 */
export function canRead(plan: Plan, stored: unknown, planOf: (schema: unknown) => Plan): boolean {
  const isInner = (inner: Plan, value: unknown): boolean => (value ?? null) === null || canRead(inner, value, planOf);
  switch (plan.kind) {
    case 'entity':
    case 'rows':
      return Object(stored) !== stored;
    case 'list':
      return Array.isArray(stored) && isInner(plan.item, stored[0]);
    case 'choice':
      return Object(stored) !== stored || plan.choice.isRef(stored);
    case 'structure': {
      const { composes, normalizesAs, mapOf } = plan.schema;
      if (normalizesAs !== undefined) return canRead(planOf(normalizesAs), stored, planOf);
      if (mapOf !== undefined) return isInner(planOf(mapOf), Object.values(Object(stored) as Fields)[0]);
      const fields = Object(stored) as Fields;
      return composes !== 'object' || innerPlans(plan, planOf).every(([name, inner]) => isInner(inner, fields[name]));
    }
    default:
      return true;
  }
}
