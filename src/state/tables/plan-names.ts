import { ObjectSchema } from '../../define/schema/object.ts';
import { Union } from '../../define/schema/union.ts';
import { Values } from '../../define/schema/values.ts';
import { innerPlans } from './plan-parts.ts';
import type { Plan } from './plan.ts';

/** Schemas whose values are made of the values of their parts, and of nothing else. */
const MADE_OF_PARTS: readonly unknown[] = [ObjectSchema, Values, Union];

/** Names plans: equal for those that read the same stored form as the same value, wherever they are written down. */
export class PlanNames {
  readonly #names = new WeakMap<Plan, string>();
  readonly #planOf: (schema: unknown) => Plan;
  #last = 0;

  constructor(planOf: (schema: unknown) => Plan) {
    this.#planOf = planOf;
  }

  of(plan: Plan): string {
    const known = this.#names.get(plan);
    if (known !== undefined) return known;
    const own = `${++this.#last}`;
    // A schema that contains itself ends here.
    this.#names.set(plan, own);
    const name = this.#composed(plan) ?? own;
    this.#names.set(plan, name);
    return name;
  }

  #composed(plan: Plan): string | undefined {
    if (plan.kind === 'entity' || plan.kind === 'convert') return undefined;
    const at = plan.kind === 'structure' ? MADE_OF_PARTS.indexOf(plan.schema.constructor) : undefined;
    if (at === -1) return undefined;
    return `${at ?? (plan.kind === 'rows' ? plan.table.name : plan.kind)} ${JSON.stringify(innerPlans(plan, this.#planOf).map(([name, part]) => [name, this.of(part)]))}`;
  }
}
