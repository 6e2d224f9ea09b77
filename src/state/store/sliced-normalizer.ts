import type { SchemaPart, SchemaSimple } from '../../define/schema/schema.ts';
import { isObject } from '../../define/schema/fields.ts';
import { itemOf } from '../../define/schema/shorthand.ts';
import { Normalizer } from '../normalize/normalizer.ts';
import type { Space } from '../tables/space.ts';

/** A normalizer that can stop between the records of long lists. */
export class SlicedNormalizer extends Normalizer {
  /** The stored forms of the parts that the current schema visits first. They were stored before it. */
  #storedParts: readonly unknown[] = [];

  override visit(...given: Parameters<Normalizer['visit']>): unknown {
    if (this.#storedParts.length === 0) return super.visit(...given);
    const [first, ...others] = this.#storedParts;
    this.#storedParts = others;
    return first;
  }

  /** Normalizes an input, and yields between the records of long lists. Returns the stored form. */
  *inSlices(space: Space, [schema, value, parent, key]: SchemaPart): Generator<undefined, unknown> {
    const plan = space.planOf(schema);
    if (plan.kind === 'list' && Array.isArray(value)) {
      const stored: unknown[] = [];
      for (const one of value as readonly unknown[]) {
        const ref = this.visit(itemOf(schema as object), one, parent, key);
        if (ref !== undefined) stored.push(ref);
        yield;
      }
      return stored;
    }
    const storedParts: unknown[] = [];
    if ((plan.kind === 'rows' || plan.kind === 'structure') && isObject(value))
      for (const part of partsOf(plan.schema, value, parent, key)) storedParts.push(yield* this.inSlices(space, part));
    this.#storedParts = storedParts;
    return super.visit(schema, value, parent, key);
  }
}

type PartsOf = NonNullable<SchemaSimple['partsOf']>;

/** Returns the parts that `normalize` of a schema visits. None if a subclass overrides `normalize` but not `partsOf`. */
function partsOf(schema: SchemaSimple, ...given: Parameters<PartsOf>): ReturnType<PartsOf> {
  let at: object = schema;
  while (!Object.hasOwn(at, 'normalize')) at = Object.getPrototypeOf(at) as object;
  return Object.hasOwn(at, 'partsOf') ? (schema as { readonly partsOf: PartsOf }).partsOf(...given) : [];
}
