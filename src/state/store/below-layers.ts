import type { Queryable } from '../../define/schema/infer-schema.ts';
import { INVALID } from '../../define/schema/row.ts';
import type { Store } from './store.ts';
import { writerOf } from './writer-of.ts';

/** Calls a function with the confirmed value of a queryable, without optimistic updates. Of a record that is being created, with its guess. */
export function onConfirmed<T>(
  store: Store,
  schema: Queryable,
  args: readonly unknown[],
  run: (value: unknown) => T,
): T | undefined {
  const writer = writerOf(store, 'set()');
  const { core } = writer;
  const shown: unknown = store.query(schema, args).current();
  if (shown === undefined || shown === INVALID) return undefined;
  const { layers } = core;
  if (layers === undefined || layers.size === 0) return run(shown);
  return layers.onConfirmed((snapshot) => {
    const reader = snapshot.of(core.states.confirmed, (read) => writer.compile(read));
    const confirmed: unknown = reader.get(schema, ...args);
    return run(confirmed === undefined ? shown : confirmed);
  });
}
