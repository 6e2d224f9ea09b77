import { All, Collection, Entity, from, Query, undecidable, Union, Values } from '../../src/index.ts';
import { UNREADABLE } from './placeholders.ts';
import type { CollectionShape, Fields, Lists, Shape, TableShape, Tables } from './shape.ts';

// The classes of the random histories, each with its shape for the model.

const plain = (...choices: unknown[]): Shape => ({ kind: 'plain', choices });
const entity = (table: string): Shape => ({ kind: 'entity', table });
const list = (of: Shape): Shape => ({ kind: 'list', of });
const words = plain('a', 'b', 'c', '');
const numbers = plain(0, 1, 2, 3);

/** Throws if the value is not a date. */
function toDate(stored: string | Date): Date {
  const date = new Date(stored);
  if (Number.isNaN(date.getTime())) throw new RangeError(`${String(stored)} is not a date.`);
  return date;
}

// ---- A three-entity cycle

class User extends Entity {
  id = '';
  name = '';
  age = 0;
  handle: unknown = undefined;
  posts: unknown[] = [];
  comments: unknown[] = [];
  static override key = 'User';
  static indexes = ['handle'];
  static override schema: Record<string, unknown> = {};
}

class Comment extends Entity {
  id = '';
  content = '';
  commenter: unknown = undefined;
  post: unknown = undefined;
  static override key = 'Comment';
  static override schema: Record<string, unknown> = {};
}

const commentsOfPost = new Collection([Comment], { nestKey: (post: { id: string }) => ({ postId: post.id }) });

class Post extends Entity {
  id = '';
  title = '';
  author: unknown = User.fromJS();
  comments: unknown[] = [];
  tags: unknown = [];
  extra: unknown = undefined;
  at = new Date(0);
  static override key = 'Post';
  static override schema: Record<string, unknown> = {
    author: User,
    comments: commentsOfPost,
    extra: { pinned: Comment },
    at: toDate,
  };
}

User.schema = { posts: [Post], comments: [Comment] };
Comment.schema = { commenter: User, post: Post };

const commentsOfPostShape: CollectionShape = {
  kind: 'collection',
  lists: '[Comment]',
  content: { kind: 'list', of: entity('Comment') },
  identify: (post) => ({ postId: post?.['id'] }),
};

/** Another class of the same records, with fewer relations. A field without a schema reads the pks. */
class Card extends Entity {
  id = '';
  name = 'nobody';
  posts: unknown = 'none';
  comments: unknown = [];
  static override key = 'User';
  static override schema: Record<string, unknown> = { comments: [Comment] };
}

// ---- Self reference, optional and required

class Node extends Entity {
  id = '';
  label = '';
  next: unknown = undefined;
  twin: unknown = 'none';
  children: unknown = [];
  static override key = 'Node';
  static override schema: Record<string, unknown> = {};
}
Node.schema = { next: Node, twin: Node, children: [Node] };

// ---- Lists by arguments, and a join by a computed field

/** How the server answers for a deleted todo. */
export const GONE = '(gone)';

class Todo extends Entity {
  id = '';
  title = '';
  done: unknown = false;
  userId: unknown = undefined;
  user: unknown = undefined;
  static override key = 'Todo';
  static override schema: Record<string, unknown> = { user: User };
  static override process(todo: Fields): Fields | undefined {
    return todo['title'] === GONE ? undefined : { ...todo, user: todo['userId'] };
  }
}

// These lists have no rules for members. `tests/lists` tests the rules.
const where = { userId: undecidable, done: undecidable } as const;

const todos = new Collection([Todo], { where });
const todosShape: CollectionShape = {
  kind: 'collection',
  lists: '[Todo]',
  content: { kind: 'list', of: entity('Todo') },
  identify: (_parent, args) => ({ ...(args[0] as Fields | undefined) }),
};

const board = new Collection(new Values(Todo), { where });
const boardShape: CollectionShape = {
  kind: 'collection',
  lists: '{Todo}',
  content: { kind: 'map', of: entity('Todo'), names: ['todo', 'doing', 'done'] },
  identify: (_parent, args) => ({ ...(args[0] as Fields | undefined) }),
};

// ---- Polymorphic records, maps, objects around lists

class Photo extends Entity {
  id = '';
  type = 'photo';
  url = '';
  static override key = 'Photo';
}

class Video extends Entity {
  id = '';
  type = 'video';
  length = 0;
  cover: unknown = undefined;
  static override key = 'Video';
  static override schema = { cover: Photo };
}

const media = new Union({ photo: Photo, video: Video }, 'type');
const mediaShape: Shape = { kind: 'union', tables: { photo: 'Photo', video: 'Video' } };

const album = new Collection([media]);
const albumShape: CollectionShape = {
  kind: 'collection',
  lists: '[photo=Photo;video=Video]',
  content: { kind: 'list', of: mediaShape },
  identify: (_parent, args) => ({ ...(args[0] as Fields | undefined) }),
};

// ---- Rows that are combined by a merge of their own

class Log extends Entity {
  id = '';
  lines: readonly unknown[] = [];
  level = 0;
  static override key = 'Log';
  static override merge(existing: Fields, incoming: Fields): Fields {
    return mergeLogs(existing, incoming);
  }
  static override validate(log: Fields): string | undefined {
    return log['level'] === TOO_HIGH ? 'the level is too high' : undefined;
  }
}

/** A value that a log refuses. No shape draws it. */
export const TOO_HIGH = 99;

function mergeLogs(existing: Fields, incoming: Fields): Fields {
  const lines = (record: Fields): unknown[] => (record['lines'] as unknown[] | undefined) ?? [];
  return { ...existing, ...incoming, lines: [...lines(existing), ...lines(incoming)] };
}

export const tables: Tables = {
  User: {
    pks: ['u1', 'u2'],
    fields: {
      name: words,
      age: numbers,
      handle: plain('x', 'y', 'z'),
      posts: list(entity('Post')),
      comments: list(entity('Comment')),
    },
    defaults: () => ({ id: '', name: '', age: 0, handle: undefined, posts: [], comments: [] }),
  },
  Post: {
    pks: ['p1', 'p2', 'p3'],
    fields: {
      title: words,
      author: entity('User'),
      comments: commentsOfPostShape,
      tags: plain(['a'], ['a', 'b'], [], { deep: [{ er: 1 }] }),
      extra: { kind: 'object', fields: { note: words, pinned: entity('Comment') } },
      at: {
        kind: 'convert',
        choices: ['2020-01-01T00:00:00.000Z', '2021-01-01T00:00:00.000Z', 'no date', null],
        convert: (stored: string) => (stored === 'no date' ? UNREADABLE : new Date(stored)),
      },
    },
    defaults: () => ({
      id: '',
      title: '',
      author: User.fromJS(),
      comments: [],
      tags: [],
      extra: undefined,
      at: new Date(0),
    }),
  },
  Comment: {
    pks: ['c1', 'c2', 'c3'],
    fields: { content: words, commenter: entity('User'), post: entity('Post') },
    defaults: () => ({ id: '', content: '', commenter: undefined, post: undefined }),
  },
  Node: {
    pks: ['1', '2', '3', '4'],
    fields: { label: words, next: entity('Node'), twin: entity('Node'), children: list(entity('Node')) },
    defaults: () => ({ id: '', label: '', next: undefined, twin: 'none', children: [] }),
  },
  Todo: {
    pks: ['t1', 't2', 't3'],
    fields: {
      title: plain('a', 'b', 'c', '', 'a', 'b', 'c', '', 'a', GONE),
      done: plain(true, false),
      userId: plain('u1', 'u2', undefined, null),
      user: entity('User'),
    },
    defaults: () => ({ id: '', title: '', done: false, userId: undefined, user: undefined }),
    process: (todo) => (todo['title'] === GONE ? undefined : { ...todo, user: todo['userId'] }),
  },
  Photo: {
    pks: ['m1', 'm2'],
    fields: { type: plain('photo'), url: words },
    defaults: () => ({ id: '', type: 'photo', url: '' }),
  },
  Video: {
    pks: ['m1', 'm3'],
    fields: { type: plain('video'), length: numbers, cover: entity('Photo') },
    defaults: () => ({ id: '', type: 'video', length: 0, cover: undefined }),
  },
  Log: {
    pks: ['l1', 'l2'],
    fields: { lines: plain(['x'], ['y', 'z'], []), level: numbers },
    defaults: () => ({ id: '', lines: [], level: 0 }),
    merge: mergeLogs,
  },
};

/** The tables of lists. */
export const lists: Lists = new Map(
  [commentsOfPostShape, todosShape, boardShape, albumShape].map((shape) => [shape.lists, shape]),
);

/** The request keys of stored answers. */
export const RESULTS = ['GET /a', 'GET /b'] as const;

/** Further classes of a table. */
export const variants: Readonly<
  Record<string, { readonly table: string; readonly of: typeof Entity; readonly shape: TableShape }>
> = {
  Card: {
    table: 'User',
    of: Card,
    shape: {
      pks: [],
      fields: { comments: list(entity('Comment')) },
      defaults: () => ({ id: '', name: 'nobody', posts: 'none', comments: [] }),
    },
  },
};

export const classes: Readonly<Record<string, typeof Entity>> = { User, Post, Comment, Node, Todo, Photo, Video, Log };

/** A kind of response: its schema, its shape for the model, and the arguments of its requests. */
export interface Source {
  readonly schema: unknown;
  readonly shape: Shape;
  readonly args: readonly (readonly unknown[])[];
}

const source = (schema: unknown, shape: Shape, args: Source['args'] = [[]]): Source => ({ schema, shape, args });
const record = (name: string): Source => source(classes[name], entity(name));

export const sources = {
  user: record('User'),
  post: record('Post'),
  posts: source([Post], list(entity('Post'))),
  page: source(
    { results: [Post] },
    {
      kind: 'object',
      fields: { results: list(entity('Post')), total: numbers },
    },
  ),
  comment: record('Comment'),
  comments: source(commentsOfPost, { ...commentsOfPostShape, identify: (_parent, args) => args[0] as Fields }, [
    [{ postId: 'p1' }],
    [{ postId: 'p2' }],
  ]),
  node: record('Node'),
  nodes: source([Node], list(entity('Node'))),
  todo: record('Todo'),
  todos: source(todos, todosShape, [[], [{ userId: 'u1' }], [{ userId: 'u2', done: true }], [{ orderBy: 'title' }]]),
  board: source(board, boardShape, [[], [{ userId: 'u1' }]]),
  album: source(album, albumShape, [[], [{ owner: 'u1' }]]),
  feed: source([media], list(mediaShape)),
  media: source(media, mediaShape),
  people: source(new Values(User), { kind: 'map', of: entity('User'), names: ['ann', 'bob', '7'] }),
  log: record('Log'),
  logs: source([Log], list(entity('Log'))),
} as const satisfies Record<string, Source>;

export type SourceName = keyof typeof sources;

/** A computed view of the store, with the same computation over the values of the model. */
export interface View {
  readonly schema: unknown;
  readonly args: readonly unknown[];
  /** The table from which it selects records, and the selected ones, in the order in which they were first shown. */
  readonly table: string;
  readonly keeps: (fields: Fields) => boolean;
}

const adults = new Query(new All(User), (users: User[] | undefined, { age }: { age: number }) =>
  users?.filter((user) => user.age >= age),
);

export const views: Readonly<Record<string, View>> = {
  allUsers: { schema: new All(User), args: [], table: 'User', keeps: () => true },
  allTodos: { schema: new All(Todo), args: [], table: 'Todo', keeps: () => true },
  usersFound: { schema: from(User), args: [], table: 'User', keeps: () => true },
  todosFound: { schema: from(Todo), args: [], table: 'Todo', keeps: () => true },
  adults1: { schema: adults, args: [{ age: 1 }], table: 'User', keeps: (user) => (user['age'] as number) >= 1 },
  adults3: { schema: adults, args: [{ age: 3 }], table: 'User', keeps: (user) => (user['age'] as number) >= 3 },
};

const nothing = { lists: [], views: [], handles: [], variants: [] } as const;

/** The sources that one history uses. They have few rows, so that changes often meet in one row. */
export interface Theme {
  readonly sources: readonly SourceName[];
  readonly tables: readonly string[];
  /** The collections that get new members, by the names of their sources. */
  readonly lists: readonly SourceName[];
  readonly views: readonly string[];
  readonly handles: readonly string[];
  readonly variants: readonly string[];
}

export const themes: readonly Theme[] = [
  {
    sources: ['posts', 'post', 'user', 'comment', 'comments', 'page'],
    tables: ['User', 'Post', 'Comment'],
    lists: ['comments'],
    views: ['allUsers', 'usersFound'],
    handles: ['x', 'y'],
    variants: ['Card'],
  },
  { ...nothing, sources: ['node', 'nodes'], tables: ['Node'] },
  {
    sources: ['todos', 'todos', 'todo', 'user', 'people', 'board'],
    tables: ['User', 'Todo'],
    lists: ['todos', 'board'],
    views: ['allUsers', 'allTodos', 'usersFound', 'todosFound', 'adults1', 'adults3'],
    handles: ['x', 'y', 'z'],
    variants: ['Card'],
  },
  {
    ...nothing,
    sources: ['feed', 'media', 'people', 'album'],
    tables: ['Photo', 'Video', 'User'],
    lists: ['album'],
    handles: ['z'],
  },
  { ...nothing, sources: ['log', 'logs', 'user'], tables: ['Log', 'User'], views: ['adults1'] },
  {
    sources: ['posts', 'comments', 'node', 'todos', 'board', 'album', 'people', 'log', 'user'],
    tables: ['User', 'Post', 'Comment', 'Node', 'Todo', 'Photo', 'Video', 'Log'],
    lists: ['comments', 'todos', 'album', 'board'],
    views: ['allUsers', 'adults1', 'usersFound'],
    handles: ['x'],
    variants: ['Card'],
  },
];
