import {
  startTransition,
  type TransitionStartFunction,
  useEffect,
  useMemo,
  useRef,
  useState,
  useTransition,
} from 'react';
import {
  type Gap,
  gapIn,
  itemsOf,
  type Pages,
  repeatable,
  type Side,
  withGapFilled,
  withPage,
} from '../../control/view/page-window.ts';
import { PagesView, ShownPages } from '../../control/view/pages-view.ts';
import { type CallState, MutationCalls, NO_CALLS } from '../../control/view/mutation-calls.ts';
import { ViewReader } from '../../control/screen/reader.ts';
import { valueOf } from '../../control/view/answer.ts';
import { type RequestView, requestView } from '../../control/view/request-view.ts';
import type { EndpointInterface, ReadEndpoint, NoMutation } from '../../define/endpoint/infer-endpoint.ts';
import type { ValueOf } from '../../define/endpoint/infer-value.ts';
import { useController, useScreen } from './controller-context.ts';
import { useIsomorphicLayoutEffect } from './environment.ts';
import { useAnswer } from './use-answer.ts';

/** The argument that fetches a page: that of `getPage` if the endpoint has it. */
export type PageArg<E extends EndpointInterface> = E extends { readonly getPage: infer P extends EndpointInterface }
  ? Parameters<P>[0] | Parameters<E>[0]
  : Parameters<E>[0];

type NextPage<E extends EndpointInterface> = (
  page: ValueOf<E>,
  arg: PageArg<E>,
  pages: readonly ValueOf<E>[],
) => PageArg<E> | undefined;

/** The items of a page, which is a list or contains one. */
export type ItemOf<Page> = Page extends readonly (infer Item)[]
  ? Item
  : { [Name in keyof Page]-?: NonNullable<Page[Name]> extends readonly (infer Item)[] ? Item : never }[keyof Page];

/** The options of `useInfinite`. */
export interface InfiniteOptions<E extends EndpointInterface> {
  /** Returns the argument of the page after `page`; `undefined` after the last one. `arg` is the argument of `page`. */
  readonly next: NextPage<E>;
  /** Returns the argument of the page before `page`; `undefined` before the first one. */
  readonly previous?: NextPage<E> | undefined;
  /** How many pages are kept. Beyond that, the page at the other end is removed. Default: all. */
  readonly maxPages?: number | undefined;
}

/** The loaded pages of a list, and whether there are more. */
export interface Infinite<Page> {
  readonly pages: readonly Page[];
  /** The items of all pages, in order, each once. The same array until a page changes. */
  readonly items: readonly ItemOf<Page>[];
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
  readonly isFetchingNext: boolean;
  readonly isFetchingPrevious: boolean;
  /** The error of the latest page. */
  readonly error: Error | undefined;
  readonly fetchNext: () => Promise<void>;
  readonly fetchPrevious: () => Promise<void>;
  /** Fetches one page again. The others stay. */
  readonly refetch: (at: number) => Promise<void>;
}

/**
 * A list in pages, with one request for each page. Suspends until the first page is loaded.
 * `const { items, fetchNext } = useInfinite(getPosts, { page: 1 }, { next })`.
 */
export function useInfinite<E extends NoMutation>(
  endpoint: E,
  arg: PageArg<E>,
  options: InfiniteOptions<E>,
): Infinite<ValueOf<E>>;
export function useInfinite(
  endpoint: ReadEndpoint,
  first: unknown,
  { next, previous, maxPages = Number.POSITIVE_INFINITY }: InfiniteOptions<ReadEndpoint>,
): Infinite<unknown> {
  const controller = useController();
  const kept = usePages(endpoint, first);
  const { reader, change, load } = kept;
  const options = { keyOf: (of: unknown): string => endpoint.key(of), limit: maxPages };
  const answer = useAnswer(reader);
  // oxlint-disable-next-line typescript/only-throw-error -- a promise is what React waits for
  if (answer.status === 'missing') throw reader.wait();
  if (answer.status === 'failed') throw answer.error;
  const { value: pages } = answer;
  const { window } = kept.pages;
  // oxlint-disable-next-line react-hooks/rules-of-hooks -- a render that suspends or throws keeps no hooks
  const items = useMemo(() => itemsOf(pages), [pages]);
  const add = async (side: Side, from: unknown, arg: unknown, show: TransitionStartFunction): Promise<void> => {
    if (arg === undefined) return;
    await load(arg);
    change((before) => withPage(before, side, from, arg, options), show);
  };
  // oxlint-disable-next-line react-hooks/rules-of-hooks -- as above
  useFilledGaps(kept, pages, 'next', next, options);
  // oxlint-disable-next-line react-hooks/rules-of-hooks -- as above
  useFilledGaps(kept, pages, 'previous', previous, options);
  const [start, last] = [window[0], window.at(-1)];
  const nextArg: unknown = next(pages.at(-1), last, pages);
  const previousArg: unknown = previous?.(pages[0], start, pages);
  const [fetchNext, isFetchingNext, nextError] = useShowing(kept.key, (show) => add('next', last, nextArg, show));
  const [fetchPrevious, isFetchingPrevious, previousError] = useShowing(kept.key, (show) =>
    add('previous', start, previousArg, show),
  );
  return {
    pages,
    items: items as readonly never[],
    hasNext: nextArg !== undefined,
    hasPrevious: previousArg !== undefined,
    isFetchingNext,
    isFetchingPrevious,
    error: nextError ?? previousError,
    fetchNext,
    fetchPrevious,
    refetch: async (at) => {
      if (at in window) await controller.fetch(endpoint, window[at]);
    },
  };
}

/** Fetches records that may be missing between two pages, of those that `next` or `previous` has found. */
function useFilledGaps(
  { change, load, pageOf, pages: args }: ReturnType<typeof usePages>,
  pages: readonly unknown[],
  side: Side,
  name: NextPage<ReadEndpoint> = () => undefined,
  { keyOf, limit }: Parameters<typeof withPage>[4],
): void {
  /** The pages after which a gap was filled. */
  const [filled] = useState(() => new WeakSet<object>());
  const options = { filled, keyOf, limit };
  const fill = async (gap: Gap): Promise<void> => {
    const page = await load(gap.arg);
    change((before) =>
      page === undefined || before.window !== args.window ? before : withGapFilled(before, gap, page, pages, options),
    );
  };
  useEffect(() => {
    const gap = gapIn(args, pages, side, name, options);
    if (gap === undefined) return undefined;
    // A gap stays if its page cannot be loaded. The page counts as shown, so it is fetched again as others are.
    const view = pageOf(gap.arg);
    const stop = view.subscribe(() => 'value' in view.current() && void fill(gap));
    fill(gap).catch(() => {});
    return stop;
  }, [pages]);
}

/**
 * As `useLoading`, but `loading` stays true until the page is shown. Otherwise, an effect that fetches while nothing is loading would
 * run several times before that. So the end of a call is React state, which React never renders before that of the transition. Each list, which
 * `key` identifies, has calls of its own.
 */
function useShowing(key: string, run: (show: TransitionStartFunction) => Promise<void>) {
  const [isShowing, show] = useTransition();
  const [state, rerender] = useState<CallState & { readonly of?: MutationCalls }>(NO_CALLS);
  const shown = useRef<MutationCalls>(undefined);
  const calls = useMemo(() => {
    const made = new MutationCalls('isPending', 'error');
    made.subscribe(() => {
      if (shown.current === made) rerender({ of: made, ...made.current() });
    });
    return made;
  }, [key]);
  useIsomorphicLayoutEffect(() => void (shown.current = calls), [calls]);
  const { isPending, error } = state.of === calls ? state : NO_CALLS;
  const fetch = async (): Promise<void> => void (await calls.run(() => run(show)));
  return [fetch, isPending || isShowing, error as Error | undefined] as const;
}

/** Returns the loaded pages, a function that changes which pages are loaded, and a function that loads a page. */
function usePages(endpoint: ReadEndpoint, first: unknown) {
  const controller = useController();
  const screen = useScreen();
  const key: string = endpoint.key(first);
  const [state, setState] = useState<Pages>({ key, window: [first], before: 0 });
  // Pages of another list are not shown, even if this list has none yet.
  const pages = useMemo(
    () => (state.key === key ? state : { key, window: [first], before: 0 }),
    // The key identifies the arguments.
    [state, key],
  );
  const pageOf = (arg: unknown): RequestView => requestView(controller, endpoint, [arg]);
  const [shown] = useState(() => new ShownPages());
  const view = useMemo(
    () => new PagesView(pages.window.map(pageOf), shown),
    // `pages` has the key, and the key identifies the arguments.
    [controller, pages],
  );
  view.renew(controller, endpoint);
  const reader = useMemo(() => new ViewReader(screen, view, true), [screen, view]);
  const shownKey = useRef(key);
  useIsomorphicLayoutEffect(() => void (shownKey.current = key), [key]);
  const change = (run: (before: Pages) => Pages, start = startTransition): void => {
    const apply = repeatable((before) => run(before.key === key ? before : pages));
    // The page may have been asked for before the arguments changed.
    if (shownKey.current === key) start(() => setState(apply));
  };
  const load = async (arg: unknown): Promise<unknown> => {
    const page = pageOf(arg);
    if (page.current().status !== 'fresh') await page.fetchMissing();
    const found = page.current();
    if (found.status === 'failed') throw found.error;
    return valueOf(found);
  };
  return { reader, key, pages, change, load, pageOf };
}
