import { useCallback } from 'react';
import {
  AsyncBoundary,
  DataProvider,
  useCache,
  useController,
  useDLE,
  useFetch,
  useLive,
  useLoading,
  useQuery,
  useSuspense,
} from 'rejoin/react';
import { ServerSession } from 'rejoin/ssr';
import { MockResolver, renderDataHook } from 'rejoin/testing';
import { byVotes, type Post, posts, price, User } from './model.js';

export function App() {
  return (
    <DataProvider>
      <AsyncBoundary fallback={<p>Loading</p>}>
        <MockResolver fixtures={[{ endpoint: posts.get, args: [{ id: '5' }], response: { id: '5' } }]}>
          <List />
        </MockResolver>
      </AsyncBoundary>
    </DataProvider>
  );
}

function List() {
  void useFetch(posts.get, { id: '6' });
  const kept: Post | undefined = useCache(posts.get, { id: '6' });
  const nothing = useSuspense(posts.get, null);
  const list = useSuspense(posts.getList, { author: '7' });
  const sorted = useQuery(byVotes, { author: '7' });
  const author = useQuery(User, { id: '7' });
  const { data, loading, error } = useDLE(posts.get, { id: '5' });
  const { price: now } = useLive(price, { exchangePair: 'btc-usd' });
  const controller = useController();
  const add = useCallback(() => controller.fetch(posts.getList.push, { title: 'New' }), [controller]);
  const [save, isSaving] = useLoading((title: string) => controller.fetch(posts.getList.push, { title }));
  const titles: string[] = list.map((post) => `${post.title} by ${post.author.name}`);
  const first: Post | undefined = sorted?.[0];
  // @ts-expect-error not loaded yet
  data.title;
  return (
    <button onClick={() => void add()}>
      {titles} {first?.title} {kept?.title} {nothing?.title} {isSaving && save.length} {author?.name} {data?.title}{' '}
      {loading} {error?.message} {now.toFixed(2)}
    </button>
  );
}

export const { result } = renderDataHook(() => useSuspense(posts.get, { id: '5' }));
export const title: string = result.current.title;
export const session = new ServerSession();
