import { isSort } from './argument-names.ts';
import { type EntityInterface, isEntity } from './entity.ts';
import { isObject } from './fields.ts';
import type { Candidate, Following } from './list-rules.ts';
import type { NormalizeDelegate, RecordChange, Row, TableRef } from './schema.ts';

/** Whether rules of a collection can look at other records than its members. */
function hasRules({ orderBy, where }: Following): boolean {
  return orderBy !== undefined || Object.values(where).some((rule) => typeof rule === 'function');
}

/** The tables of the records that the rules of a collection can come to from its members. */
export function tablesBehind(of: Following): ReadonlySet<string> {
  const tables = new Set<string>();
  const met = new Set<unknown>();
  const visit = (schema: unknown): void => {
    if (Object(schema) !== schema || met.has(schema)) return;
    met.add(schema);
    const { key, schema: inner } = schema as { readonly key?: unknown; readonly schema?: unknown };
    if (typeof key === 'string') tables.add(key);
    if (isEntity(schema)) Object.values(schema.schema).forEach(visit);
    else if (inner !== undefined) visit(inner);
    else if (isObject(schema)) Object.values(schema).forEach(visit);
  };
  if (hasRules(of)) for (const entity of entitiesOf(of)) Object.values(entity.schema).forEach(visit);
  return tables;
}

/** The classes of the members, each with the name of its kind: lists of anything but records follow nothing. */
export function kindsOf({
  schema,
}: Following): readonly (readonly [name: string | undefined, entity: EntityInterface])[] {
  return schema.kinds.entries() as readonly (readonly [string | undefined, EntityInterface])[];
}

/** The classes of the members. */
export function entitiesOf(of: Following): readonly EntityInterface[] {
  return kindsOf(of).map(([, entity]) => entity);
}

/** Which members of lists the rules have come from to other records. */
export class Related {
  /** The ways to sort for which `#seen` holds. */
  readonly #sorts: string;
  /** The rows of members that were looked at. */
  readonly #seen = new WeakSet<Row>();
  /** By table and field: the arguments whose rules have looked there. */
  readonly #arguments = new Map<string, Set<string>>();
  readonly #members = new Map<string, Map<string, TableRef>>();

  constructor(sorts: string) {
    this.#sorts = sorts;
  }

  /** What the rules have met, all members looked at. */
  static in(of: Following, delegate: NormalizeDelegate, candidateOf: (member: TableRef) => Candidate): Related {
    const notes = delegate.notes(of.key);
    const sorts = sortsOf(of, delegate);
    const text = JSON.stringify(sorts);
    const known = notes.get('related');
    const related = known instanceof Related && known.#sorts === text ? known : new Related(text);
    notes.set('related', related);
    for (const { key: table } of entitiesOf(of))
      for (const [pk, row] of delegate.getEntities(table)) {
        if (!isObject(row) || related.#seen.has(row)) continue;
        related.#seen.add(row);
        const candidate = candidateOf({ table, pk });
        candidate.runAll(sorts);
        related.note({ table, pk }, candidate);
      }
    return related;
  }

  note(member: TableRef, { looks, related }: Candidate): void {
    for (const { argument, field = '', table } of looks) {
      const place = `${table} ${field}`;
      this.#arguments.set(place, (this.#arguments.get(place) ?? new Set()).add(argument));
    }
    for (const ref of related.keys()) {
      const known = this.#members.get(ref) ?? new Map<string, TableRef>();
      this.#members.set(ref, known.set(`${member.table} ${member.pk}`, member));
    }
  }

  /** The arguments whose rules look at what has changed. */
  argumentsOf(changes: readonly RecordChange[]): ReadonlySet<string> {
    const found = new Set<string>();
    for (const { after = {}, before = {}, table } of changes)
      for (const field of ['', ...Object.keys({ ...before, ...after })])
        if (field === '' || Reflect.get(before, field) !== Reflect.get(after, field))
          for (const name of this.#arguments.get(`${table} ${field}`) ?? []) found.add(name);
    return found;
  }

  /** The members that depend on any of these records. */
  membersOf(records: readonly TableRef[]): Iterable<TableRef> {
    const found = new Map<string, TableRef>();
    for (const { table, pk } of records)
      for (const [name, member] of this.#members.get(`${table} ${pk}`) ?? []) found.set(name, member);
    return found.values();
  }
}

/** The keys by which an order can tell lists apart, of lists that are stored: what they have that sorts. */
function sortsOf(
  { key, orderBy }: Following,
  delegate: NormalizeDelegate,
): readonly Readonly<Record<string, unknown>>[] {
  if (orderBy === undefined) return [];
  if (orderBy.length < 3) return [{}];
  const found = new Map<string, Readonly<Record<string, unknown>>>();
  for (const { args } of delegate.getCollections(key)) {
    const sorts = Object.fromEntries(Object.entries(args).filter(([name]) => isSort(name)));
    found.set(JSON.stringify(sorts), sorts);
  }
  return [...found.values()];
}
