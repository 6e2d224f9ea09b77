import { INVALID, type Invalid } from '../../src/define/schema/row.ts';
import { VisibleState, type Row } from './visible-state.ts';
import { type Edit, type Members, edited, leadsTo, without } from './members.ts';
import { isEqual } from './equality.ts';
import { Ref } from './placeholders.ts';
import { refsOf } from './refs.ts';
import {
  type CollectionShape,
  type Fields,
  type Lists,
  type Shape,
  type TableShape,
  type Tables,
  mapFields,
  pkOfList,
} from './shape.ts';

/** What one request wrote to one row. */
type RowWrite =
  | { readonly issue: number; readonly kind: 'put'; readonly row: Fields }
  | { readonly issue: number; readonly kind: 'gone' }
  | { readonly issue: number; readonly kind: 'list'; readonly members: Members }
  | { readonly issue: number; readonly kind: 'edit'; readonly edit: (members: Members) => Members };

/** A write: a response of a shape, members that are added to lists or removed from them, or a deletion. */
export type Write =
  | { readonly kind: 'response'; readonly shape: Shape; readonly input: unknown; readonly args: readonly unknown[] }
  | {
      readonly kind: Edit;
      readonly shape: CollectionShape;
      readonly input: unknown;
      readonly args: readonly unknown[];
    }
  | { readonly kind: 'delete'; readonly table: string; readonly pk: string };

interface NestedInGuess {
  /** Which fields of nested records the guess edits. It is decided when the guess is written for the first time. */
  readonly edits: Map<string, boolean>;
  readonly confirmed: Model;
}

/**
 * A slow and simple model of a store. It keeps every write in the order of arrival, and computes each answer from all of them. Pending
 * guesses are made again each time.
 */
export class Model {
  readonly tables: Tables;
  readonly lists: Lists;
  /** All writes, by table and pk. */
  readonly writes = new Map<string, Map<string, readonly RowWrite[]>>();
  results = new Map<string, { issue: number; stored: unknown }>();
  /** For the guess that is written now: which fields of nested records it edits, and the model without any guess. */
  #guess: NestedInGuess | undefined = undefined;

  constructor(tables: Tables, lists: Lists) {
    this.tables = tables;
    this.lists = lists;
  }

  /** Returns an independent copy. */
  copy(): Model {
    const copy = new Model(this.tables, this.lists);
    for (const [table, rows] of this.writes) copy.writes.set(table, new Map(rows));
    copy.results = new Map(this.results);
    return copy;
  }

  /** Returns a model with the present content, as if one early response had written all of it. */
  flat(): Model {
    const flat = new Model(this.tables, this.lists);
    for (const [table, rows] of this.writes)
      for (const pk of rows.keys()) {
        const row = this.row(table, pk);
        if (row === INVALID) flat.#note(table, pk, { issue: 0, kind: 'gone' });
        else if (this.lists.has(table)) flat.#note(table, pk, { issue: 0, kind: 'list', members: row as Members });
        else if (row !== undefined)
          flat.#note(table, pk, { issue: 0, kind: 'put', row: JSON.parse(JSON.stringify(row)) as Fields });
      }
    for (const [key, { stored }] of this.results) flat.results.set(key, { issue: 0, stored });
    return flat;
  }

  *refs(): Generator<Ref> {
    for (const [table, rows] of this.writes) for (const pk of [...rows.keys()]) yield new Ref(table, pk);
  }

  /** Forgets a row and its deletions. Returns the issue of its last deletion. */
  forget({ table, pk }: Ref): number {
    const rows = this.writes.get(table);
    const writes = rows?.get(pk) ?? [];
    rows?.delete(pk);
    return Math.max(0, ...writes.filter((one) => one.kind === 'gone').map(({ issue }) => issue));
  }

  // ---- Writes

  write(write: Write, issue: number, guess?: NestedInGuess): unknown {
    this.#guess = guess;
    if (write.kind === 'delete') return this.#remove(write.table, write.pk, issue);
    const { shape, input, args } = write;
    if (write.kind === 'response') return this.#file(shape, input, args[0] as Fields | undefined, args, issue, false);
    return this.#editLists(write.kind, shape as CollectionShape, input, args, issue);
  }

  answer(key: string, stored: unknown, issue: number): void {
    if (issue >= (this.results.get(key)?.issue ?? 0)) this.results.set(key, { issue, stored });
  }

  #note(table: string, pk: string, writes: RowWrite): void {
    const rows = this.writes.get(table) ?? new Map<string, readonly RowWrite[]>();
    this.writes.set(table, rows.set(pk, [...(rows.get(pk) ?? []), writes]));
  }

  /** Writes an input, nested records first. Returns what is stored in its place. */
  #file(
    shape: Shape,
    input: unknown,
    parent: Fields | undefined,
    args: readonly unknown[],
    issue: number,
    inRecord: boolean,
  ): unknown {
    if (input === null || input === undefined) return input;
    const file = (inner: Shape, value: unknown): unknown => this.#file(inner, value, parent, args, issue, inRecord);
    switch (shape.kind) {
      case 'plain':
      case 'convert':
        return input;
      case 'entity':
        return typeof input === 'object'
          ? this.#fileRecord(shape.table, input as Fields, args, issue, inRecord)
          : String(input);
      case 'union': {
        const type = (input as Fields)['type'] as string;
        return {
          id: this.#fileRecord(shape.tables[type] as string, input as Fields, args, issue, inRecord),
          schema: type,
        };
      }
      case 'list':
        return (input as unknown[]).map((item) => file(shape.of, item));
      case 'map':
        return mapFields(input as Fields, (value) => file(shape.of, value));
      case 'object':
        return mapFields(input as Fields, (value, name) => {
          const inner = shape.fields[name];
          return inner === undefined ? value : this.#file(inner, value, input as Fields, args, issue, inRecord);
        });
      case 'collection': {
        const pk = pkOfList(shape.identify(inRecord ? parent : undefined, args));
        const members = file(shape.content, input) as Members;
        this.#note(shape.lists, pk, { issue, kind: 'list', members: this.#withoutDeleted(shape, members, issue) });
        return pk;
      }
    }
  }

  #fileRecord(table: string, input: Fields, args: readonly unknown[], issue: number, isNested: boolean): string {
    const { fields, process } = this.tables[table] as TableShape;
    const processed = process === undefined ? { ...input } : process(input);
    if (processed === undefined) return this.#remove(table, String(input['id']), issue);
    // A record may lack the fields from which process() makes others. These stay as they are.
    const known = this.row(table, String(processed['id']));
    const whole =
      process === undefined || known === undefined || known === INVALID
        ? undefined
        : process({ ...(known as Fields), ...input });
    const isGiven = ([name, value]: readonly [string, unknown]): boolean =>
      value !== undefined || name in input || whole?.[name] === undefined;
    const record = Object.fromEntries(Object.entries(processed).filter(isGiven));
    const row = mapFields(record, (value, name) => {
      const inner = fields[name];
      return inner === undefined ? value : this.#file(inner, value, record, args, issue, true);
    });
    const pk = String(record['id']);
    this.#note(table, pk, { issue, kind: 'put', row: isNested ? this.#withoutCopies(table, pk, row) : row });
    return pk;
  }

  /**
   * Returns a nested record of a guess in which the fields that the guess does not edit have the values that readers see without it. It lacks
   * those that nothing has stored, if they have the default. A record that another guess hides is compared as it is without any guess.
   */
  #withoutCopies(table: string, pk: string, row: Fields): Fields {
    if (this.#guess === undefined) return row;
    const { edits, confirmed } = this.#guess;
    const below = this.#present(table, pk);
    const known = below ?? confirmed.#present(table, pk);
    const defaults = this.tables[table]?.defaults() ?? {};
    const kept = Object.entries(row).flatMap(([name, value]) => {
      const field = `${table} ${pk} ${name}`;
      const isStored = known !== undefined && Object.hasOwn(known, name);
      const shown = isStored ? known[name] : defaults[name];
      if (!edits.has(field)) edits.set(field, known !== undefined && !isEqual(shown, value));
      if (edits.get(field) === true || below === undefined) return [[name, value] as const];
      if (isStored) return [[name, shown] as const];
      return isEqual(shown, value) ? [] : [[name, value] as const];
    });
    return Object.fromEntries(kept);
  }

  #present(table: string, pk: string): Fields | undefined {
    const row = this.row(table, pk);
    return row === INVALID ? undefined : (row as Fields | undefined);
  }

  #editLists(kind: Edit, shape: CollectionShape, input: unknown, args: readonly unknown[], issue: number): unknown {
    const { content, lists } = shape;
    const file = (one: unknown): unknown =>
      this.#file(content.of, one, args[0] as Fields | undefined, args, issue, false);
    const isMap = content.kind === 'map';
    const stored = isMap ? mapFields(input as Fields, file) : Array.isArray(input) ? input.map(file) : file(input);
    const incoming = isMap ? (stored as Fields) : [stored].flat();
    for (const [pk] of this.writes.get(lists) ?? []) {
      const row = this.row(lists, pk);
      if (row === undefined || row === INVALID || !accepts(JSON.parse(pk) as Fields, args)) continue;
      this.#note(lists, pk, { issue, kind: 'edit', edit: (members) => edited(members, kind, incoming) });
    }
    return stored;
  }

  #remove(table: string, pk: string, issue: number): string {
    const isOvertaken =
      this.writes
        .get(table)
        ?.get(pk)
        ?.some((one) => one.issue > issue) === true;
    this.#note(table, pk, { issue, kind: 'gone' });
    // A guessed deletion hides the record while it is pending. The lists keep it.
    if (isOvertaken || issue === Number.POSITIVE_INFINITY) return pk;
    for (const [lists, { content }] of this.lists)
      for (const list of this.writes.get(lists)?.keys() ?? []) {
        const edit = (members: Members): Members =>
          without(members, (member) => leadsTo(content.of, member, table, pk));
        this.#note(lists, list, { issue: 0, kind: 'edit', edit });
      }
    return pk;
  }

  /** A list must not bring back records that were deleted after the list was requested. */
  #withoutDeleted({ content }: CollectionShape, members: Members, issue: number): Members {
    const isDeleted = ({ table, pk }: Ref): boolean =>
      (this.writes.get(table)?.get(pk) ?? []).some((one) => one.kind === 'gone' && one.issue > issue);
    return without(members, (member) => refsOf(content.of, member).some(isDeleted));
  }

  // ---- Reads

  row(table: string, pk: string): Row | Invalid | undefined {
    const writes = this.writes.get(table)?.get(pk) ?? [];
    if (writes.some((one) => one.kind === 'list')) return membersOf(writes);
    const merge = this.tables[table]?.merge;
    return merge === undefined ? latestOfEachField(writes) : mergedInTurn(writes, merge);
  }

  /** Returns all rows that readers see now, and which of them have no valid value. */
  visible(): VisibleState {
    const rows = new Map<string, Map<string, Row | Invalid>>();
    for (const [table, writes] of this.writes) {
      const visible = new Map<string, Row | Invalid>();
      for (const pk of writes.keys()) {
        const row = this.row(table, pk);
        if (row !== undefined) visible.set(pk, row);
      }
      rows.set(table, visible);
    }
    return new VisibleState(this.tables, this.lists, rows);
  }
}

/** For each field, the latest request wins. A deletion hides values that were requested before it. */
function latestOfEachField(writes: readonly RowWrite[]): Fields | Invalid | undefined {
  const fields = new Map<string, { issue: number; value: unknown }>();
  const gone = writes.reduce(
    (last, one, at) => (one.kind === 'gone' && one.issue >= (writes[last]?.issue ?? -1) ? at : last),
    -1,
  );
  const goneIssue = writes[gone]?.issue ?? -1;
  let alive = false;
  writes.forEach((one, at) => {
    if (one.kind !== 'put' || one.issue < goneIssue || (one.issue === goneIssue && at < gone)) return;
    alive = true;
    for (const [name, value] of Object.entries(one.row))
      if (one.issue >= (fields.get(name)?.issue ?? 0)) fields.set(name, { issue: one.issue, value });
  });
  if (!alive) return gone < 0 ? undefined : INVALID;
  return Object.fromEntries([...fields].map(([name, { value }]) => [name, value]));
}

/** A row of a class with its own `merge` is ordered as a whole: `merge` gets the earlier answer as the existing row. */
function mergedInTurn(
  writes: readonly RowWrite[],
  merge: (existing: Fields, incoming: Fields) => Fields,
): Fields | Invalid | undefined {
  let row: Fields | Invalid | undefined;
  let known = 0;
  for (const one of writes) {
    const isLate = one.issue < known;
    if (one.kind === 'gone' && !isLate) row = INVALID;
    if (one.kind === 'put') {
      if (row === undefined || (row === INVALID && !isLate)) row = one.row;
      else if (row !== INVALID) row = isLate ? merge(one.row, row) : merge(row, one.row);
    }
    known = Math.max(known, one.issue);
  }
  return row;
}

/** Returns the latest full list, with all edits that came after it. */
function membersOf(writes: readonly RowWrite[]): Members {
  let members: Members = [];
  let known = 0;
  for (const one of writes) {
    if (one.kind === 'list' && one.issue >= known) members = one.members;
    if (one.kind === 'edit') members = one.edit(members);
    known = Math.max(known, one.issue);
  }
  return members;
}

/** Returns whether a list gets new members that come with these arguments. */
function accepts(identity: Fields, args: readonly unknown[]): boolean {
  return Object.entries(identity).every(
    ([name, value]) =>
      name.startsWith('order') || args.some((arg) => String((arg as Fields | undefined)?.[name]) === value),
  );
}
