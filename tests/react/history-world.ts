/** The records and the server of the random React histories, and what changes them. */
import {
  All,
  Collection,
  Controller,
  Endpoint,
  Entity,
  from,
  getDefaultManagers,
  hasMany,
  Invalidate,
  Query,
  type SnapshotInterface,
} from 'rejoin';
import { Server } from './harness.tsx';

export class User extends Entity {
  id = '';
  version = 0;
  static override key = 'User';
  static posts = hasMany(() => Post, 'author');
}
export class Post extends Entity {
  id = '';
  version = 0;
  author: User | undefined = User.fromJS();
  static override key = 'Post';
  static override schema = { author: User };
}

export const USERS = ['1', '2', '3'];
export const POSTS = ['1', '2', '3'];
/** Posts that a page may go to. */
export const PAGES = ['4', '5', '6', '7', '8', '9'];
export const everyPost = new Query(new All(Post), (posts) => posts);
export const collected = new Collection([Post]);
/** The latest first. */
export const latest = from(Post).orderBy('version', 'desc').limit(3);
export const postsOf = User.posts.orderBy('id');
export const usersWithPosts = from(User).with({ posts: postsOf });

interface Id {
  readonly id: string;
}

interface Truth {
  readonly users: Map<string, number>;
  /** A deleted post has none. */
  readonly posts: Map<string, { version: number; author: string }>;
  list: readonly string[];
}

interface Mutation {
  readonly apply: () => void;
  readonly response: () => unknown;
}

/** What the server has, and how it says so. */
export class Api extends Server {
  readonly truth: Truth = {
    users: new Map([...USERS, ...PAGES].map((id) => [id, 0])),
    posts: new Map([...POSTS, ...PAGES].map((id) => [id, { version: 0, author: '1' }])),
    list: POSTS,
  };
  readonly mutations = new Map<string, Mutation>();

  userOf(id: string): object {
    return { id, version: this.truth.users.get(id) };
  }

  postOf(id: string): object | undefined {
    const { version, author } = this.truth.posts.get(id) ?? {};
    return author === undefined ? undefined : { id, version, author: this.userOf(author) };
  }

  answerOf(name: string): unknown {
    const posts = this.truth.list.map((id) => this.postOf(id)).filter((post) => post !== undefined);
    if (name === 'list' || name === 'collected') return posts;
    if (name === 'feed 1') return { posts: posts.slice(0, 2), next: 2 };
    return name === 'feed 2' ? { posts: posts.slice(2) } : this.postOf(name);
  }

  get open(): readonly string[] {
    return [...new Set(this.asked)].filter((name) => this.isWaiting(name));
  }

  answerNow(name: string): void {
    const mutation = this.mutations.get(name);
    mutation?.apply();
    const response = mutation === undefined ? this.answerOf(name) : mutation.response();
    if (response === undefined) this.failNow(name, 404);
    else this.answer(name, response);
  }

  failNow(name: string, status = 500): void {
    this.fail(name, Object.assign(new Error(`${status}`), { status }));
  }
}

/** One controller and its server. */
export class Data {
  readonly controller: Controller = new Controller({ managers: getDefaultManagers() });
  readonly api: Api = new Api();
  readonly getPost = new Endpoint(({ id }: Id) => this.api.ask(id), { name: 'getPost', schema: Post });
  readonly getList = new Endpoint(() => this.api.ask('list'), { name: 'getList', schema: [Post] });
  readonly getCollected = new Endpoint(() => this.api.ask('collected'), { name: 'getCollected', schema: collected });
  readonly getFeed = new Endpoint(({ page }: { page: number }) => this.api.ask(`feed ${page}`), {
    name: 'getFeed',
    schema: { posts: [Post], next: 0 },
  });
  /** Every version of anything is another. */
  version = 0;
  hasDeleted = false;

  writeUser(id: string): void {
    const version = ++this.version;
    this.api.truth.users.set(id, version);
    void this.controller.set(User, { id }, { id, version });
  }

  /** Of a record that is not there, one is made. */
  writePost(id: string): void {
    const version = ++this.version;
    const known = this.api.truth.posts.get(id);
    if (known === undefined || this.controller.get(Post, { id })?.author === undefined) return this.refer(id, '1');
    this.api.truth.posts.set(id, { ...known, version });
    void this.controller.set(Post, { id }, { id, version });
  }

  /** The reference, and the version with it: two versions of a post never differ in the reference alone. */
  refer(id: string, author: string): void {
    const version = ++this.version;
    this.api.truth.posts.set(id, { version, author });
    void this.controller.set(Post, { id }, { id, version, author });
  }

  deletePost(id: string): void {
    this.hasDeleted = true;
    this.api.truth.posts.delete(id);
    void this.controller.setResponse(this.#deletion('gone'), { id }, { id });
  }

  relist(list: readonly string[]): void {
    this.api.truth.list = list;
    void this.controller.setResponse(this.getList, this.api.answerOf('list'));
  }

  /** What the server pushes. */
  push(id: string): void {
    const response = this.api.postOf(id);
    if (response !== undefined) void this.controller.setResponse(this.getPost, { id }, response);
  }

  invalidate(is: () => boolean): void {
    void this.controller.invalidateAll({ testKey: is });
  }

  expire(is: () => boolean): void {
    void this.controller.expireAll({ testKey: is });
  }

  reset(): void {
    void this.controller.resetEntireStore();
  }

  /** A guess, and another version when it is confirmed. */
  mutateUser(id: string): void {
    const [guess, version] = [++this.version, ++this.version];
    const { users } = this.api.truth;
    const apply = (): void => void users.set(id, Math.max(version, users.get(id) ?? 0));
    this.#mutate(User, { id, version: guess }, { apply, response: () => this.api.userOf(id) });
  }

  mutatePost(id: string, author: string): void {
    const [guess, version] = [++this.version, ++this.version];
    const { posts } = this.api.truth;
    const apply = (): void => {
      if ((posts.get(id)?.version ?? 0) < version) posts.set(id, { version, author });
    };
    this.#mutate(Post, { id, version: guess, author }, { apply, response: () => this.api.postOf(id) });
  }

  /** Into the list, or on top of it. */
  create(id: string, author: string): void {
    const [guess, version] = [++this.version, ++this.version];
    const { truth } = this.api;
    const apply = (): void => {
      truth.posts.set(id, { version, author });
      truth.list = [...truth.list.filter((known) => known !== id), id];
    };
    this.#mutate(collected.push, { id, version: guess, author }, { apply, response: () => this.api.postOf(id) });
  }

  delete(id: string): void {
    this.hasDeleted = true;
    const name = `delete ${++this.version}`;
    const apply = (): void => void this.api.truth.posts.delete(id);
    this.api.mutations.set(name, { apply, response: () => ({ id }) });
    this.controller.fetch(this.#deletion(name), { id }).catch(() => {});
  }

  #deletion(name: string) {
    return new Endpoint(this.api.answers<[Id]>(name), {
      name,
      sideEffect: true,
      schema: new Invalidate(Post),
      getOptimisticResponse: (_: SnapshotInterface, { id }: Id) => ({ id }),
    });
  }

  #mutate(schema: unknown, guess: object, mutation: Mutation): void {
    const name = `mutate ${++this.version}`;
    this.api.mutations.set(name, mutation);
    const endpoint = new Endpoint(() => this.api.ask(name), {
      name,
      sideEffect: true,
      schema: schema as typeof Post,
      getOptimisticResponse: () => guess as never,
    });
    this.controller.fetch(endpoint).catch(() => {});
  }
}
