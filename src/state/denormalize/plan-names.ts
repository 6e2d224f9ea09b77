import { ObjectSchema } from '../../define/schema/object.ts';
import type { Plan } from '../tables/plan.ts';
import { innerPlans } from './lenses.ts';

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
    const name = this.#isMadeOfParts(plan) ? this.#composed(plan) : `${++this.#last}`;
    this.#names.set(plan, name);
    return name;
  }

  #isMadeOfParts({ kind, ...plan }: Plan): boolean {
    return kind === 'list' || kind === 'rows' || ('schema' in plan && plan.schema.constructor === ObjectSchema);
  }

  #composed(plan: Plan): string {
    const parts = innerPlans(plan, this.#planOf).map(([name, part]) => [name, this.of(part)]);
    return `${plan.kind} ${plan.kind === 'rows' ? plan.table.name : ''} ${JSON.stringify(parts)}`;
  }
}
