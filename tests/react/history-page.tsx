/** The page of the random React histories: hooks that show related records, in boundaries of several kinds. */
import * as React from 'react';
import { type ComponentType, type ReactNode, Suspense, useDeferredValue, useEffect, useState } from 'react';
import {
  ErrorBoundary,
  type ErrorFallbackProps,
  useCache,
  useDLE,
  useFetch,
  useInfinite,
  useLive,
  useQuery,
  useSubscription,
  useSuspense,
} from 'rejoin/react';
import { spin } from './harness.tsx';
import { collected, type Data, everyPost, latest, Post, postsOf, User, usersWithPosts } from './history-world.ts';

/** React 18 has no `use`. */
const use = (React as { use?: <Value>(promise: Promise<Value>) => Value }).use;
const Activity = (React as { Activity?: ComponentType<{ mode: 'visible' | 'hidden'; children: ReactNode }> }).Activity;
const Hideable = Activity ?? (({ children }: { children: ReactNode }) => children);

export type Hook = keyof ReturnType<typeof hooksOf>;

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
];

export interface Place {
  readonly at: number;
  readonly hook: Hook;
  /** `undefined` asks for nothing. */
  readonly id: string | undefined;
  /** `own` has boundaries of its own, `shared` those of the page, `hideable` is in what can be hidden. */
  readonly where: 'own' | 'shared' | 'hideable';
  readonly isDeferred: boolean;
  readonly isSlow: boolean;
}

export interface Page {
  readonly places: readonly Place[];
  readonly away: string | undefined;
  readonly isHidden: boolean;
}

const NO_PAGE: Page = { places: [], away: undefined, isHidden: false };

/** One root. */
export class Root {
  readonly data: Data;
  page: Page = NO_PAGE;
  go: (page: Page) => void = () => {};
  renders = 0;
  /** How often a boundary has begun to show an error, also in renders that React has thrown away. */
  failures = 0;
  /** What tries again, of each error that is shown. */
  readonly resets = new Set<() => void>();

  constructor(data: Data) {
    this.data = data;
  }

  change(change: Partial<Page>): void {
    this.page = { ...this.page, ...change };
    this.go(this.page);
  }

  retry(): void {
    for (const reset of this.resets) reset();
  }
}

// What a record shows of itself: its name and its version.
const user = (shown: User | undefined): string => (shown?.id ? ` u${shown.id}:${shown.version}` : '');
const post = (shown: Post | undefined): string =>
  shown?.id ? ` p${shown.id}:${shown.version}>${shown.author?.id ?? ''}${user(shown.author)}` : '';
const posts = (shown: readonly Post[]): string => shown.map(post).join('');
const list = (name: string, shown: readonly Post[] | undefined): string =>
  shown === undefined ? '' : ` ${name}:${shown.map(({ id }) => id).join('.')}${posts(shown)}`;

/** What is never asked for, a reader knows not to be there. */
const known = (text: string, id: string | undefined): string => text || (id === undefined ? '' : ` p${id}:none`);

function hooksOf({ getPost, getList, getCollected, getFeed }: Data) {
  const argsOf = (id: string | undefined): { id: string } | null => (id === undefined ? null : { id });
  const hooks = {
    query: (id) => known(post(useQuery(Post, { id: id ?? '1' })), id),
    user: (id) => user(useQuery(User, { id: id ?? '1' })),
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
  } satisfies Record<string, (id: string | undefined) => string>;
  return hooks;
}

function placeOf(root: Root): ComponentType<Place> {
  const hooks: Record<Hook, (id: string | undefined) => string> = hooksOf(root.data);
  return function PlaceView({ hook, id, isDeferred, isSlow }: Place): ReactNode {
    root.renders++;
    const deferred = useDeferredValue(id);
    if (isSlow) spin(3);
    return <i>{` ${hook}(${hooks[hook](isDeferred ? deferred : id)})`}</i>;
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

export function pageOf(root: Root): ComponentType {
  const PlaceView = placeOf(root);
  const Failed = failedOf(root);
  function Away({ id }: { id: string | undefined }): ReactNode {
    const shown = useSuspense(root.data.getPost, id === undefined ? null : { id });
    return shown === undefined ? '' : post(shown);
  }
  function Bounded({ children }: { children: ReactNode }): ReactNode {
    return (
      <ErrorBoundary fallbackComponent={Failed}>
        <Suspense fallback={<i> waiting</i>}>{children}</Suspense>
      </ErrorBoundary>
    );
  }
  return function PageView(): ReactNode {
    const [{ places, away, isHidden }, go] = useState(root.page);
    root.go = go;
    const view = (place: Place): ReactNode =>
      place.where === 'own' ? (
        <Bounded key={place.at}>
          <PlaceView {...place} />
        </Bounded>
      ) : (
        <PlaceView key={place.at} {...place} />
      );
    return (
      <Bounded>
        <Away id={away} />
        {places.filter(({ where }) => where === 'shared').map(view)}
        <Hideable mode={isHidden ? 'hidden' : 'visible'}>
          <div>
            {places.filter(({ where }) => where === 'own').map(view)}
            <Bounded>{places.filter(({ where }) => where === 'hideable').map(view)}</Bounded>
          </div>
        </Hideable>
      </Bounded>
    );
  };
}
