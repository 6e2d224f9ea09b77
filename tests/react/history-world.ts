/** The records of the random React histories, the server that has them, and the changes that are made to them. */
import {
  actionTypes,
  All,
  Collection,
  Controller,
  Endpoint,
  Entity,
  from,
  getDefaultManagers,
  hasMany,
  Invalidate,
  type Manager,
  Query,
  type SnapshotInterface,
} from 'rejoin';
import { Server } from './harness.tsx';

export class User extends Entity {
  id = '';
  version = 0;
  /** The name of the controller that has it. */
  home = '';
  static override key = 'User';
  static posts = hasMany(() => Post, 'author');
}
export class Post extends Entity {
  id = '';
  version = 0;
  home = '';
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
/** The three latest posts. */
export const latest = from(Post).orderBy('version', 'desc').limit(3);
export const postsOf = User.posts.orderBy('id');
export const usersWithPosts = from(User).with({ posts: postsOf });

interface Id {
  readonly id: string;
}

/** The arguments of `renameUser`. `guess` is the version that is shown until the server has answered. */
interface Renaming extends Id {
  readonly home: string;
  readonly guess: number;
  readonly version: number;
}

// `toServer` sends their requests to the server of the controller that fetches.
export const getPost = new Endpoint(unsent<[Id]>, { name: 'getPost', schema: Post });
export const getList = new Endpoint(unsent<[]>, { name: 'getList', schema: [Post] });
export const getCollected = new Endpoint(unsent<[]>, { name: 'getCollected', schema: collected });
export const getFeed = new Endpoint(unsent<[{ page: number }]>, {
  name: 'getFeed',
  schema: { posts: [Post], next: 0 },
});
export const renameUser = new Endpoint(unsent<[Renaming]>, {
  name: 'renameUser',
  sideEffect: true,
  schema: User,
  getOptimisticResponse: (_: SnapshotInterface, { id, guess, home }) => ({ id, home, version: guess }) as never,
});

function unsent<Args extends readonly unknown[]>(...args: Args): Promise<unknown> {
  throw new Error(`A request was not sent to a server: ${JSON.stringify(args)}`);
}

/** The name of a request on the server, by the name of its endpoint. */
const REQUESTS: Readonly<Record<string, (args: never) => string>> = {
  getPost: ({ id }: Id) => id,
  getList: () => 'list',
  getCollected: () => 'collected',
  getFeed: ({ page }: { page: number }) => `feed ${page}`,
  renameUser: ({ id, version }: Renaming) => `rename ${id} ${version}`,
};

/** Sends the requests of a controller to its server. */
const toServer = (api: Api): Manager => ({
  middleware: () => (next) => (action) => {
    const nameOf = action.type === actionTypes.FETCH ? REQUESTS[action.endpoint.name] : undefined;
    if (action.type !== actionTypes.FETCH || nameOf === undefined) return next(action);
    const { name } = action.endpoint;
    const fetch = (args: unknown): Promise<unknown> => api.ask(nameOf(args as never));
    return next({ ...action, endpoint: (action.endpoint as unknown as Endpoint).extend({ fetch, name }) as never });
  },
  cleanup: () => {},
});

/** The data on the server. */
interface Stored {
  readonly users: Map<string, number>;
  /** Without the deleted posts. */
  readonly posts: Map<string, { version: number; author: string }>;
  list: readonly string[];
}

interface Mutation {
  readonly apply: () => void;
  readonly response: () => unknown;
}

/** The server of one controller. */
export class Api extends Server {
  readonly stored: Stored = {
    users: new Map([...USERS, ...PAGES].map((id) => [id, 0])),
    posts: new Map([...POSTS, ...PAGES].map((id) => [id, { version: 0, author: '1' }])),
    list: POSTS,
  };
  readonly mutations = new Map<string, Mutation>();
  readonly home: string;

  constructor(home: string) {
    super();
    this.home = home;
  }

  override ask(name: string): Promise<unknown> {
    const [kind, id = '', version] = name.split(' ');
    if (kind === 'rename') this.mutations.set(name, this.renaming(id, Number(version)));
    return super.ask(name);
  }

  renaming(id: string, version: number): Mutation {
    const { users } = this.stored;
    const apply = (): void => void users.set(id, Math.max(version, users.get(id) ?? 0));
    return { apply, response: () => this.userOf(id) };
  }

  userOf(id: string): object {
    return { id, version: this.stored.users.get(id), home: this.home };
  }

  postOf(id: string): object | undefined {
    const { version, author } = this.stored.posts.get(id) ?? {};
    return author === undefined ? undefined : { id, version, home: this.home, author: this.userOf(author) };
  }

  answerOf(name: string): unknown {
    const posts = this.stored.list.map((id) => this.postOf(id)).filter((post) => post !== undefined);
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

/** The last version that was given to a record. Each version is given once. */
export interface Versions {
  last: number;
}

/** One controller and its server. */
export class Data {
  readonly home: string;
  readonly api: Api;
  readonly controller: Controller;
  readonly #versions: Versions;
  hasDeleted = false;

  /** `home` is part of the name of each record on the screen. */
  constructor(home: string, versions: Versions) {
    this.home = home;
    this.#versions = versions;
    this.api = new Api(home);
    this.controller = new Controller({ managers: [toServer(this.api), ...getDefaultManagers()] });
  }

  get version(): number {
    return ++this.#versions.last;
  }

  writeUser(id: string): void {
    const version = this.version;
    this.api.stored.users.set(id, version);
    void this.controller.set(User, { id }, { id, version, home: this.home });
  }

  /** Creates the post if it is not stored. */
  writePost(id: string): void {
    const version = this.version;
    const known = this.api.stored.posts.get(id);
    if (known === undefined || this.controller.get(Post, { id })?.author === undefined) return this.refer(id, '1');
    this.api.stored.posts.set(id, { ...known, version });
    void this.controller.set(Post, { id }, { id, version });
  }

  /** Changes the author of a post, with its version. */
  refer(id: string, author: string): void {
    const version = this.version;
    this.api.stored.posts.set(id, { version, author });
    void this.controller.set(Post, { id }, { id, version, home: this.home, author });
  }

  deletePost(id: string): void {
    this.hasDeleted = true;
    this.api.stored.posts.delete(id);
    void this.controller.setResponse(this.#deletion('gone'), { id }, { id });
  }

  relist(list: readonly string[]): void {
    this.api.stored.list = list;
    void this.controller.setResponse(getList, this.api.answerOf('list'));
  }

  /** Stores a post as a message of the server would. */
  push(id: string): void {
    const response = this.api.postOf(id);
    if (response !== undefined) void this.controller.setResponse(getPost, { id }, response);
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

  /** Shows a guess, and another version when the server has answered. */
  mutateUser(id: string): void {
    const [guess, version] = [this.version, this.version];
    this.#mutate(User, { id, version: guess, home: this.home }, this.api.renaming(id, version));
  }

  mutatePost(id: string, author: string): void {
    const [guess, version] = [this.version, this.version];
    const { posts } = this.api.stored;
    const apply = (): void => {
      if ((posts.get(id)?.version ?? 0) < version) posts.set(id, { version, author });
    };
    this.#mutate(Post, { id, version: guess, home: this.home, author }, { apply, response: () => this.api.postOf(id) });
  }

  /** Adds a post to the collection, or moves it to the end. */
  create(id: string, author: string): void {
    const [guess, version] = [this.version, this.version];
    const { stored } = this.api;
    const apply = (): void => {
      stored.posts.set(id, { version, author });
      stored.list = [...stored.list.filter((known) => known !== id), id];
    };
    this.#mutate(
      collected.push,
      { id, version: guess, home: this.home, author },
      { apply, response: () => this.api.postOf(id) },
    );
  }

  delete(id: string): void {
    this.hasDeleted = true;
    const name = `delete ${this.version}`;
    const apply = (): void => void this.api.stored.posts.delete(id);
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
    const name = `mutate ${this.version}`;
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
