import { createElement as h, type ReactNode, Suspense, version as reactVersion } from 'react';
import {
  All,
  arg,
  Collection,
  count,
  distinct,
  Endpoint,
  Entity,
  from,
  hasMany,
  last,
  on,
  Query,
} from '../../src/index.ts';
import { useCache, useDLE, useQuery, useSuspense } from '../../src/react.ts';
import { User } from '../model.ts';

export class Todo extends Entity {
  id = '';
  title = '';
  author: User = User.fromJS();
  static override key = 'Todo';
  static override schema = { author: User };
}

/** The server of the data. Each answer contains newer data of users, so that it changes the data of earlier answers. */
export interface Api {
  answer(name: string, id: string): Promise<object>;
}

export const api: { current: Api } = {
  current: {
    answer: async (name, id) => {
      throw new Error(`${name} ${id} was asked`);
    },
  },
};

const getTodo = new Endpoint(async ({ id }: { id: string }) => api.current.answer('getTodo', id), {
  name: 'getTodo',
  schema: Todo,
});
const getTodos = new Endpoint(async ({ list }: { list: string }) => api.current.answer('getTodos', list), {
  name: 'getTodos',
  schema: new Collection([Todo]),
});
const getPlain = new Endpoint(async ({ id }: { id: string }) => api.current.answer('getPlain', id), {
  name: 'getPlain',
});

const allTodos = new Query(new All(Todo), (todos: Todo[]) => todos.map(({ title }) => title).join(' '));

const todos = from(Todo);
const titles = todos.select(({ title }) => title);
const perUser = todos
  .groupBy('author', { todos: count(), last: last(({ title }) => title) })
  .select(({ author, todos: size, last: title }) => `${author.name}: ${size} ${title}`);
const users = distinct(todos.select(({ author }) => author.name));
const ofUser = hasMany(() => Todo, 'author')
  .orderBy('title', 'desc')
  .limit(2);
const withTodos = from(User)
  .with({ latest: ofUser, known: ofUser.count() })
  .select(({ name, latest, known }) => `${name}: ${known} ${latest.map(({ title }) => title).join()}`);
const joined = todos.leftJoin('same', Todo, on('author', 'author')).select(({ id, same }) => id + same?.id);
const page = todos.orderBy('title').after(arg('last')).limit(2);
const loaded = withTodos.loadedBy(getTodos, () => []);
const counted = todos
  .where(({ author }) => author.name !== '')
  .count()
  .loadedBy(getTodos, () => []);

/** A tree of components as plain data, so that it can be sent from one process to another. */
export interface Node {
  readonly kind:
    | 'box'
    | 'suspense'
    | 'todo'
    | 'list'
    | 'plain'
    | 'all'
    | 'user'
    | 'cache'
    | 'dle'
    | 'query'
    | 'page'
    | 'loaded'
    | 'counted';
  readonly id: string;
  readonly children: readonly Node[];
}

const kinds = [
  'box',
  'suspense',
  'suspense',
  'suspense',
  'suspense',
  'todo',
  'list',
  'plain',
  'all',
  'user',
  'cache',
  'dle',
  'query',
  'page',
  'loaded',
  'counted',
] as const;

const queries = [perUser, users, withTodos, joined, titles.count(), titles.exists(), titles.one()];

/** Returns a random tree, which is the same for the same `random`. */
export function randomNode(random: () => number, depth = 4): Node {
  const pick = (most: number): number => Math.floor(random() * most);
  const kind = depth === 4 ? 'box' : (kinds[pick(kinds.length)] ?? 'box');
  const length = depth === 4 ? 3 : depth === 0 ? 0 : pick(4);
  return { kind, id: String(pick(4)), children: Array.from({ length }, () => randomNode(random, depth - 1)) };
}

const IS_REACT_18: boolean = reactVersion.startsWith('18');

/** A component that shows data, and renders its children again whenever the data changes. */
function Shown({ kind, id, children }: Node): ReactNode {
  const use: Record<string, () => unknown> = {
    todo: () => {
      const { title, author } = useSuspense(getTodo, { id });
      return `${title} by ${author.name}`;
    },
    list: () =>
      useSuspense(getTodos, { list: id })
        .map(({ title, author }) => `${title} by ${author.name}`)
        .join(),
    plain: () => JSON.stringify(useSuspense(getPlain, { id })),
    all: () => useQuery(allTodos),
    user: () => useQuery(User, { id: `u${Number(id) % 2}` })?.name,
    query: () => JSON.stringify(queries.map((query) => useQuery(query))),
    page: () => {
      const [first] = useQuery(page, { last: undefined }) ?? [];
      return `${first?.title} ${useQuery(page, { last: first })
        ?.map(({ title }) => title)
        .join()}`;
    },
    loaded: () => useSuspense(loaded, { list: id }).join(),
    counted: () => {
      const { data, loading } = useDLE(counted, { list: id });
      return `${String(loading)} ${data}`;
    },
    cache: () => useCache(getTodo, { id })?.title,
    dle: () => {
      const { data, loading } = useDLE(getTodo, { id });
      return `${String(loading)} ${data?.title} by ${data?.author.name}`;
    },
  };
  return h('section', null, h('b', { title: kind }, String(use[kind]?.())), ...children.map(treeOf));
}

export function treeOf(node: Node, key = 0): ReactNode {
  const children = node.children.map(treeOf);
  if (node.kind === 'box') return h('div', { key }, ...children);
  if (node.kind === 'suspense') return h(Suspense, { key, fallback: h('i', null, 'loading') }, ...children);
  // React 18 replaces boundaries in a component that is updated before they are hydrated.
  if (IS_REACT_18) return h('section', { key }, h(Shown, { ...node, children: [] }), ...children);
  return h(Shown, { key, ...node });
}

/** A server that answers slowly, and each answer has newer data of the users than the one before. */
export function serverApi(random: () => number, marker = ''): Api {
  let version = 0;
  return {
    async answer(name, id) {
      for (let turns = Math.floor(random() * 20); turns > 0; turns--)
        await new Promise((resolve) => void setImmediate(resolve));
      const author = { id: `u${Number(id) % 2}`, name: `name ${++version}${marker}` };
      const todo = (pk: string): object => ({ id: pk, title: `todo ${pk}${marker}`, author });
      if (name === 'getTodo') return todo(id);
      if (name === 'getPlain') return { id, says: `plain ${id}${marker}`, at: version };
      return [todo(id), todo(`${id}-more`)];
    },
  };
}

/** Numbers between 0 and 1, the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = Math.imul(seed, 2_654_435_761) >>> 0;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
