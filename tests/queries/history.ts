import { Entity } from '../../src/define/schema/entity.ts';
import { All } from '../../src/define/schema/all.ts';
import { dehydrate } from '../../src/state/hydrate/dehydrate.ts';
import { hydrate } from '../../src/state/hydrate/hydrate.ts';
import { addGuess, type Layer } from '../../src/state/store/layer.ts';
import { Store } from '../../src/state/store/store.ts';
import { Random } from '../oracle/random.ts';
import { CASES, type Case, draftsOf, ofAuthor, type Tables } from './cases.ts';
import { Comment, Post, Posts, Remark, Tag, User } from './model.ts';

const IDS = ['1', '2', '3', '4', '5', '6', '7', '8'];
const USERS = ['u1', 'u2', 'u3'];

/** A store to which things happen at random, with readers of all queries, some of which read seldom. */
export class History {
  readonly store = new Store({ now: () => this.#now });
  readonly log: string[] = [];
  #now = 0;
  readonly #random: Random;
  readonly #layers: Layer[] = [];
  readonly #creates: Layer[] = [];
  /** The store as it was once, as JSON. */
  #kept: string | undefined = undefined;
  readonly #last = new Map<Case, unknown>();
  readonly #told = new Map<Case, number>();
  /** The users of the last check, with everything that they show. */
  readonly #users = new Map<string, readonly [user: User, shown: string]>();
  readonly #stops: (() => void)[] = [];

  constructor(seed: number) {
    this.#random = new Random(seed);
    for (const one of CASES) if (this.#random.chance(0.5)) this.#watch(one);
  }

  #watch(one: Case): void {
    this.#told.set(one, 0);
    const view = this.store.query(one.query as never, one.args as never);
    this.#stops.push(view.subscribe(() => this.#told.set(one, (this.#told.get(one) ?? 0) + 1)));
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
      comment: 3,
      remark: 1,
      list: 1,
      create: 1.5,
      confirm: 1.5,
      keep: 0.5,
      hydrate: 0.5,
    });
    this.log.push(what);
    this.#do(what);
  }

  #do(what: string): void {
    const random = this.#random;
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
        return void this.store.write(Remark, {
          id: random.pick(IDS),
          about: random.pick([{ id: random.pick(IDS), title: 'x' }, { id: random.pick(USERS), name: 'a' }, null]),
        });
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
      case 'keep':
        this.#kept = JSON.stringify(dehydrate(this.store));
        return;
      case 'hydrate':
        if (this.#kept !== undefined) hydrate(this.store, JSON.parse(this.#kept));
        return;
      case 'reset':
        // No query has a value until something is known again.
        this.#last.clear();
        this.#users.clear();
        return this.store.reset();
      case 'collect':
        this.#now += 1_000_000;
        this.#forgetUnobserved();
        return void Array.from(this.store.collect());
      default:
        return this.store.batch(() => {
          for (let left = 1 + random.below(4); left > 0; left--)
            this.#do(random.pick(['write', 'part', 'user', 'remove', 'settle', 'comment', 'list']));
        });
    }
  }

  /** Queries without observers are collected, and made again when they are read. */
  #forgetUnobserved(): void {
    for (const one of this.#last.keys()) if (!this.#told.has(one)) this.#last.delete(one);
    this.#users.clear();
  }

  /** Guesses a record without a pk, which gets a temporary one. */
  #create(): void {
    const { id: _, ...response } = this.#post() as Record<string, unknown>;
    this.#creates.push(addGuess(this.store, () => ({ schema: Posts.push, response, args: [{}] })));
  }

  /** The server answers with a pk of its own, which may be known already, or refuses. */
  #confirm(): void {
    const random = this.#random;
    const [layer] = this.#creates.splice(random.below(this.#creates.length + 1), 1);
    if (random.chance(0.2)) return layer?.drop();
    layer?.confirm(Posts.push, { ...this.#post(), id: random.pick([...IDS, '9', '10']) }, { args: [{}] });
  }

  #comment(): void {
    const random = this.#random;
    const id = random.pick(IDS);
    if (random.chance(0.15)) return this.store.invalidate(Comment, id);
    const whole: Record<string, unknown> = {
      postId: random.pick(IDS),
      userId: random.pick(USERS),
      parentId: random.pick([...IDS, null]),
      likes: random.below(5),
    };
    const field = random.pick(Object.keys(whole));
    this.store.write(Comment, random.chance(0.6) ? { id, ...whole } : { id, [field]: whole[field] });
  }

  #post(): object {
    const random = this.#random;
    return {
      id: random.pick(IDS),
      title: random.pick(['x', 'y', null]),
      votes: random.below(10),
      isDraft: random.chance(0.3),
      date: random.pick(['2026-01-01', '2026-02-01', 'unknown', null]),
      author: random.pick([...USERS, { id: random.pick(USERS), name: random.pick(['a', 'b', 'c']) }, null]),
      tags: random.pick([[], ['t1'], ['t1', 't2'], [{ id: 't2', label: 'l' }]]),
    };
  }

  #part(): object {
    const whole = this.#post() as Record<string, unknown>;
    const field = this.#random.pick(['title', 'votes', 'isDraft', 'author', 'tags', 'date']);
    return { id: whole['id'], [field]: whole[field] };
  }

  /** What is wrong, if anything. */
  check(): string | undefined {
    const tables: Tables = {
      posts: this.store.get(new All(Post)) ?? [],
      users: this.store.get(new All(User)) ?? [],
      comments: this.store.get(new All(Comment)) ?? [],
      tags: this.store.get(new All(Tag)) ?? [],
      remarks: this.store.get(new All(Remark)) ?? [],
      listed: this.store.get(Posts, {}) ?? [],
      refs: (post) => {
        const { author = null, tags = [] } = this.store.row('Post', post.id) as {
          author?: string | null;
          tags?: string[];
        };
        return { author, tags };
      },
      aboutOf: ({ id }) => {
        const { about } = this.store.row('Remark', id) as { about?: { schema: string; id: string } | null };
        return about ? `${about.schema} ${about.id}` : undefined;
      },
    };
    const wrongUser = this.#checkUsers(tables);
    if (wrongUser !== undefined) return `${wrongUser}, after ${this.log.join(' ')}`;
    for (const [at, one] of CASES.entries()) {
      // What is watched is read at every commit, the rest now and then.
      if (!this.#told.has(one) && this.#random.chance(0.3)) continue;
      const known = outcomeOf(() => this.store.get(one.query as never, ...(one.args as never)));
      // Nothing is known of such records yet, or no more.
      if (known === undefined && tables[one.of].length === 0) {
        this.#last.delete(one);
        continue;
      }
      const due = outcomeOf(() => one.naive(tables));
      const wrong = differenceOf(known, due) ?? this.#identityOf(one, known);
      if (wrong !== undefined) return `query ${at}: ${wrong}, after ${this.log.join(' ')}`;
    }
    return undefined;
  }

  /** Whether relations in schemas show what they should, and a user is the same as long as what it shows is. */
  #checkUsers(tables: Tables): string | undefined {
    const row = (table: string, pk: string): unknown => this.store.row(table, pk);
    // One that was deleted comes back as another object.
    for (const id of this.#users.keys()) if (!tables.users.some((user) => user.id === id)) this.#users.delete(id);
    for (const user of tables.users) {
      // Of one of them only a few posts are read: the others are no part of what it shows.
      const [due, known] =
        user.id === 'u3' ? [draftsOf(tables, user), user.drafts] : [ofAuthor(tables, user.id), user.written];
      if (known.length !== due.length || due.some((post, at) => post !== known[at]))
        return `user ${user.id} shows ${show(known)} instead of ${show(due)}`;
      const shown = JSON.stringify([
        row('User', user.id),
        due.map(({ id, tags }) => [
          row('Post', id),
          tags.map((tag) => row('Tag', tag.id)),
          tables.comments.filter(({ postId }) => postId === id).map((comment) => row('Comment', comment.id)),
        ]),
      ]);
      const last = this.#users.get(user.id);
      this.#users.set(user.id, [user, shown]);
      if (last !== undefined && last[1] === shown && last[0] !== user) return `user ${user.id} is another object`;
    }
    return undefined;
  }

  #identityOf(one: Case, known: unknown): string | undefined {
    const last = this.#last.get(one);
    this.#last.set(one, known);
    return known !== THROWN && last !== known && differenceOf(last, known) === undefined
      ? `another object that says the same (watched: ${this.#told.has(one)}): ${show(known)} and ${show(last)}`
      : undefined;
  }

  end(): void {
    for (const stop of this.#stops) stop();
  }
}

/** What a query with an error has in place of a value. */
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

/** Records have to be the very objects that the store gives; what was made of them has to say the same. */
function differenceOf(known: unknown, due: unknown): string | undefined {
  if (Array.isArray(due)) {
    if (!Array.isArray(known) || known.length !== due.length) return `${show(known)} instead of ${show(due)}`;
    const at = due.findIndex((item, index) => differenceOf(known[index], item) !== undefined);
    return at < 0 ? undefined : `${show(known[at])} instead of ${show(due[at])} at ${at}`;
  }
  if (due instanceof Entity) return known === due ? undefined : `${show(known)} is not the record ${show(due)}`;
  return JSON.stringify(known) === JSON.stringify(due) ? undefined : `${show(known)} instead of ${show(due)}`;
}

function show(value: unknown): string {
  if (value instanceof Post) return `Post ${value.id} (${value.votes})`;
  if (value instanceof Comment) return `Comment ${value.id}`;
  return Array.isArray(value) ? `[${value.map(show).join(', ')}]` : JSON.stringify(value);
}
