import { keyOf, temporaryPksOf } from '../../src/define/schema/key-of.ts';
import { Entity } from '../../src/define/schema/entity.ts';
import { All } from '../../src/define/schema/all.ts';
import { dehydrate } from '../../src/state/hydrate/dehydrate.ts';
import type { Dehydrated } from '../../src/state/hydrate/dehydrated.ts';
import { hydrate } from '../../src/state/hydrate/hydrate.ts';
import { addGuess, type Layer } from '../../src/state/store/layer.ts';
import type { SnapshotReader } from '../../src/state/store/snapshot.ts';
import { takeSnapshot } from '../../src/state/store/store-snapshot.ts';
import { Store } from '../../src/state/store/store.ts';
import { Random } from '../oracle/random.ts';
import { arg } from '../../src/define/query/argument.ts';
import { from } from '../../src/state/query/live-query.ts';
import { casesOf } from './cases.ts';
import { type Model, newModel, type Post, type User } from './model.ts';
import { byNoTitleThenVotes, type Case, draftsOf, ofAuthor, recordIn, sorted, type Tables } from './naive.ts';

const IDS = ['1', '2', '3', '4', '5', '6', '7', '8'];
const USERS = ['u1', 'u2', 'u3'];
const POINTS = [0, -0, 1, 2, 2.5, 1n, 2n, 3n, '1', '2', '', true, false, null, Number.NaN, Infinity, -Infinity];

/** The classes of one version of an application, and readers of its queries, some of which read seldom. */
class Version {
  readonly model: Model;
  readonly cases: readonly Case[];
  readonly last: Map<Case, Read> = new Map();
  readonly notifications: Map<Case, number> = new Map();
  /** The users of the last check, with everything that they show. */
  readonly users: Map<string, readonly [user: User, shown: string]> = new Map();
  readonly #stops: (() => void)[] = [];

  /** A history reads half of all cases, and watches half of these, so chance decides which of them share a source. */
  constructor(store: Store, random: Random, isFirst: boolean) {
    this.model = newModel(isFirst || random.chance(0.5));
    this.cases = casesOf(this.model).filter(() => random.chance(0.5));
    for (const one of this.cases) if (random.chance(0.5)) this.#watch(store, one);
  }

  #watch(store: Store, one: Case): void {
    this.notifications.set(one, 0);
    const view = store.query(one.query as never, one.args as never);
    this.#stops.push(view.subscribe(() => this.notifications.set(one, (this.notifications.get(one) ?? 0) + 1)));
  }

  /** Values that are built from now on are other objects. */
  forget(): void {
    this.last.clear();
    this.users.clear();
  }

  end(): void {
    for (const stop of this.#stops) stop();
  }
}

/** A store that is changed at random. */
export class History {
  readonly store = new Store({ now: () => this.#now });
  readonly log: string[] = [];
  #now = 0;
  readonly #random: Random;
  readonly #layers: Layer[] = [];
  readonly #creates: Layer[] = [];
  readonly #userCreates: Layer[] = [];
  /** The temporary pks of users. Records may refer to a user by one after the server has assigned another pk. */
  readonly #temporaryUsers: string[] = [];
  /** Snapshots, with what the watched queries showed when they were taken. */
  readonly #snapshots: (readonly [snapshot: SnapshotReader, shown: ReadonlyMap<Case, string>])[] = [];
  /** Records that were read, from which later pages begin: each keeps the place that it had. */
  readonly #cursors: Post[] = [];
  /** A fault that was found inside a batch. */
  #wrongInside: string | undefined = undefined;
  /** An earlier state of the store. */
  #kept: Dehydrated | undefined = undefined;
  /** The present version of the classes, and the former one, whose readers stay for a while. */
  #versions: readonly Version[];

  constructor(seed: number) {
    this.#random = new Random(seed);
    this.#versions = [new Version(this.store, this.#random, true)];
  }

  /** The classes of a version: requests of a former one may be answered late. */
  get #model(): Model {
    return this.#random.pick(this.#versions).model;
  }

  step(): void {
    const what = this.#random.weighted({
      write: 8,
      part: 8,
      user: 3,
      remove: 2,
      guess: 3,
      settle: 3,
      reset: 0.2,
      collect: 0.5,
      batch: 1,
      undone: 1,
      comment: 3,
      remark: 1,
      list: 1,
      create: 1.5,
      confirm: 1.5,
      createUser: 3,
      confirmUser: 3,
      snapshot: 1,
      keep: 0.5,
      hydrate: 0.5,
      grade: 2,
      reload: 0.8,
      schema: 0.2,
    });
    this.log.push(what);
    this.#do(what);
  }

  #do(what: string): void {
    const random = this.#random;
    const { Post, Posts, Remark, User } = this.#model;
    switch (what) {
      case 'write':
        return void this.store.write(
          [Post],
          Array.from({ length: 1 + random.below(3) }, () => this.#post()),
        );
      case 'part':
        return void this.store.write(Post, this.#part());
      case 'user':
        return void this.store.write(User, {
          id: random.pick(USERS),
          [random.pick(['name', 'team'])]: random.pick(['red', 'blue', 'a', 'b']),
        });
      case 'comment':
        return this.#comment();
      case 'remark':
        return this.#remark(Remark);
      case 'grade':
        return this.#grade();
      case 'list':
        return void (random.chance(0.5)
          ? this.store.write(Posts.push, this.#post(), { args: [{}] })
          : this.store.write(
              Posts,
              Array.from({ length: random.below(6) }, () => this.#post()),
              { args: [{}] },
            ));
      case 'remove':
        return random.chance(0.8)
          ? this.store.invalidate(Post, random.pick(IDS))
          : this.store.invalidate(User, random.pick(USERS));
      case 'guess': {
        const response = random.chance(0.7) ? this.#part() : this.#post();
        this.#layers.push(addGuess(this.store, () => ({ schema: Post, response, args: [] })));
        return;
      }
      case 'settle':
        return this.#layers.splice(random.below(this.#layers.length + 1), 1)[0]?.drop();
      case 'create':
        return this.#create();
      case 'confirm':
        return this.#confirm();
      case 'createUser':
        return this.#createUser();
      case 'confirmUser':
        return this.#confirmUser();
      case 'snapshot':
        return this.#takeSnapshot();
      case 'keep':
        this.#kept = structuredClone(dehydrate(this.store));
        return;
      case 'hydrate':
        if (this.#kept !== undefined) hydrate(this.store, structuredClone(this.#kept));
        return;
      case 'reset':
        // No query has a value until something is known again.
        for (const version of this.#versions) version.forget();
        return this.store.reset();
      case 'collect':
        this.#now += 1_000_000;
        this.#forgetUnobserved();
        return void Array.from(this.store.collect());
      case 'reload':
        return this.#reload();
      case 'schema':
        User.schema = { ...User.schema };
        // The store looks at the new schema when it uses it.
        this.store.write(User, { id: 'u1', name: 'a' });
        for (const version of this.#versions) version.forget();
        return;
      case 'undone':
        return this.#undone();
      default:
        return this.store.batch(() => this.#several(['settle']));
    }
  }

  /** Several steps, with reads between them. */
  #several(others: readonly string[]): void {
    const random = this.#random;
    for (let left = 1 + random.below(4); left > 0; left--) {
      this.#do(random.pick(['write', 'part', 'user', 'remove', 'comment', 'list', 'grade', ...others]));
      if (random.chance(0.2)) this.#wrongInside ??= this.#checkVersions();
    }
  }

  /** A batch that throws. Everything is as before, and values that were read meanwhile are other objects. */
  #undone(): void {
    const undo = new Error('undo');
    try {
      this.store.batch(() => {
        this.#several([]);
        throw undo;
      });
    } catch (error) {
      if (error !== undo) throw error;
    }
    for (const version of this.#versions) version.forget();
  }

  /** Queries without observers are collected, and made again when they are read. */
  #forgetUnobserved(): void {
    for (const { last, notifications, users } of this.#versions) {
      for (const one of last.keys()) if (!notifications.has(one)) last.delete(one);
      users.clear();
    }
  }

  /** Every class is replaced by a new one with the same key. */
  #reload(): void {
    const [latest, ...others] = this.#versions;
    for (const version of others) version.end();
    this.#versions = [new Version(this.store, this.#random, false), latest as Version];
  }

  /** Guesses a record without a pk, which gets a temporary one. */
  #create(): void {
    const { id: _, ...response } = this.#post() as Record<string, unknown>;
    const { Posts } = this.#model;
    this.#creates.push(addGuess(this.store, () => ({ schema: Posts.push, response, args: [{}] })));
  }

  /** The server answers with a pk of its own, which may be known already, or refuses. */
  #confirm(): void {
    const random = this.#random;
    const [layer] = this.#creates.splice(random.below(this.#creates.length + 1), 1);
    if (random.chance(0.2)) return layer?.drop();
    const { Posts } = this.#model;
    const id = random.pick([...IDS, '9', '10']);
    // A known record gets another name, and its relations are looked up again.
    if (this.store.row('Post', id) !== undefined) for (const version of this.#versions) version.forget();
    layer?.confirm(Posts.push, { ...this.#post(), id }, { args: [{}] });
  }

  #createUser(): void {
    const { Users } = this.#model;
    const response = { name: this.#random.pick(['a', 'b']) };
    const layer = addGuess(this.store, () => ({ schema: Users.push, response, args: [{}] }));
    this.#userCreates.push(layer);
    const pks = layer.created.map(({ pk }) => pk);
    this.#temporaryUsers.push(...pks);
    const { Comment } = this.#model;
    // Other records may refer to it before it is answered.
    const referring = IDS.filter(() => this.#random.chance(0.2));
    this.store.write(
      [Comment],
      referring.map((id) => ({ id, userId: pks[0] })),
    );
  }

  #confirmUser(): void {
    const random = this.#random;
    const [layer] = this.#userCreates.splice(random.below(this.#userCreates.length + 1), 1);
    if (random.chance(0.2)) return layer?.drop();
    const id = random.pick([...USERS, 'u9']);
    if (this.store.row('User', id) !== undefined) for (const version of this.#versions) version.forget();
    layer?.confirm(this.#model.Users.push, { id, name: random.pick(['a', 'c']) }, { args: [{}] });
  }

  #takeSnapshot(): void {
    if (this.#snapshots.length > 2) this.#snapshots.shift();
    const shown = new Map<Case, string>();
    for (const { cases, notifications } of this.#versions)
      for (const one of cases) {
        if (!notifications.has(one)) continue;
        const known = outcomeOf(() => this.store.get(one.query as never, ...(one.args as never)));
        if (known !== undefined) shown.set(one, show(known));
      }
    this.#snapshots.push([takeSnapshot(this.store), shown]);
  }

  /** A snapshot shows what the store showed when it was taken. */
  #checkSnapshots(): string | undefined {
    for (const [snapshot, shown] of this.#snapshots)
      for (const [one, due] of shown) {
        if (!this.#random.chance(0.2)) continue;
        const known = show(outcomeOf(() => snapshot.get(one.query as never, ...(one.args as never))));
        if (known !== due) return `snapshot (${one.naive.toString()}; ${show(one.args)}): ${known} instead of ${due}`;
      }
    return undefined;
  }

  #comment(): void {
    const random = this.#random;
    const { Comment } = this.#model;
    const id = random.pick(IDS);
    if (random.chance(0.15)) return this.store.invalidate(Comment, id);
    const whole: Record<string, unknown> = {
      postId: random.pick(IDS),
      userId: random.pick([...USERS, ...this.#temporaryUsers.slice(-2)]),
      parentId: random.pick([...IDS, null]),
      likes: random.below(5),
    };
    const field = random.pick(Object.keys(whole));
    this.store.write(Comment, random.chance(0.6) ? { id, ...whole } : { id, [field]: whole[field] });
  }

  #remark(Remark: Model['Remark']): void {
    const random = this.#random;
    const isOfUser = random.chance(0.5);
    this.store.write(Remark, {
      id: random.pick(IDS),
      ...(random.chance(0.7) && {
        about: random.pick([{ id: random.pick(IDS), title: 'x' }, { id: random.pick(USERS), name: 'a' }, null]),
      }),
      ...(random.chance(0.7) && {
        kind: isOfUser ? 'user' : random.pick(['post', 'none']),
        subjectId: isOfUser ? random.pick(USERS) : random.pick(IDS),
      }),
    });
  }

  #grade(): void {
    const random = this.#random;
    const { Grade } = this.#model;
    const [postId, userId] = [random.pick(IDS.slice(0, 3)), random.pick(USERS)];
    if (random.chance(0.15)) return this.store.invalidate(Grade, `${postId},${userId}`);
    this.store.write(Grade, { postId, userId, ...(random.chance(0.9) && { points: random.pick(POINTS) }) });
  }

  #post(): object {
    const random = this.#random;
    return {
      id: random.pick(IDS),
      title: random.pick(['x', 'y', null]),
      votes: random.below(10),
      isDraft: random.chance(0.3),
      date: random.pick(['2026-01-01', '2026-02-01', 'unknown', null]),
      author: random.pick([
        ...USERS,
        ...this.#temporaryUsers.slice(-2),
        { id: random.pick(USERS), name: random.pick(['a', 'b', 'c']) },
        null,
      ]),
      tags: random.pick([[], ['t1'], ['t1', 't2'], [{ id: 't2', label: 'l' }]]),
    };
  }

  #part(): object {
    const whole = this.#post() as Record<string, unknown>;
    const field = this.#random.pick(['title', 'votes', 'isDraft', 'author', 'tags', 'date']);
    return { id: whole['id'], [field]: whole[field] };
  }

  /** The fault, if there is one. */
  check(): string | undefined {
    const inside = this.#wrongInside && `in a batch: ${this.#wrongInside}`;
    const wrong = inside ?? this.#checkVersions() ?? this.#checkSnapshots();
    return wrong && `${wrong}, after ${this.log.join(' ')}`;
  }

  #checkVersions(): string | undefined {
    for (const version of this.#versions) {
      const tables = this.#tables(version.model);
      const wrong =
        this.#checkUsers(version, tables) ?? this.#checkCases(version, tables) ?? this.#checkPages(version, tables);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  }

  #tables({ Comment, Grade, Post, Posts, Remark, Tag, User }: Model): Tables {
    const { store } = this;
    return {
      posts: store.get(new All(Post)) ?? [],
      users: store.get(new All(User)) ?? [],
      comments: store.get(new All(Comment)) ?? [],
      tags: store.get(new All(Tag)) ?? [],
      remarks: store.get(new All(Remark)) ?? [],
      grades: store.get(new All(Grade)) ?? [],
      listed: store.get(Posts, {}) ?? [],
      refs: (post) => {
        const { author = null, tags = [] } = store.row('Post', post.id) as { author?: string | null; tags?: string[] };
        return { author: author === null ? null : store.pkOf('User', author), tags };
      },
      userOf: ({ userId }) => store.pkOf('User', userId),
      aboutOf: ({ id }) => {
        const { about } = store.row('Remark', id) as { about?: { schema: string; id: string } | null };
        return about ? `${about.schema} ${about.id}` : undefined;
      },
    };
  }

  #checkCases({ cases, last, notifications }: Version, tables: Tables): string | undefined {
    for (const [at, one] of cases.entries()) {
      // Watched queries are read at every commit, the others after some of the commits.
      if (!notifications.has(one) && this.#random.chance(0.3)) continue;
      const known = outcomeOf(() => this.store.get(one.query as never, ...(one.args as never)));
      // No such record is stored yet, or any more.
      if (known === undefined && tables[one.of].length === 0) {
        last.delete(one);
        continue;
      }
      const due = outcomeOf(() => one.naive(tables));
      const former = last.get(one);
      last.set(one, { known, due });
      const wrong = differenceOf(known, due) ?? (former && identityOf(former, { known, due }));
      if (wrong !== undefined)
        return `query ${at} (${one.naive.toString()}; ${show(one.args)}; watched: ${notifications.has(one)}): ${wrong}`;
    }
    return undefined;
  }

  /** Reads a list page by page: each begins after the last record of the one before. */
  #checkPages({ model: { Post } }: Version, tables: Tables): string | undefined {
    if (!this.#random.chance(0.2) || tables.posts.length === 0) return undefined;
    const size = 1 + this.#random.below(3);
    const page = from(Post)
      .orderBy('title', { nulls: 'first' })
      .orderBy('votes', 'desc')
      .after(arg('last'))
      .limit(size);
    const read: Post[] = [];
    for (let last: Post | undefined; read.length <= tables.posts.length;) {
      const next = this.store.get(page, { last }) ?? [];
      read.push(...next);
      if (next.length < size) break;
      last = next.at(-1);
    }
    const wrong = differenceOf(read, sorted(tables, byNoTitleThenVotes)) ?? this.#checkCursor(page, tables, size);
    this.#cursors.push(...read.filter(() => this.#random.chance(0.1)));
    return wrong && `pages of ${size}: ${wrong}`;
  }

  /** Reads a page after a record that was read before, and that may have changed or left since. */
  #checkCursor(page: object, tables: Tables, size: number): string | undefined {
    const last = this.#cursors.at(-1 - this.#random.below(5));
    if (last === undefined) return undefined;
    // The place of a created record is that of the pk which the server has given it.
    const place = Object.create(last, { id: { value: this.store.pkOf('Post', last.id) } }) as Post;
    const due = sorted(tables, byNoTitleThenVotes).filter((post) => byNoTitleThenVotes(place, post) < 0);
    const wrong = differenceOf(this.store.get(page as never, ...([{ last }] as never)), due.slice(0, size));
    return wrong && `a page after ${show(last)}: ${wrong}`;
  }

  /** Checks that relations in schemas show the expected records, and that a user is the same object while its content is the same. */
  #checkUsers({ users }: Version, tables: Tables): string | undefined {
    const row = (table: string, pk: string): unknown => this.store.row(table, pk);
    // One that was deleted comes back as another object.
    for (const id of users.keys()) if (!tables.users.some((user) => user.id === id)) users.delete(id);
    for (const user of tables.users) {
      // Only a few posts of one user are read, so the other posts are not part of its value.
      const [due, known] =
        user.id === 'u3' ? [draftsOf(tables, user), user.drafts] : [ofAuthor(tables, user.id), user.written];
      if (known.length !== due.length || due.some((post, at) => post !== known[at]))
        return `user ${user.id} shows ${show(known)} instead of ${show(due)}`;
      const shown = JSON.stringify([
        row('User', user.id),
        due.map((post) => [
          row('Post', post.id),
          // A create that is answered with a known record gives it another name, by which other records may refer to it.
          temporaryPksOf(post),
          post.tags.map((tag) => row('Tag', tag.id)),
          tables.comments.filter(({ postId }) => postId === post.id).map((comment) => row('Comment', comment.id)),
        ]),
      ]);
      const last = users.get(user.id);
      users.set(user.id, [user, shown]);
      if (last !== undefined && last[1] === shown && last[0] !== user) return `user ${user.id} is another object`;
    }
    return undefined;
  }

  end(): void {
    for (const version of this.#versions) version.end();
  }
}

/** The text that stands for the value of a query with an error. */
const THROWN = 'an error';

function outcomeOf(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    const isOfQuery = error instanceof TypeError || (error as { readonly code?: string }).code === 'query-failed';
    if (isOfQuery) return THROWN;
    throw error;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

/** Whether a value has parts of its own: a list, a group, a selection, or a record with relations beside it. */
function isMade(due: unknown): due is Fields {
  return isObject(due) && !(due instanceof Entity) && !(due instanceof Date);
}

/** Records must be the objects that the store returns. Values that were made from them must be equal. */
function differenceOf(known: unknown, due: unknown): string | undefined {
  if (due instanceof Date && known instanceof Date && Object.is(known.getTime(), due.getTime())) return undefined;
  if (!isMade(due))
    return known === due || Object.is(known, due) ? undefined : `${show(known)} instead of ${show(due)}`;
  const isOfKind = Array.isArray(due) ? Array.isArray(known) && known.length === due.length : isMadeOf(known, due);
  if (!isOfKind) return `${show(known)} instead of ${show(due)}`;
  for (const [name, part] of Object.entries(due)) {
    const wrong = differenceOf((known as Fields)[name], part);
    if (wrong !== undefined) return `${wrong} at ${name}`;
  }
  return undefined;
}

/** Returns whether an object has no other fields than the expected object. */
function isMadeOf(known: unknown, due: object): boolean {
  return isObject(known) && Object.keys(known).every((name) => Object.hasOwn(due, name));
}

/** A value, and the expected value by naive loops. */
interface Read {
  readonly known: unknown;
  readonly due: unknown;
}

/** A value that equals the former one must be the same object, and so must each item and each relation beside a record. */
function identityOf(former: Read, { known, due }: Read): string | undefined {
  if (!isMade(due) || !isMade(former.due)) return undefined;
  if (isSameText(former.due, due))
    return former.known === known ? undefined : `another object that says the same: ${show(known)}`;
  for (const name of partsOf(former.due, due)) {
    const part = { known: (known as Fields)[name], due: due[name] };
    const wrong = identityOf({ known: (former.known as Fields)[name], due: former.due[name] }, part);
    if (wrong !== undefined) return `${wrong} at ${name}`;
  }
  return undefined;
}

/** The parts that are kept although the whole value is a new object: items, and relations beside the same record. */
function partsOf(former: Fields, due: Fields): readonly string[] {
  if (Array.isArray(due)) return Array.isArray(former) ? Object.keys(due) : [];
  const record = recordIn(due);
  const last = recordIn(former);
  // A record that gets the pk of the server has other relations.
  if (record === undefined || last === undefined || last.pk() !== record.pk() || keyOf(last) !== keyOf(record))
    return [];
  return Object.keys(due).filter((name) => !Object.hasOwn(record, name));
}

function isSameText(one: unknown, other: unknown): boolean {
  if (!isMade(one) || !isMade(other)) return differenceOf(one, other) === undefined;
  const names = Object.keys(other);
  return (
    recordIn(one) === recordIn(other) &&
    Object.keys(one).length === names.length &&
    names.every((name) => isSameText(one[name], other[name]))
  );
}

function show(value: unknown): string {
  const name = (value as { readonly constructor?: { readonly key?: string } } | null | undefined)?.constructor?.key;
  if (name !== undefined) return `${name} ${(value as Post).pk()}`;
  if (Array.isArray(value)) return `[${value.map(show).join(', ')}]`;
  return typeof value === 'object' && value !== null
    ? `{${Object.entries(value)
        .map(([field, own]) => `${field}: ${show(own)}`)
        .join(', ')}}`
    : String(value);
}
