import { ArraySchema } from '../../define/schema/array.ts';
import { ObjectSchema } from '../../define/schema/object.ts';
import { Union } from '../../define/schema/union.ts';
import { Values } from '../../define/schema/values.ts';
import { innerPlans } from './plan-parts.ts';
import type { Plan, StructurePlan } from './plan.ts';

/** Schemas whose values are made of the values of their parts, and of nothing else. */
const MADE_OF_PARTS: readonly unknown[] = [ObjectSchema, ArraySchema, Values, Union];

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
    const kind = plan.kind === 'structure' ? kindOf(plan) : plan.kind === 'rows' ? plan.table.name : plan.kind;
    if (plan.kind === 'entity' || plan.kind === 'convert' || kind === undefined) return undefined;
    return `${kind} ${JSON.stringify(innerPlans(plan, this.#planOf).map(([name, part]) => [name, this.of(part)]))}`;
  }
}

function kindOf({ schema }: StructurePlan): string | undefined {
  const at = MADE_OF_PARTS.indexOf(schema.constructor);
  return at < 0 ? undefined : `${at}${'isPolymorphic' in schema && schema.isPolymorphic === true ? ' of kinds' : ''}`;
}
