import type { Commit, Store } from '../../src/index.ts';
import { isEqual, printed } from './equality.ts';
import { Divergence } from './comparison.ts';
import type { VisibleState } from './visible-state.ts';
import { nameOf } from './placeholders.ts';

type Rows = Map<string, unknown>;

/** A copy of a store, made only from its commits. */
export class Replica {
  readonly #confirmed: Rows = new Map();
  readonly #shown: Rows = new Map();
  readonly #results: Rows = new Map();
  #wrong: string | undefined;

  constructor(store: Store) {
    store.onCommit((commit) => this.#applyCommit(commit));
  }

  #applyCommit({ rows, shown, requests }: Commit): void {
    for (const change of rows) this.#apply(this.#confirmed, 'confirmed', nameOf(change.table, change.pk), change);
    for (const change of shown) this.#apply(this.#shown, 'shown', nameOf(change.table, change.pk), change);
    for (const { key, before, after } of requests)
      this.#apply(this.#results, 'result', key, {
        before: before?.results[0]?.stored,
        after: after?.results[0]?.stored,
      });
  }

  /** Applies a change. Its former value must be the value after the commit before. */
  #apply(rows: Rows, kind: string, name: string, { before, after }: { before: unknown; after: unknown }): void {
    if (!isEqual(rows.get(name), before))
      this.#wrong ??= `a commit has ${printed(before)} as the former ${kind} ${name}, but the commits before led to ${printed(rows.get(name))}`;
    if (after === undefined) rows.delete(name);
    else rows.set(name, after);
  }

  /** Compares the copy with the model. */
  compare(
    confirmed: VisibleState,
    shown: VisibleState | undefined,
    results: ReadonlyMap<string, { readonly stored: unknown }>,
  ): void {
    if (this.#wrong !== undefined) throw new Divergence(this.#wrong);
    this.#compare('confirmed', this.#confirmed, rowsIn(confirmed));
    if (shown !== undefined) this.#compare('shown', this.#shown, rowsIn(shown));
    this.#compare('result', this.#results, new Map([...results].map(([key, { stored }]) => [key, stored])));
  }

  #compare(kind: string, copied: Rows, expected: Rows): void {
    for (const name of new Set([...copied.keys(), ...expected.keys()]))
      if (!isEqual(copied.get(name), expected.get(name)))
        throw new Divergence(
          `the commits lead to ${printed(copied.get(name))} as ${kind} ${name}, instead of ${printed(expected.get(name))}`,
        );
  }
}

function rowsIn(visible: VisibleState): Rows {
  const all: Rows = new Map();
  for (const [table, rows] of visible.rows) for (const [pk, row] of rows) all.set(nameOf(table, pk), row);
  return all;
}
