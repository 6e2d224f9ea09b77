/** The records, the server and the page of the random React histories. */
import { All, Controller, Endpoint, Entity, getDefaultManagers, Query } from 'rejoin';
import { Server } from './harness.tsx';

export class User extends Entity {
  id = '';
  version = 0;
  static override key = 'User';
}
export class Post extends Entity {
  id = '';
  version = 0;
  author = User.fromJS();
  static override key = 'Post';
  static override schema = { author: User };
}

export const USERS = ['1', '2', '3'];
export const POSTS = ['1', '2', '3'];
export const PAGES = ['4', '5', '6', '7', '8', '9'];
export const everyPost = new Query(new All(Post), (posts) => posts);

/** What a record shows of itself: its name and its version. */
export const user = (shown: User | undefined): string => (shown?.id ? ` u${shown.id}:${shown.version}` : '');
export const post = (shown: Post | undefined): string =>
  shown?.id ? ` p${shown.id}:${shown.version}>${shown.author.id}${user(shown.author)}` : '';
export const posts = (shown: readonly Post[] | undefined): string => (shown ?? []).map(post).join('');

interface Truth {
  version: number;
  readonly users: Map<string, number>;
  readonly posts: Map<string, { version: number; author: string }>;
  list: readonly string[];
}

/** What the server has, and how it says so. */
class Api extends Server {
  readonly truth: Truth = {
    version: 0,
    users: new Map([...USERS, ...PAGES].map((id) => [id, 0])),
    posts: new Map([...POSTS, ...PAGES].map((id) => [id, { version: 0, author: '1' }])),
    list: POSTS,
  };

  userOf(id: string): object {
    return { id, version: this.truth.users.get(id) };
  }

  postOf(id: string): object {
    const { version, author } = this.truth.posts.get(id) ?? { version: 0, author: '1' };
    return { id, version, author: this.userOf(author) };
  }

  answerOf(name: string): unknown {
    return name === 'list' ? this.truth.list.map((id) => this.postOf(id)) : this.postOf(name);
  }

  get open(): readonly string[] {
    return [...new Set(this.asked)].filter((name) => this.isWaiting(name));
  }

  answerNow(name: string): void {
    this.answer(name, this.answerOf(name));
  }
}

export type Hook = 'query' | 'user' | 'cache' | 'suspense' | 'live' | 'dle' | 'fetch' | 'list' | 'all';
export const HOOKS: readonly Hook[] = ['query', 'user', 'cache', 'suspense', 'live', 'dle', 'fetch', 'list', 'all'];

export interface Place {
  readonly at: number;
  readonly hook: Hook;
  readonly id: string;
  readonly isShared: boolean;
}

export interface Page {
  readonly places: readonly Place[];
  readonly away: string | undefined;
  readonly isHidden: boolean;
}

export class World {
  readonly controller: Controller = new Controller({ managers: getDefaultManagers() });
  readonly api: Api = new Api();
  readonly getPost = new Endpoint(({ id }: { id: string }) => this.api.ask(id), { name: 'getPost', schema: Post });
  readonly getList = new Endpoint(() => this.api.ask('list'), { name: 'getList', schema: [Post] });
  renders = 0;
  page: Page = { places: [], away: undefined, isHidden: false };
  go: (page: Page) => void = () => {};

  change(change: Partial<Page>): void {
    this.page = { ...this.page, ...change };
    this.go(this.page);
  }

  writeUser(id: string): void {
    const version = ++this.api.truth.version;
    this.api.truth.users.set(id, version);
    void this.controller.set(User, { id }, { id, version });
  }

  writePost(id: string): void {
    const version = ++this.api.truth.version;
    const author = this.api.truth.posts.get(id)?.author ?? '1';
    this.api.truth.posts.set(id, { version, author });
    void this.controller.set(Post, { id }, { id, version });
  }

  /** The reference, and the version with it: two versions of a post never differ in the reference alone. */
  refer(id: string, author: string): void {
    const version = ++this.api.truth.version;
    this.api.truth.posts.set(id, { version, author });
    void this.controller.set(Post, { id }, { id, version, author });
  }

  relist(list: readonly string[]): void {
    this.api.truth.list = list;
    void this.controller.setResponse(this.getList, this.api.answerOf('list'));
  }
}
