import type { Store } from '../../src/index.ts';

/** Stores a response. Returns the value of its normalized result, as a reader gets it. */
export function respond<Value>(store: Store, schema: unknown, response: unknown, args: readonly unknown[] = []): Value {
  return store.read(schema, store.write(schema, response, { args }), args) as Value;
}
