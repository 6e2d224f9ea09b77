import type { DehydratedCommit } from '../../state/hydrate/dehydrated.ts';
import type { Store } from '../../state/store/store.ts';

type Tables = DehydratedCommit['tables'];

/**
 * Lists of other tabs of which this tab lacks members. A commit has a changed list with its changed members only, so a tab that has never
 * received the list lacks the others. Such a list waits until this tab has its members, or the list itself from an answer.
 */
export class UnknownLists {
  readonly #store: Store;
  #waiting = new Map<string, Tables[number]>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Returns the rows of a commit that can be applied, and the lists that need not wait any longer. */
  take(tables: Tables): Tables {
    const pks = new Map(tables.map(([table, rows]) => [table, new Set(rows.map(([pk]) => pk))]));
    const isStored = (table: string, pk: string): boolean => this.#store.row(table, pk) !== undefined;
    const isThere = (table: string, pk: string): boolean => pks.get(table)?.has(pk) === true || isStored(table, pk);
    const given = [...this.#waiting.values(), ...tables];
    this.#waiting = new Map();
    return given.map(([table, rows]) => {
      const names = memberTables(table);
      const isReady = ([pk, row]: (typeof rows)[number]): boolean =>
        isStored(table, pk) || membersOf(table, row).every((member) => names.some((name) => isThere(name, member)));
      for (const row of rows) if (!isReady(row)) this.#waiting.set(`${table.length} ${table}${row[0]}`, [table, [row]]);
      return [table, rows.filter(isReady)];
    });
  }

  /** Forgets all lists, after a logout. */
  clear(): void {
    this.#waiting.clear();
  }
}

/** Returns the tables of the members, from the name of a table of lists: `[Post]`, or `[post=Post;event=Event]` with escaped names. */
function memberTables(table: string): readonly string[] {
  const parts = table.slice(1, -1).split(';');
  return parts.map((part) => part.slice(part.indexOf('=') + 1).replace(/%(?:25|3B|3D)/g, decodeURIComponent));
}

/** Returns the pks in a list or map of records. Other rows have no members. */
function membersOf(table: string, row: object | null): readonly string[] {
  if (row === null || !['[]', '{}'].includes(`${table[0]}${table.at(-1)}`)) return [];
  // With records of several classes, a member names the class beside the pk.
  const members = Object.values(row).map((member: unknown) => (Object(member) as { id?: unknown }).id ?? member);
  return members.filter((member) => typeof member === 'string');
}
