/** The page of the random React histories: components that show related records, below boundaries and providers of several kinds. */
import * as React from 'react';
import { type ComponentType, memo, type ReactNode, Suspense, useDeferredValue, useEffect, useState } from 'react';
import {
  DataProvider,
  ErrorBoundary,
  type ErrorFallbackProps,
  useCache,
  useDLE,
  useFetch,
  useController,
  useInfinite,
  useLive,
  useLoading,
  useMutation,
  usePending,
  useQuery,
  useSubscription,
  useSuspense,
} from 'rejoin/react';
import { blockThread } from './harness.tsx';
import {
  collected,
  type Data,
  everyPost,
  getCollected,
  getFeed,
  getList,
  getPost,
  latest,
  Post,
  postsOf,
  renameUser,
  User,
  usersWithPosts,
} from './history-world.ts';

/** React 18 has no `use`. */
const use = (React as { use?: <Value>(promise: Promise<Value>) => Value }).use;
const Activity = (React as { Activity?: ComponentType<{ mode: 'visible' | 'hidden'; children: ReactNode }> }).Activity;
const Hideable = Activity ?? (({ children }: { children: ReactNode }) => children);

export type Hook = keyof ReturnType<typeof readersOf>;

export const HOOKS: readonly Hook[] = [
  'query',
  'user',
  'cache',
  'suspense',
  'live',
  'dle',
  'fetch',
  'list',
  'dleList',
  'all',
  'infinite',
  'collected',
  'members',
  'latest',
  'relation',
  'joined',
  'both',
  'previous',
  'pending',
  'mutation',
  'loading',
];

export interface Place {
  readonly at: number;
  readonly hook: Hook;
  /** `undefined`: no request. */
  readonly id: string | undefined;
  /** `own` has its own boundaries, `shared` those of the page, `hideable` is in an `Activity`, `nested` in a provider of the other controller. */
  readonly where: 'own' | 'shared' | 'hideable' | 'nested';
  readonly isDeferred: boolean;
  readonly isSlow: boolean;
}

export interface Page {
  readonly places: readonly Place[];
  readonly away: string | undefined;
  readonly isHidden: boolean;
}

/** The provider of a root. A new key mounts everything again. */
export interface Provided {
  readonly at: number;
  readonly key: number;
}

const NO_PAGE: Page = { places: [], away: undefined, isHidden: false };

/** One React root. */
export class Root {
  readonly datas: readonly Data[];
  page: Page = NO_PAGE;
  provided: Provided = { at: 0, key: 0 };
  go: (page: Page) => void = () => {};
  provide: (provided: Provided) => void = () => {};
  renders = 0;
  /** How often a boundary has begun to show an error, also in renders that React has discarded. */
  failures = 0;
  /** The functions that try again, one for each error on the screen. */
  readonly resets = new Set<() => void>();
  /** The functions that mounted components have returned from `useMutation` and `useLoading`. */
  readonly actions = new Set<(id: string, versions: { guess: number; version: number }) => void>();

  constructor(datas: readonly Data[]) {
    this.datas = datas;
  }

  change(change: Partial<Page>): void {
    this.page = { ...this.page, ...change };
    this.go(this.page);
  }

  /** Replaces the controller of the provider. */
  swap(isMountedAgain: boolean): void {
    const { at, key } = this.provided;
    this.provided = { at: (at + 1) % this.datas.length, key: isMountedAgain ? key + 1 : key };
    this.provide(this.provided);
  }

  retry(): void {
    for (const reset of this.resets) reset();
  }
}

// A record is shown as its home, its pk and its version, a list as its name and its pks.
const user = (shown: User | undefined): string => (shown?.id ? ` ${shown.home}u${shown.id}:${shown.version}` : '');
const post = (shown: Post | undefined): string =>
  shown?.id ? ` ${shown.home}p${shown.id}:${shown.version}>${shown.author?.id ?? ''}${user(shown.author)}` : '';
const posts = (shown: readonly Post[]): string => shown.map(post).join('');
const list = (name: string, shown: readonly Post[] | undefined): string =>
  shown === undefined ? '' : ` ${shown[0]?.home ?? ''}${name}:${shown.map(({ id }) => id).join('.')}${posts(shown)}`;

const argsOf = (id: string | undefined): { id: string } | null => (id === undefined ? null : { id });

function useAction(root: Root, action: (id: string, versions: { guess: number; version: number }) => void): void {
  useEffect(() => {
    root.actions.add(action);
    return () => void root.actions.delete(action);
  });
}

function readersOf(root: Root) {
  // With two controllers, a component cannot tell which one has no such record.
  const none = (id: string): string => (root.datas.length > 1 ? '' : ` p${id}:none`);
  const readers = {
    query: (id = '1') => post(useQuery(Post, { id })) || none(id),
    user: (id = '1') => user(useQuery(User, { id })),
    cache: (id) => post(useCache(getPost, argsOf(id))),
    suspense: (id) => post(useSuspense(getPost, argsOf(id))),
    live: (id) => post(useLive(getPost, argsOf(id))),
    dle: (id) => post(useDLE(getPost, argsOf(id)).data),
    fetch: (id) => {
      const promise = useFetch(getPost, argsOf(id));
      return use === undefined || promise === undefined ? '' : post(use(promise));
    },
    list: () => list('L', useSuspense(getList)),
    dleList: () => list('L', useDLE(getList).data),
    all: () => list('all', useQuery(everyPost)),
    infinite: () => {
      const { pages, fetchNext } = useInfinite(
        getFeed,
        { page: 1 },
        { next: ({ next }) => (next ? { page: next } : undefined) },
      );
      useEffect(() => void fetchNext().catch(() => {}), []);
      return pages.map((page, at) => list(`F${at}`, page.posts)).join('');
    },
    collected: () => list('C', useSuspense(getCollected)),
    members: () => list('C', useQuery(collected)),
    latest: () => list('latest', useQuery(latest)),
    relation: (id = '1') => list(`of${id}`, useQuery(postsOf, id)),
    joined: () => {
      const users = useQuery(usersWithPosts);
      return users === undefined ? '' : users.map((shown) => user(shown) + list(`of${shown.id}`, shown.posts)).join('');
    },
    both: (id) => {
      useSubscription(getPost, argsOf(id));
      const author = useQuery(User, { id: id ?? '1' });
      const shown = useSuspense(getPost, argsOf(id));
      const { data } = useDLE(getList);
      return user(author) + post(shown) + list('L', data);
    },
    previous: (id) => {
      const { data, previous } = useDLE(getPost, argsOf(id));
      return post(previous ?? data);
    },
    pending: (id = '1') => {
      const shown = useQuery(User, { id });
      return user(shown) + (usePending(shown) ? ' unsaved' : '');
    },
    mutation: (id = '1') => {
      const { mutate, isPending, data } = useMutation(renameUser);
      const controller = useController();
      const { home = '' } = root.datas.find((one) => one.controller === controller) ?? {};
      useAction(root, (of, versions) => void mutate({ id: of, home, ...versions }));
      const shown = useQuery(User, { id });
      // The answer of a call stays as it was, so its version is not compared with those of the store.
      return user(shown) + (isPending ? ' unsaved' : '') + (data === undefined ? '' : ` answered ${data.id}`);
    },
    loading: () => {
      const controller = useController();
      const [load, isLoading, error] = useLoading(() => controller.fetch(getList));
      useAction(root, () => void load());
      return list('L', useCache(getList)) + (isLoading ? ' unsaved' : '') + (error === undefined ? '' : ' not loaded');
    },
  } satisfies Record<string, (id: string | undefined) => string>;
  return readers;
}

function placeOf(root: Root): ComponentType<Place> {
  const readers: Record<Hook, (id: string | undefined) => string> = readersOf(root);
  return function PlaceView({ hook, id, isDeferred, isSlow, where }: Place): ReactNode {
    root.renders++;
    const deferred = useDeferredValue(id);
    if (isSlow) blockThread(3);
    const text = ` ${hook}(${readers[hook](isDeferred ? deferred : id)})`;
    // Brackets mark the content of the other controller.
    return <i>{where === 'nested' ? ` [${text}]` : text}</i>;
  };
}

function failedOf(root: Root): ComponentType<ErrorFallbackProps> {
  return function Failed({ error, resetErrorBoundary }: ErrorFallbackProps): ReactNode {
    useState(() => root.failures++);
    useEffect(() => {
      root.resets.add(resetErrorBoundary);
      return () => void root.resets.delete(resetErrorBoundary);
    }, [resetErrorBoundary]);
    return ` failed: ${error.message}`;
  };
}

export function pageOf(root: Root, keepsScreen: boolean): ComponentType {
  const PlaceView = placeOf(root);
  const Failed = failedOf(root);
  const nested = root.datas.at(-1)?.controller;
  function Away({ id }: { id: string | undefined }): ReactNode {
    const shown = useSuspense(getPost, id === undefined ? null : { id });
    return shown === undefined ? '' : post(shown);
  }
  function Bounded({ children }: { children: ReactNode }): ReactNode {
    return (
      <ErrorBoundary fallbackComponent={Failed}>
        <Suspense fallback={<i> waiting</i>}>{children}</Suspense>
      </ErrorBoundary>
    );
  }
  function Around({ where, children }: Pick<Place, 'where'> & { children: ReactNode }): ReactNode {
    const bounded = where === 'own' || where === 'nested' ? <Bounded>{children}</Bounded> : children;
    return where === 'nested' ? <DataProvider controller={nested}>{bounded}</DataProvider> : bounded;
  }
  const PageView = memo(function PageView(): ReactNode {
    const [{ places, away, isHidden }, go] = useState(root.page);
    root.go = go;
    const view = (place: Place): ReactNode => (
      <Around key={place.at} where={place.where}>
        <PlaceView {...place} />
      </Around>
    );
    return (
      <Bounded>
        <Away id={away} />
        {places.filter(({ where }) => where === 'shared').map(view)}
        <Hideable mode={isHidden ? 'hidden' : 'visible'}>
          <div>
            {places.filter(({ where }) => where === 'own' || where === 'nested').map(view)}
            <Bounded>{places.filter(({ where }) => where === 'hideable').map(view)}</Bounded>
          </div>
        </Hideable>
      </Bounded>
    );
  });
  return function RootView(): ReactNode {
    const [{ at, key }, provide] = useState(root.provided);
    root.provide = provide;
    return (
      <DataProvider key={key} controller={root.datas[at]?.controller} keepsScreen={keepsScreen}>
        <PageView />
      </DataProvider>
    );
  };
}
