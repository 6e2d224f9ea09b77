import { Collection, Controller, dehydrate, Store } from 'rejoin';
import { type PersistEvent, PersistManager, type PersistOptions } from 'rejoin/persist';
import { Todo } from '../model.ts';

export const todos: Collection = new Collection([Todo]);

/** One run of an application. */
export interface Run {
  readonly controller: Controller;
  readonly store: Store;
  readonly persist: PersistManager;
  readonly events: PersistEvent[];
}

/** Starts an application, and waits until its saved data is restored. */
export async function start(options: Partial<PersistOptions>): Promise<Run> {
  const run = begin(options);
  await run.persist.restored;
  return run;
}

export function begin(options: Partial<PersistOptions>): Run {
  const events: PersistEvent[] = [];
  const persist = new PersistManager({ name: 'app', onEvent: (event) => events.push(event), ...options });
  const store = new Store();
  const controller = new Controller({ store, managers: [persist] });
  return { controller, store, persist, events };
}

/** Returns the rows of a store as readers get them. */
export function rowsOf(store: Store): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    dehydrate(store).tables.flatMap(([table, rows]) => rows.map(([pk, row]) => [`${table} ${pk}`, row])),
  );
}
