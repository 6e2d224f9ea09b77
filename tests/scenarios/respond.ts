import type { Store } from '../../src/index.ts';

/** What a reader gets once `response` has landed: the value of its normalized result. */
export function respond<Value>(store: Store, schema: unknown, response: unknown, args: readonly unknown[] = []): Value {
  return store.read(schema, store.write(schema, response, { args }), args) as Value;
}
