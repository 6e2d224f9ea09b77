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
      if (plan.schema.filesAs !== undefined) return formOf(planOf(plan.schema.filesAs), planOf);
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

/** Returns whether a schema can read a stored result of an unknown schema, as far as the data shows. */
export function canRead(plan: Plan, stored: unknown): boolean {
  const isList = Array.isArray(stored);
  if (plan.kind === 'list') return isList;
  return (
    plan.kind === 'structure' || plan.kind === 'all' || plan.kind === 'plain' || plan.kind === 'convert' || !isList
  );
}
