import { INVALID } from '../../src/define/schema/row.ts';
import { Divergence } from './comparison.ts';
import { printed } from './equality.ts';
import type { Temporary } from './placeholders.ts';
import type { VisibleState } from './visible-state.ts';

/**
 * The order in which records were first shown. A record stays in its place until it has no row any more. A record that the server has given
 * a pk has the place of its temporary pk, unless a record with the pk of the server was shown before.
 */
export class Places {
  /** By table and pk. Records that were first shown in the same step have the same number until their order was read. */
  #tables = new Map<string, Map<string, number>>();
  #step = 0;
  /** The rows that readers saw when the places were noted last. */
  #visible: VisibleState['rows'] = new Map();

  copy(): Places {
    const copy = new Places();
    copy.#tables = new Map([...this.#tables].map(([table, places]) => [table, new Map(places)]));
    copy.#step = this.#step;
    copy.#visible = this.#visible;
    return copy;
  }

  /** Notes the rows that readers see now, including deleted ones. */
  note(visible: VisibleState, temporaries: Iterable<Temporary>): void {
    this.#step++;
    const renamed = [...temporaries].filter(({ becomes }) => becomes !== undefined);
    for (const table of new Set([...visible.rows.keys(), ...this.#tables.keys()])) {
      const rows = visible.rows.get(table) ?? new Map<string, unknown>();
      const places = this.#tables.get(table) ?? new Map<string, number>();
      this.#tables.set(table, places);
      for (const { name, becomes } of renamed) {
        const place = places.get(name);
        const pk = becomes as string;
        const isShown = (this.#visible.get(table)?.get(pk) ?? INVALID) !== INVALID;
        const former = isShown ? places.get(pk) : undefined;
        if (place !== undefined) places.set(pk, Math.min(place, former ?? place));
      }
      for (const pk of places.keys()) if (!rows.has(pk)) places.delete(pk);
      for (const pk of rows.keys()) if (!places.has(pk)) places.set(pk, this.#step);
    }
    this.#visible = new Map([...visible.rows].map(([table, rows]) => [table, new Map(rows)]));
  }

  /** Throws if the records of a list are not in their order. */
  check(reader: string, table: string, pks: readonly string[]): void {
    const places = this.#tables.get(table) as Map<string, number>;
    const shown = pks.map((pk) => places.get(pk) as number);
    const wrong = shown.findIndex((place, at) => place < (shown[at - 1] ?? 0));
    if (wrong >= 0) {
      const expected = [...places].sort(([, one], [, other]) => one - other).map(([pk]) => pk);
      throw new Divergence(
        `${reader}: ${pks[wrong]} is after ${pks[wrong - 1]} in ${printed(pks)}, but they were shown in the order ${printed(expected)}`,
      );
    }
    this.#learn(places, pks);
  }

  /** Learns the order of records that were first shown in one step, if all of them are in a list. */
  #learn(places: Map<string, number>, pks: readonly string[]): void {
    const shown = new Set(pks);
    const steps = new Set([...places.values()].filter(Number.isInteger));
    for (const step of steps) {
      const together = [...places.keys()].filter((pk) => places.get(pk) === step);
      if (!together.every((pk) => shown.has(pk))) continue;
      const inOrder = pks.filter((pk) => together.includes(pk));
      for (const [at, pk] of inOrder.entries()) places.set(pk, step + (at + 1) / (together.length + 1));
    }
  }
}
