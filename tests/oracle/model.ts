import { INVALID, type Invalid } from '../../src/define/schema/schema.ts';
import { VisibleState, type Row } from './visible-state.ts';
import { type Edit, type Members, edited, leadsTo, without } from './members.ts';
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

/** One thing that was ever said about one row, by a request of the given issue. */
type Said =
  | { readonly issue: number; readonly kind: 'put'; readonly row: Fields }
  | { readonly issue: number; readonly kind: 'gone' }
  | { readonly issue: number; readonly kind: 'list'; readonly members: Members }
  | { readonly issue: number; readonly kind: 'edit'; readonly edit: (members: Members) => Members };

/** What is written: a response of a shape, items added to or taken from lists, or a deletion. */
export type Write =
  | { readonly kind: 'response'; readonly shape: Shape; readonly input: unknown; readonly args: readonly unknown[] }
  | {
      readonly kind: Edit;
      readonly shape: CollectionShape;
      readonly input: unknown;
      readonly args: readonly unknown[];
    }
  | { readonly kind: 'delete'; readonly table: string; readonly pk: string };

/**
 * The truth about a store, slow and plain: everything ever said is kept in the order in which it landed, and what
 * readers may see is worked out from it again at every question. Pending guesses are made again each time.
 */
export class Model {
  readonly tables: Tables;
  readonly lists: Lists;
  /** By table, then pk. */
  readonly said = new Map<string, Map<string, readonly Said[]>>();
  results = new Map<string, { issue: number; stored: unknown }>();

  constructor(tables: Tables, lists: Lists) {
    this.tables = tables;
    this.lists = lists;
  }

  /** A copy that goes its own way. */
  copy(): Model {
    const copy = new Model(this.tables, this.lists);
    for (const [table, rows] of this.said) copy.said.set(table, new Map(rows));
    copy.results = new Map(this.results);
    return copy;
  }

  /** Everything that can be seen, as if it had been said at once and long ago. */
  flat(): Model {
    const flat = new Model(this.tables, this.lists);
    for (const [table, rows] of this.said)
      for (const pk of rows.keys()) {
        const row = this.row(table, pk);
        if (row === INVALID) flat.#say(table, pk, { issue: 0, kind: 'gone' });
        else if (this.lists.has(table)) flat.#say(table, pk, { issue: 0, kind: 'list', members: row as Members });
        else if (row !== undefined)
          flat.#say(table, pk, { issue: 0, kind: 'put', row: JSON.parse(JSON.stringify(row)) as Fields });
      }
    for (const [key, { stored }] of this.results) flat.results.set(key, { issue: 0, stored });
    return flat;
  }

  *refs(): Generator<Ref> {
    for (const [table, rows] of this.said) for (const pk of [...rows.keys()]) yield new Ref(table, pk);
  }

  /** Forgets that there ever was such a row. Gives the issue of its last deletion. */
  forget({ table, pk }: Ref): number {
    const rows = this.said.get(table);
    const said = rows?.get(pk) ?? [];
    rows?.delete(pk);
    return Math.max(0, ...said.filter((one) => one.kind === 'gone').map(({ issue }) => issue));
  }

  // ---- What is said

  write(write: Write, issue: number): unknown {
    if (write.kind === 'delete') return this.#remove(write.table, write.pk, issue);
    const { shape, input, args } = write;
    if (write.kind === 'response') return this.#file(shape, input, args[0] as Fields | undefined, args, issue, false);
    return this.#editLists(write.kind, shape as CollectionShape, input, args, issue);
  }

  answer(key: string, stored: unknown, issue: number): void {
    if (issue >= (this.results.get(key)?.issue ?? 0)) this.results.set(key, { issue, stored });
  }

  #say(table: string, pk: string, said: Said): void {
    const rows = this.said.get(table) ?? new Map<string, readonly Said[]>();
    this.said.set(table, rows.set(pk, [...(rows.get(pk) ?? []), said]));
  }

  /** Says what `input` says, nested records first; gives what stays in its place. */
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
        return typeof input === 'object' ? this.#fileRecord(shape.table, input as Fields, args, issue) : String(input);
      case 'union': {
        const type = (input as Fields)['type'] as string;
        return { id: this.#fileRecord(shape.tables[type] as string, input as Fields, args, issue), schema: type };
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
        this.#say(shape.lists, pk, { issue, kind: 'list', members: this.#withoutDeleted(shape, members, issue) });
        return pk;
      }
    }
  }

  #fileRecord(table: string, input: Fields, args: readonly unknown[], issue: number): string {
    const { fields, process } = this.tables[table] as TableShape;
    const processed = process === undefined ? { ...input } : process(input);
    if (processed === undefined) return this.#remove(table, String(input['id']), issue);
    // A guess can be a part of what is there: what process() makes of the fields that it leaves out, it does not say.
    const known = this.row(table, String(processed['id']));
    const isPart =
      process !== undefined && issue === Number.POSITIVE_INFINITY && known !== undefined && known !== INVALID;
    const isSaid = ([name, value]: readonly [string, unknown]): boolean => value !== undefined || name in input;
    const record = isPart ? Object.fromEntries(Object.entries(processed).filter(isSaid)) : processed;
    const row = mapFields(record, (value, name) => {
      const inner = fields[name];
      return inner === undefined ? value : this.#file(inner, value, record, args, issue, true);
    });
    const pk = String(record['id']);
    this.#say(table, pk, { issue, kind: 'put', row });
    return pk;
  }

  #editLists(kind: Edit, shape: CollectionShape, input: unknown, args: readonly unknown[], issue: number): unknown {
    const { content, lists } = shape;
    const file = (one: unknown): unknown =>
      this.#file(content.of, one, args[0] as Fields | undefined, args, issue, false);
    const isMap = content.kind === 'map';
    const stored = isMap ? mapFields(input as Fields, file) : Array.isArray(input) ? input.map(file) : file(input);
    const incoming = isMap ? (stored as Fields) : [stored].flat();
    for (const [pk] of this.said.get(lists) ?? []) {
      const row = this.row(lists, pk);
      if (row === undefined || row === INVALID || !accepts(JSON.parse(pk) as Fields, args)) continue;
      this.#say(lists, pk, { issue, kind: 'edit', edit: (members) => edited(members, kind, incoming) });
    }
    return stored;
  }

  #remove(table: string, pk: string, issue: number): string {
    const isOvertaken =
      this.said
        .get(table)
        ?.get(pk)
        ?.some((one) => one.issue > issue) === true;
    this.#say(table, pk, { issue, kind: 'gone' });
    // A guessed deletion hides the record for as long as it is pending; the lists are as confirmed.
    if (isOvertaken || issue === Number.POSITIVE_INFINITY) return pk;
    for (const [lists, { content }] of this.lists)
      for (const list of this.said.get(lists)?.keys() ?? []) {
        const edit = (members: Members): Members =>
          without(members, (member) => leadsTo(content.of, member, table, pk));
        this.#say(lists, list, { issue: 0, kind: 'edit', edit });
      }
    return pk;
  }

  /** A list cannot bring back what was deleted after it was asked for. */
  #withoutDeleted({ content }: CollectionShape, members: Members, issue: number): Members {
    const isDeleted = ({ table, pk }: Ref): boolean =>
      (this.said.get(table)?.get(pk) ?? []).some((one) => one.kind === 'gone' && one.issue > issue);
    return without(members, (member) => refsOf(content.of, member).some(isDeleted));
  }

  // ---- What readers may see

  row(table: string, pk: string): Row | Invalid | undefined {
    const said = this.said.get(table)?.get(pk) ?? [];
    if (said.some((one) => one.kind === 'list')) return membersOf(said);
    const merge = this.tables[table]?.merge;
    return merge === undefined ? latestOfEachField(said) : mergedInTurn(said, merge);
  }

  /** All there is to see now: rows, and which of them have no valid value. */
  visible(): VisibleState {
    const rows = new Map<string, Map<string, Row | Invalid>>();
    for (const [table, said] of this.said) {
      const visible = new Map<string, Row | Invalid>();
      for (const pk of said.keys()) {
        const row = this.row(table, pk);
        if (row !== undefined) visible.set(pk, row);
      }
      rows.set(table, visible);
    }
    return new VisibleState(this.tables, this.lists, rows);
  }
}

/** The later request wins each field; a deletion hides what was asked for before it. */
function latestOfEachField(said: readonly Said[]): Fields | Invalid | undefined {
  const fields = new Map<string, { issue: number; value: unknown }>();
  const gone = said.reduce(
    (last, one, at) => (one.kind === 'gone' && one.issue >= (said[last]?.issue ?? -1) ? at : last),
    -1,
  );
  const goneIssue = said[gone]?.issue ?? -1;
  let alive = false;
  said.forEach((one, at) => {
    if (one.kind !== 'put' || one.issue < goneIssue || (one.issue === goneIssue && at < gone)) return;
    alive = true;
    for (const [name, value] of Object.entries(one.row))
      if (one.issue >= (fields.get(name)?.issue ?? 0)) fields.set(name, { issue: one.issue, value });
  });
  if (!alive) return gone < 0 ? undefined : INVALID;
  return Object.fromEntries([...fields].map(([name, { value }]) => [name, value]));
}

/** With a `merge` of its own a row is ordered as a whole: an earlier answer goes under the later one. */
function mergedInTurn(
  said: readonly Said[],
  merge: (existing: Fields, incoming: Fields) => Fields,
): Fields | Invalid | undefined {
  let row: Fields | Invalid | undefined;
  let known = 0;
  for (const one of said) {
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

/** The latest full list, and what was added and taken away since it landed. */
function membersOf(said: readonly Said[]): Members {
  let members: Members = [];
  let known = 0;
  for (const one of said) {
    if (one.kind === 'list' && one.issue >= known) members = one.members;
    if (one.kind === 'edit') members = one.edit(members);
    known = Math.max(known, one.issue);
  }
  return members;
}

/** Whether a list takes new items that come with these arguments. */
function accepts(identity: Fields, args: readonly unknown[]): boolean {
  return Object.entries(identity).every(
    ([name, value]) =>
      name.startsWith('order') || args.some((arg) => String((arg as Fields | undefined)?.[name]) === value),
  );
}
