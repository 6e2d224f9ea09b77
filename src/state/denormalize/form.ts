import type { Plan } from '../tables/plan.ts';
import { innerPlans } from '../tables/plan-parts.ts';

const forms = new WeakMap<Plan, string>();

/**
 * Names the form in which a schema files a response: equal for schemas that can read what the other has filed, such as a
 * list of one class and a list of another class with the same key.
 */
export function formOf(plan: Plan, planOf: (schema: unknown) => Plan): string {
  const known = forms.get(plan);
  if (known !== undefined) return known;
  // A schema that contains itself ends here.
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

/** Whether a schema can read what was filed by a schema that is not known, as far as that can be told from outside. */
export function canRead(plan: Plan, stored: unknown): boolean {
  const isList = Array.isArray(stored);
  if (plan.kind === 'list') return isList;
  return (
    plan.kind === 'structure' || plan.kind === 'all' || plan.kind === 'plain' || plan.kind === 'convert' || !isList
  );
}
