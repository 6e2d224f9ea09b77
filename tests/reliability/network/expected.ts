import { FIELDS, type Kind } from './server.ts';

type Fields = Readonly<Record<string, string>>;

interface Said {
  readonly value: string;
  readonly order: number;
}

interface Known {
  readonly fields: Map<string, Said>;
  /** The order of its deletion; 0 for none. */
  deleted: number;
}

interface List {
  readonly ids: readonly string[];
  /** The members that creates have added, with their places in the order of all requests. */
  readonly joined: ReadonlyMap<string, number>;
  readonly order: number;
  /** A member that may be missing, and when the mutation was issued that has shown it. */
  readonly unsure?: { readonly id: string; readonly asked: number };
}

/** A mutation that has not settled. */
export interface Pending {
  readonly kind: 'create' | 'change' | 'delete';
  readonly tag: string;
  /** In a create: the placeholder for the id that the server will assign. */
  readonly id: string;
  readonly body: Fields;
  /** Its place in the order of all requests. */
  asked?: number;
}

/** A record in a response. */
export interface Arrived {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** A list of todos: those of one user, or all. */
export const ALL = '';

/** The effect of the answered mutations of a record on one of its fields. */
interface Done {
  /** Of the mutations that edited the field: the one that was issued last, and the time of the last answer. */
  editIssue: number;
  editedAt: number;
  /** Of the mutations whose answers only mentioned the field: the one that was issued last. */
  mentionIssue: number;
}

/** The effect of mutations on one record. */
interface Past {
  readonly fields: Map<string, Done>;
  deletionIssue: number;
  deletedAt: number;
  /** The time of the last answer of one of its mutations. */
  landedAt: number;
}

/**
 * The data that one client must show in one session, computed again for every check. The values of a read are ordered by the time when it was
 * issued. The values of a mutation are ordered by the time of its answer, except where an overlapping mutation has precedence: see
 * `src/control/controller/overlaps.ts`.
 */
export class Expected {
  readonly #next: () => number;
  readonly #known = new Map<string, Known>();
  readonly #lists = new Map<string, List>();
  readonly pending: Pending[] = [];
  readonly #pasts = new Map<string, Past>();
  /** The owners of todos, as far as answers contained them. Lists do not. */
  readonly #owners = new Map<string, string>();
  /** The todos that were restored. A later list may lack one of them because it is older than the todo, or because the restored owner is wrong. */
  readonly #restored = new Set<string>();
  /** The todos whose deletion failed: the server may have carried it out. A list may lack one of them for this reason, until an edit of it is answered. */
  readonly #maybeDeleted = new Set<string>();
  /** The time of the last answer of a create. */
  #createdAt = 0;

  constructor(next: () => number) {
    this.#next = next;
  }

  // ---- Events

  record(kind: Kind, { id, ...fields }: Arrived, order: number): void {
    const known = this.#place(kind, id);
    if (order < known.deleted) return;
    known.deleted = 0;
    for (const name of FIELDS[kind]) {
      const value = fields[name];
      const before = known.fields.get(name);
      if (typeof value === 'string' && (before?.order ?? 0) <= order) known.fields.set(name, { value, order });
    }
    known.fields.set('id', { value: id, order });
    if (kind === 'todos' && typeof fields['userId'] === 'string') this.#owners.set(id, fields['userId']);
    const { author } = fields;
    if (typeof author === 'object' && author !== null) this.record('users', author as Arrived, order);
  }

  list(kind: Kind, name: string, records: readonly Arrived[], order: number): void {
    for (const record of records) this.record(kind, record, order);
    const key = `${kind}?${name}`;
    if ((this.#lists.get(key)?.order ?? 0) > order) return;
    const ids = records.map(({ id }) => id).filter((id) => this.#place(kind, id).deleted <= order);
    // The place of a pending create depends only on members that were created after it.
    const oldest = Math.min(...this.pending.map(({ asked = 0 }) => asked));
    const joined = [...(this.#lists.get(key)?.joined ?? [])].filter(([, asked]) => asked > oldest);
    this.#lists.set(key, { ids, joined: stillJoined(ids, new Map(joined)), order });
  }

  /** A mutation of todos was issued. */
  ask(pending: Pending): void {
    pending.asked = this.#next();
    this.pending.push(pending);
  }

  /**
   * A mutation of todos was answered. Returns whether another mutation of the same record overlapped it, or, for a create, another create, because
   * the two may have reached the server in either order.
   */
  landed(pending: Pending, record: Arrived): boolean {
    const at = this.pending.indexOf(pending);
    if (at < 0) return false;
    this.pending.splice(at, 1);
    const { asked = 0, kind } = pending;
    const id = kind === 'create' ? record.id : pending.id;
    const past = this.#past(id);
    const isOverlapped = past.landedAt > asked || (kind === 'create' && this.#createdAt > asked);
    const order = this.#next();
    past.landedAt = order;
    if (kind === 'create') this.#createdAt = order;
    if (kind === 'delete') this.#deleteOnce(id, past, asked, order);
    else if (past.deletedAt < asked || asked > past.deletionIssue) {
      const isOwnerNew = !this.#owners.has(id);
      this.record('todos', written(pending, record, past, order), order);
      const { userId } = record;
      if (kind === 'create') this.#join((key) => isMeant(key, pending.body), id, order, asked);
      // Its owner was unknown, and the list of its user did not contain it. Now it belongs to that list.
      else if (isOwnerNew && typeof userId === 'string') this.#join((key) => key === `todos?${userId}`, id, order);
      else if (this.#restored.has(id)) this.#doubt(`todos?${String(userId)}`, { id, asked });
      else if (this.#maybeDeleted.has(id))
        for (const of of [ALL, String(userId)]) this.#doubt(`todos?${of}`, { id, asked });
    }
    return isOverlapped;
  }

  #deleteOnce(id: string, past: Past, asked: number, order: number): void {
    const isOlder = [...past.fields.values()].some(({ editIssue }) => editIssue > asked);
    past.deletionIssue = Math.max(past.deletionIssue, asked);
    past.deletedAt = order;
    this.#delete('todos', id, isOlder ? asked : order);
  }

  #join(isMeantFor: (key: string) => boolean, id: string, order: number, asked?: number): void {
    for (const [key, { ids, joined, order: before }] of this.#lists) {
      if (!isMeantFor(key)) continue;
      const isNew = asked !== undefined && !ids.includes(id);
      this.#lists.set(key, {
        ids: ids.includes(id) ? ids : withMember(ids, joined, id, asked),
        joined: isNew ? new Map([...joined, [id, asked]]) : joined,
        order: Math.max(before, order),
      });
    }
  }

  /** It is unknown whether a list contains a todo. */
  #doubt(key: string, unsure: { readonly id: string; readonly asked: number }): void {
    const list = this.#lists.get(key);
    if (list !== undefined && !list.ids.includes(unsure.id)) this.#lists.set(key, { ...list, unsure });
  }

  #past(id: string): Past {
    const known = this.#pasts.get(id) ?? {
      fields: new Map<string, Done>(),
      deletionIssue: 0,
      deletedAt: 0,
      landedAt: 0,
    };
    this.#pasts.set(id, known);
    return known;
  }

  failed(pending: Pending): void {
    const at = this.pending.indexOf(pending);
    if (at >= 0) this.pending.splice(at, 1);
    if (pending.kind === 'delete') this.#maybeDeleted.add(pending.id);
  }

  /** Takes over the confirmed data of another client where this one has none. It is older than every answer. Returns the values. */
  fill(other: Expected): readonly string[] {
    const values: string[] = [];
    for (const [ref, { fields, deleted }] of other.#known) {
      const { fields: own, deleted: gone } = this.#known.get(ref) ?? { fields: new Map(), deleted: 0 };
      if (own.size > 0 || gone > 0 || (fields.size === 0 && deleted === 0)) continue;
      const old = [...fields].map(([name, { value }]) => [name, { value, order: 0 }] as const);
      values.push(...old.map(([, { value }]) => value));
      this.#known.set(ref, { fields: new Map(old), deleted: deleted === 0 ? 0 : 0.5 });
      const [kind, id = ''] = ref.split('/');
      const owner = kind === 'todos' ? other.#owners.get(id) : undefined;
      if (owner === undefined) continue;
      this.#owners.set(id, owner);
      this.#restored.add(id);
    }
    for (const [id, owner] of other.#owners) if (!this.#owners.has(id)) this.#owners.set(id, owner);
    for (const [key, { ids }] of other.#lists)
      if (!this.#lists.has(key)) this.#lists.set(key, { ids, joined: new Map(), order: 0 });
    return values;
  }

  /** A read was answered with 404. Data of the record that is newer than the read stays. If nothing is known of the record, nothing is noted. */
  missing(kind: Kind, id: string, order: number): void {
    const { fields } = this.#place(kind, id);
    if (fields.size > 0 && [...fields.values()].every((said) => said.order <= order)) this.#delete(kind, id, order);
  }

  #delete(kind: Kind, id: string, order: number): void {
    const known = this.#place(kind, id);
    if (Math.max(0, ...[...known.fields.values()].map((said) => said.order)) > order) {
      for (const [name, said] of known.fields) if (said.order <= order) known.fields.delete(name);
      return;
    }
    known.fields.clear();
    known.deleted = order;
    for (const [key, list] of this.#lists)
      if (key.startsWith(kind)) this.#lists.set(key, { ...list, ids: list.ids.filter((one) => one !== id) });
  }

  #place(kind: Kind, id: string): Known {
    const ref = `${kind}/${id}`;
    const known = this.#known.get(ref) ?? { fields: new Map<string, Said>(), deleted: 0 };
    this.#known.set(ref, known);
    return known;
  }

  // ---- Expected data

  *refs(): Generator<readonly [kind: Kind, id: string]> {
    for (const ref of this.#known.keys()) {
      const [kind, id] = ref.split('/') as [Kind, string];
      yield [kind, id];
    }
  }

  /** The fields to show, with pending mutations. `undefined` if there is no record. */
  show(kind: Kind, id: string): Record<string, string> | undefined {
    const { fields } = this.#known.get(`${kind}/${id}`) ?? { fields: new Map<string, Said>() };
    let shown: Record<string, string> | undefined =
      fields.size === 0 ? undefined : Object.fromEntries([...fields].map(([name, { value }]) => [name, value]));
    if (kind !== 'todos') return shown;
    for (const one of this.pending) {
      if (one.id !== id) continue;
      if (one.kind === 'delete') shown = undefined;
      else if (shown !== undefined)
        for (const [name, value] of Object.entries(one.body))
          if ((this.#pasts.get(id)?.fields.get(name)?.editIssue ?? 0) < (one.asked ?? 0)) shown[name] = value;
    }
    return shown;
  }

  /**
   * The ids of a list, or the titles of todos that are still being created. `undefined` before the first list has arrived. `has`: the ids that the client
   * shows, which are accepted where both results are allowed.
   */
  showList(kind: Kind, name: string, has: ReadonlySet<string>): readonly string[] | undefined {
    const list = this.#lists.get(`${kind}?${name}`);
    if (list === undefined) return undefined;
    const { unsure } = list;
    const isThere = unsure !== undefined && has.has(unsure.id);
    const joined = isThere ? new Map([...list.joined, [unsure.id, unsure.asked]]) : list.joined;
    const ids = isThere ? withMember(list.ids, list.joined, unsure.id, unsure.asked) : list.ids;
    const shown = ids.filter((id) => this.show(kind, id) !== undefined);
    return this.pending
      .filter((one) => one.kind === 'create' && isMeant(`${kind}?${name}`, one.body))
      .reduce<readonly string[]>((all, { asked, tag }) => withMember(all, joined, tag, asked), shown);
  }
}

/** The created members of a list that was read: none if the server has them in another order, or not at the end. */
function stillJoined(ids: readonly string[], joined: List['joined']): List['joined'] {
  const inOrder = [...joined.keys()]
    .filter((id) => ids.includes(id))
    .sort((one, other) => (joined.get(one) ?? 0) - (joined.get(other) ?? 0));
  const last = ids.slice(ids.length - inOrder.length);
  return last.every((id, at) => id === inOrder[at]) ? joined : new Map();
}

/** Adds a created record to a list: before those that were created later, and otherwise at the end. */
function withMember(
  ids: readonly string[],
  joined: List['joined'],
  id: string,
  asked: number = Number.POSITIVE_INFINITY,
): readonly string[] {
  const at = ids.findIndex((one) => (joined.get(one) ?? 0) > asked);
  return at < 0 ? [...ids, id] : ids.toSpliced(at, 0, id);
}

/** The fields to take from the answer of an update or a create. */
function written({ kind, body, asked = 0 }: Pending, record: Arrived, { fields }: Past, at: number): Arrived {
  const counts = ([name]: readonly [string, unknown]): boolean => {
    const done = fields.get(name) ?? { editIssue: 0, editedAt: 0, mentionIssue: 0 };
    fields.set(name, done);
    const isEdit = kind === 'change' && Object.hasOwn(body, name);
    const isWritten = isEdit ? done.editIssue < asked : done.editedAt < asked && done.mentionIssue < asked;
    if (!isEdit) done.mentionIssue = Math.max(done.mentionIssue, asked);
    else if (isWritten) Object.assign(done, { editIssue: asked, editedAt: at });
    return isWritten;
  };
  return { id: record.id, ...Object.fromEntries(Object.entries(record).filter(counts)) };
}

function isMeant(key: string, body: Fields): boolean {
  return key === `todos?${ALL}` || key === `todos?${body['userId']}`;
}
