import { type CollectionKey, collectionPk, keyOfPk } from './collection-key.ts';
import { isObject } from './fields.ts';
import { selects } from './list-arguments.ts';
import type { RuledCollection } from './list-rules.ts';
import { ChangeRules, MergeRules } from './merge-rules.ts';
import type { DenormalizeDelegate, NormalizeDelegate, QueryDelegate, Unvisit } from './delegate.ts';
import type { RepeatEdits } from './row.ts';
import type { SchemaSimple } from './schema.ts';

/** Returns the name of the table with the totals of the lists of a collection. Fixed format: disks have such names. */
export function totalsOf(collection: string): string {
  return `${collection}#total`;
}

/** A collection with totals. */
interface CountedCollection extends RuledCollection {
  pk(value: unknown, parent: unknown, key: string | undefined, args: readonly unknown[]): string | undefined;
  queryKey(args: readonly unknown[], unvisit: Unvisit, delegate: QueryDelegate): string | undefined;
}

interface Counted {
  readonly count: number;
}

/** Adds a number to a total. */
export class TotalChange extends ChangeRules {
  readonly repeat: RepeatEdits = ADDING;

  override merge(existing: Counted, by: Counted): unknown {
    return added(existing, [by]);
  }
}

const ADDING: RepeatEdits = {
  over: (total, edits) =>
    added(
      total as Counted,
      edits.map(({ incoming }) => incoming as Counted),
    ),
};

/** Returns the number that the row of a total has. */
export function countOf(row: unknown): number {
  return (Object(row) as Counted).count;
}

function added(total: Counted, edits: readonly Counted[]): Counted {
  return { count: edits.reduce((sum, { count }) => sum + count, total.count) };
}

/** Returns the pk of the total of a list, given the key of the list. */
export function totalPk(list: RuledCollection, key: CollectionKey): string {
  const selecting = Object.entries(key).filter(([name]) => selects(list, name));
  return collectionPk(Object.fromEntries(selecting), list.key);
}

/** The total of a list. All pages of a list share one. */
export class Total extends MergeRules implements SchemaSimple {
  override readonly key: string;
  readonly #list: CountedCollection;
  readonly #example: unknown;

  /** `example`: returned while the total is not known. */
  constructor(list: CountedCollection, example: unknown) {
    super();
    this.key = totalsOf(list.key);
    this.#list = list;
    this.#example = example;
  }

  override merge(_existing: unknown, incoming: unknown): unknown {
    return incoming;
  }

  #pk(args: readonly unknown[]): string | undefined {
    const key = keyOfPk(String(this.#list.pk(undefined, undefined, undefined, args)));
    return key && totalPk(this.#list, key);
  }

  normalize(input: unknown, _parent: unknown, _key: string | undefined, delegate: NormalizeDelegate): unknown {
    const pk = this.#pk(delegate.args);
    const count = typeof input === 'string' && input !== '' ? Number(input) : input;
    if (pk === undefined || typeof count !== 'number' || Number.isNaN(count)) return input;
    delegate.mergeEntity(this, pk, { count });
    if (delegate.source !== 'guess') this.#noteArrival(pk, delegate);
    return { total: pk };
  }

  /** Notes that the total may already count mutations that were sent before now. */
  #noteArrival(pk: string, delegate: NormalizeDelegate): void {
    const notes = delegate.notes(this.key);
    const known = notes.get(pk) ?? 0;
    delegate.onUndo(() => void notes.set(pk, known));
    notes.set(pk, delegate.latest);
  }

  denormalize(stored: unknown, delegate: DenormalizeDelegate): unknown {
    if (!isObject(stored)) return stored;
    return countOf(delegate.getEntity(this.key, String(stored['total'])));
  }

  queryKey(args: readonly unknown[], unvisit: Unvisit, delegate: QueryDelegate): unknown {
    const pk = this.#pk(args);
    if (pk !== undefined && delegate.hasEntity(this.key, pk)) return { total: pk };
    // If the list is stored without a total, the total is unknown.
    return this.#list.queryKey(args, unvisit, delegate) === undefined ? this.#example : undefined;
  }
}
