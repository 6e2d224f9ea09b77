import { innerPlans } from './plan-parts.ts';
import { MAX_NESTING, type Plan } from './plan.ts';

/** Names plans. Two plans have the same name if they read the same stored form as the same value. */
export class PlanNames {
  readonly #names = new WeakMap<Plan, string>();
  readonly #planOf: (schema: unknown) => Plan;
  #last = 0;

  constructor(planOf: (schema: unknown) => Plan) {
    this.#planOf = planOf;
  }

  /** Plans inside of `depth` others get names that no other plan has if they are too deep for the call stack. */
  of(plan: Plan, depth: number = 0): string {
    const known = this.#names.get(plan);
    if (known !== undefined) return known;
    const own = `${++this.#last}`;
    // Ends the recursion for a schema that contains itself.
    this.#names.set(plan, own);
    const name = (depth > MAX_NESTING ? undefined : this.#nameOfParts(plan, depth + 1)) ?? own;
    this.#names.set(plan, name);
    return name;
  }

  #nameOfParts(plan: Plan, depth: number): string | undefined {
    if (plan.kind === 'entity' || plan.kind === 'convert') return undefined;
    if (plan.kind === 'structure' && plan.schema.composes === undefined) return undefined;
    // The names of parts are not quoted again: with each level of quotes, names would be twice as long.
    const parts = innerPlans(plan, this.#planOf).map(
      ([name, part]) => `${JSON.stringify(name)}:${this.of(part, depth)}`,
    );
    return `${ownName(plan)}[${String(parts)}]`;
  }
}

function ownName(plan: Plan): string | undefined {
  if (plan.kind === 'structure') return plan.schema.composes;
  return plan.kind === 'rows' ? plan.table.name : plan.kind;
}
