/** A page with several lists of deals, their totals, a live query, and details. */
import * as React from 'react';
import { type ComponentType, type ReactNode, Suspense, useLayoutEffect, useMemo, useState } from 'react';
import {
  ErrorBoundary,
  type ErrorFallbackProps,
  type Infinite,
  useDLE,
  useInfinite,
  usePending,
  useQuery,
  useSubscription,
  useSuspense,
} from 'rejoin/react';
import { type Deal, type Model, Owner, won } from './deal-model.ts';
import type { Search } from './deal-server.ts';

const Activity = (React as { Activity?: ComponentType<{ mode: 'visible' | 'hidden'; children: ReactNode }> }).Activity;
const Hideable = Activity ?? (({ children }: { children: ReactNode }) => children);

const PAGE_SIZE = 3;

export type Paging = 'page' | 'offset' | 'cursor';

/** A list on the page: what it filters and sorts, and how it names its pages. Without `paging` it is one page. */
export interface ListKind {
  readonly search: Search;
  readonly paging?: Paging;
}

export interface Place {
  readonly at: number;
  readonly kind: 'infinite' | 'list' | 'dle' | 'detail' | 'polled' | 'won';
  readonly list: ListKind;
  readonly id: number;
  readonly maxPages: number | undefined;
  readonly isHideable: boolean;
}

export interface DealPage {
  readonly items: readonly Deal[];
  readonly total: number;
  readonly next?: string;
}

/** What a list shows. */
export interface ShownList {
  readonly place: Place;
  readonly items: readonly Deal[];
  readonly total: number | undefined;
  readonly infinite: Infinite<DealPage> | undefined;
}

export interface PageState {
  readonly places: readonly Place[];
  readonly isHidden: boolean;
}

/** One root, and the content of its screen. */
export class Root {
  readonly model: Model;
  state: PageState;
  go: (change: (before: PageState) => PageState) => void = () => {};
  readonly lists = new Map<number, ShownList>();
  /** The errors on the screen, each with the function that tries again. */
  readonly failed = new Map<number, readonly [error: Error, retry: () => void]>();
  /** The places whose content was on the screen, and for which no step was a reason to remove it. */
  readonly seen = new Set<string>();
  /** What is in the document, by place: its content, or what has taken the place of it. */
  readonly #inDocument = new Map<string, 'content' | 'replaced'>();
  /** Records that were deleted, perhaps by a guess. */
  readonly deleted = new Set<number>();
  /** Records that were polled: a failed poll leaves what is shown. */
  readonly polled = new Set<number>();
  readonly faults: string[] = [];
  renders = 0;

  constructor(model: Model, state: PageState) {
    this.model = model;
    this.state = state;
  }

  /** An update of React state, so that an urgent update does not also commit a pending transition. */
  change(change: (before: PageState) => PageState): void {
    this.state = change(this.state);
    this.go(change);
  }

  /** The content of a place is on the screen. */
  show(shown: ShownList | Place): void {
    const place = 'place' in shown ? shown.place : shown;
    const name = JSON.stringify(place);
    this.#inDocument.set(name, 'content');
    beforeFrame(() => this.#inDocument.get(name) === 'content' && this.seen.add(name));
    if (place.kind === 'polled') this.polled.add(place.id);
    if ('place' in shown) this.lists.set(place.at, shown);
  }

  /** Something else is in the document instead of the content of a place. Returns a function to call when it is removed. */
  replace(place: Place, by: string): () => void {
    const name = JSON.stringify(place);
    this.#inDocument.set(name, 'replaced');
    const isExpected = (isDetail(place) && this.deleted.has(place.id)) || !this.seen.has(name);
    beforeFrame(() => {
      if (!isExpected && this.#inDocument.get(name) === 'replaced')
        this.faults.push(`${by} takes the place of ${name}`);
    });
    return () => void this.#inDocument.delete(name);
  }
}

/** Runs a function after the hooks have corrected the present render, and before its frame. */
function beforeFrame(run: () => void): void {
  queueMicrotask(run);
}

// The fields of a record that are shown.
const textOf = ({ id, owner, stage, title, version }: Deal): string =>
  ` d${String(id).replaceAll(':', '.')}:${title}/${stage}/${owner?.id}/${version}${owner ? ` o${owner.id}:${owner.name}` : ''}`;
const textsOf = (deals: readonly Deal[]): string => deals.map(textOf).join('');

export function firstOf({ paging, search }: ListKind): Search {
  if (paging === undefined) return search;
  return {
    ...search,
    limit: PAGE_SIZE,
    ...(paging === 'page' && { page: 1 }),
    ...(paging === 'offset' && { offset: 0 }),
  };
}

function nextOf(paging: Paging | undefined) {
  return ({ next }: DealPage, arg: Search): Search | undefined => {
    if (next === undefined || next === '') return undefined;
    if (paging === 'cursor') return { ...arg, cursor: next };
    if (paging === 'page') return { ...arg, page: Number(arg['page']) + 1 };
    return { ...arg, offset: Number(arg['offset']) + PAGE_SIZE };
  };
}

function previousOf(paging: Paging | undefined) {
  return (_: DealPage, arg: Search): Search | undefined => {
    if (paging === 'page') return Number(arg['page']) > 1 ? { ...arg, page: Number(arg['page']) - 1 } : undefined;
    if (paging !== 'offset' || Number(arg['offset']) <= 0) return undefined;
    return { ...arg, offset: Math.max(0, Number(arg['offset']) - PAGE_SIZE) };
  };
}

function placesOf(root: Root) {
  const { deals, polled } = root.model;
  const useShown = (shown: ShownList | Place): void => useLayoutEffect(() => root.show(shown));
  function InfiniteView({ place }: { place: Place }): ReactNode {
    const { list, maxPages } = place;
    const infinite = useInfinite(deals.getList as never, firstOf(list) as never, {
      next: nextOf(list.paging) as never,
      previous: previousOf(list.paging) as never,
      maxPages,
    }) as unknown as Infinite<DealPage>;
    useShown({ place, items: infinite.items, total: infinite.pages.at(-1)?.total, infinite });
    return textsOf(infinite.items);
  }
  function ListView({ place }: { place: Place }): ReactNode {
    const { items, total } = useSuspense(deals.getList, firstOf(place.list)) as unknown as DealPage;
    useShown({ place, items, total, infinite: undefined });
    return textsOf(items);
  }
  function DleView({ place }: { place: Place }): ReactNode {
    const { data } = useDLE(deals.getList, firstOf(place.list)) as unknown as { readonly data?: DealPage };
    const items = data?.items ?? [];
    useShown({ place, items, total: data?.total, infinite: undefined });
    return textsOf(items);
  }
  function DetailView({ place }: { place: Place }): ReactNode {
    const deal = useSuspense(deals.get, { id: place.id });
    const owner = useQuery(Owner, { id: 1 });
    useShown(place);
    return `${textOf(deal)}${owner ? ` o1:${owner.name}` : ''}${usePending(deal) ? ' pending' : ''}`;
  }
  function PolledView({ place }: { place: Place }): ReactNode {
    useSubscription(polled, { id: place.id });
    return <DetailView place={place} />;
  }
  function WonView({ place }: { place: Place }): ReactNode {
    useShown(place);
    return textsOf(useQuery(won) ?? []);
  }
  return { infinite: InfiniteView, list: ListView, dle: DleView, detail: DetailView, polled: PolledView, won: WonView };
}

/** An error belongs to the requested record. */
function keyOf(place: Place): string {
  return isDetail(place) ? `${place.at} ${place.id}` : `${place.at}`;
}

export function isDetail({ kind }: Place): boolean {
  return kind === 'detail' || kind === 'polled';
}

export function pageOf(root: Root): ComponentType {
  const views = placesOf(root);
  function Waiting({ place }: { place: Place }): ReactNode {
    useLayoutEffect(() => root.replace(place, 'a fallback'));
    return ' waiting';
  }
  function Bounded({ place }: { place: Place }): ReactNode {
    const Failed = useMemo(
      () =>
        function ShownError({ error, resetErrorBoundary }: ErrorFallbackProps): ReactNode {
          useLayoutEffect(() => {
            const onRemoved = root.replace(place, `the error "${error.message}"`);
            root.failed.set(place.at, [error, resetErrorBoundary]);
            return () => {
              onRemoved();
              root.failed.delete(place.at);
            };
          });
          return ' failed';
        },
      [place],
    );
    root.renders++;
    const View = views[place.kind];
    return (
      <ErrorBoundary fallbackComponent={Failed}>
        <Suspense fallback={<Waiting place={place} />}>
          <View place={place} />
        </Suspense>
      </ErrorBoundary>
    );
  }
  return function PageView(): ReactNode {
    const [{ places, isHidden }, go] = useState(root.state);
    root.go = go;
    const view = (place: Place): ReactNode => <Bounded key={keyOf(place)} place={place} />;
    return (
      <>
        {places.filter(({ isHideable }) => !isHideable).map(view)}
        <Hideable mode={isHidden ? 'hidden' : 'visible'}>
          <div>{places.filter(({ isHideable }) => isHideable).map(view)}</div>
        </Hideable>
      </>
    );
  };
}
