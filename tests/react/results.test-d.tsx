import { describe, expectTypeOf, test } from 'vitest';
import {
  type ArgsOrNull,
  Collection,
  Endpoint,
  type EndpointInterface,
  Entity,
  from,
  type List,
  Query,
  type Queryable,
  type ReadEndpoint,
  resource,
  RestEndpoint,
  type SchemaArgs,
} from 'rejoin';
import {
  DataProvider,
  useCache,
  useCancelling,
  useDLE,
  useFetch,
  useInfinite,
  useLive,
  useLoading,
  useMutation,
  useQuery,
  useSubscription,
  useSuspense,
} from 'rejoin/react';
import { Post } from '../model.ts';
class Ticker extends Entity {
  product_id = '';
  price = 0;
  override pk(): string {
    return this.product_id;
  }
  static override key = 'Ticker';
  static override schema = { price: Number };
}
const PostResource = resource({
  path: '/posts/:id',
  schema: Post,
  searchParams: undefined as { userId?: string } | undefined,
  paginationField: 'page',
});
const getTicker = new RestEndpoint({ path: '/products/:productId/ticker', schema: Ticker, pollFrequency: 2000 });
const getPage = new RestEndpoint({
  path: '/feed',
  schema: { results: new Collection([Post]), next: '' },
  searchParams: undefined as { cursor?: string } | undefined,
});
const getText = new Endpoint(async (_args: { id: string }) => 'text', { name: 'getText' });
const id = '1' as string | undefined;

describe('the results of hooks', () => {
  test('are exactly what the schema says', () => {
    expectTypeOf(useSuspense(PostResource.get, { id: '1' })).toEqualTypeOf<Post>();
    expectTypeOf(useSuspense(PostResource.get, { id: '1' }).author.name).toEqualTypeOf<string>();
    expectTypeOf(useSuspense(PostResource.getList)).toEqualTypeOf<List<Post>>();
    expectTypeOf(useSuspense(getPage)).toEqualTypeOf<{ readonly results: List<Post>; readonly next: string }>();
    expectTypeOf(useSuspense(getText, { id: '1' })).toEqualTypeOf<string>();
    expectTypeOf(useLive(getTicker, { productId: 'BTC-USD' })).toEqualTypeOf<Ticker>();
  });

  test('may be undefined when the arguments may be null, or when the hook does not suspend', () => {
    expectTypeOf(useSuspense(PostResource.get, id === undefined ? null : { id })).toEqualTypeOf<Post | undefined>();
    expectTypeOf(useCache(PostResource.get, { id: '1' })).toEqualTypeOf<Post | undefined>();
    expectTypeOf(useQuery(Post, { id: '1' })).toEqualTypeOf<Post | undefined>();
    expectTypeOf(useFetch(PostResource.get, null)).toExtend<Promise<Post | undefined> | undefined>();
    expectTypeOf(useFetch(PostResource.get, { id: '1' })).resolves.toEqualTypeOf<Post>();
  });

  test('of a query that an endpoint loads are those of the query', () => {
    const posts = from(Post).loadedBy(PostResource.getList);
    const number = from(Post).count().loadedBy(PostResource.getList);
    expectTypeOf(useSuspense(posts, { userId: '1' })).toEqualTypeOf<List<Post>>();
    expectTypeOf(useSuspense(number)).toEqualTypeOf<number>();
    expectTypeOf(useSuspense(posts, null)).toEqualTypeOf<List<Post> | undefined>();
    expectTypeOf(useLive(posts)).toEqualTypeOf<List<Post>>();
    expectTypeOf(useCache(number)).toEqualTypeOf<number | undefined>();
    expectTypeOf(useDLE(posts).data).toEqualTypeOf<List<Post> | undefined>();
    // @ts-expect-error -- an argument that the endpoint does not have
    useSuspense(posts, { user: '1' });
  });

  test('are distinguished by whether there is an error', () => {
    const result = useDLE(PostResource.get, { id: '1' });
    expectTypeOf(result.data).toEqualTypeOf<Post | undefined>();
    expectTypeOf(result.loading).toEqualTypeOf<boolean>();
    expectTypeOf(result.error?.message).toEqualTypeOf<string | undefined>();
    expectTypeOf(result.previous).toEqualTypeOf<Post | undefined>();
    const { data, loading, error } = result;
    if (loading) expectTypeOf(error).toEqualTypeOf<undefined>();
    else if (error) expectTypeOf(error.message).toEqualTypeOf<string>();
    else expectTypeOf(data).toEqualTypeOf<Post>();
    const plain = useDLE(getText, { id: '1' });
    if (!plain.loading && !plain.error) expectTypeOf(plain.data).toEqualTypeOf<string>();
    const maybe = useDLE(PostResource.get, id === undefined ? null : { id });
    if (!maybe.loading && !maybe.error) expectTypeOf(maybe.data).toEqualTypeOf<Post | undefined>();
  });

  test('of queries have the type that `process` returns', () => {
    const titles = new Query(PostResource.getList.schema, (posts) => posts.map(({ title }) => title));
    expectTypeOf(useQuery(titles)).toEqualTypeOf<List<string> | undefined>();
  });

  test('of useInfinite are pages', () => {
    const { pages, fetchNext } = useInfinite(
      getPage,
      {},
      {
        next: (page, arg) => {
          expectTypeOf(page).toEqualTypeOf<{ readonly results: List<Post>; readonly next: string }>();
          expectTypeOf(arg).toEqualTypeOf<{ cursor?: string } | undefined>();
          return page.next === '' ? undefined : { cursor: page.next };
        },
        maxPages: 3,
      },
    );
    expectTypeOf(pages).toEqualTypeOf<readonly { readonly results: List<Post>; readonly next: string }[]>();
    expectTypeOf(fetchNext).toEqualTypeOf<() => Promise<void>>();
    useInfinite(PostResource.getList, { userId: '1' }, { next: (_page, arg) => ({ ...arg, page: 2 }) });
  });
});

describe('the arguments of hooks', () => {
  test('are those of the endpoint', () => {
    // @ts-expect-error -- no id
    useSuspense(PostResource.get, {});
    // @ts-expect-error -- not an argument of this path
    useSuspense(PostResource.get, { id: '1', name: 'x' });
    // @ts-expect-error -- no arguments
    useLive(getTicker);
    // @ts-expect-error -- a post has no such field
    useQuery(Post, { name: 'x' });
    useSubscription(getTicker, null);
    expectTypeOf(useCancelling(PostResource.get, { id: '1' })).toEqualTypeOf(PostResource.get);
  });

  test('do not include endpoints of mutations in hooks that read', () => {
    // @ts-expect-error -- a mutation
    useSuspense(PostResource.create, { title: 'x' });
    // @ts-expect-error -- a mutation
    useDLE(PostResource.delete, { id: '1' });
    // @ts-expect-error -- a mutation
    useLive(PostResource.update, { id: '1' }, { title: 'x' });
    expectTypeOf(useSuspense).toBeFunction();
  });

  test('of the function from useLoading are those of the function that it wraps', () => {
    const [run, loading, error] = useLoading(async (title: string) => title.length);
    expectTypeOf(run).toEqualTypeOf<(title: string) => Promise<number | undefined>>();
    expectTypeOf(loading).toEqualTypeOf<boolean>();
    expectTypeOf(error).toEqualTypeOf<Error | undefined>();
  });

  test('of useMutation are those of the endpoint', () => {
    const { mutate, data, error, isPending } = useMutation(PostResource.partialUpdate);
    expectTypeOf(mutate({ id: '1' }, { title: 'x' })).toEqualTypeOf<Promise<Post | undefined>>();
    expectTypeOf(data).toEqualTypeOf<Post | undefined>();
    expectTypeOf(error?.message).toEqualTypeOf<string | undefined>();
    expectTypeOf(isPending).toEqualTypeOf<boolean>();
    // @ts-expect-error -- no id
    void mutate({ title: 'x' });
  });

  test('of useQuery are schemas: for an endpoint, the compiler names the hook that fetches', () => {
    // @ts-expect-error -- the message names useSuspense()
    void useQuery(PostResource.get, { id: '1' });
    // @ts-expect-error -- and of one without a schema
    void useQuery(getText, { id: '1' });
    expectTypeOf(useQuery(PostResource.getList.schema)).toEqualTypeOf<List<Post> | undefined>();
  });

  test('of the provider are optional', () => {
    void (<DataProvider />);
    // @ts-expect-error -- a controller is not a state
    void (<DataProvider initialState={{}} />);
    expectTypeOf(DataProvider).toBeFunction();
  });
});

test('hooks can be called by hooks for any endpoint and any schema', () => {
  const useSuspenseOf = <E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>) => useSuspense(endpoint, ...args);
  const useAny = <E extends EndpointInterface>(endpoint: E, ...args: ArgsOrNull<E>) => {
    useSubscription(endpoint, ...args);
    void useFetch(endpoint, ...args);
    useLive(endpoint, ...args);
    useCache(endpoint, ...args);
    return useDLE(endpoint, ...args).data;
  };
  expectTypeOf(useSuspenseOf(PostResource.get, { id: '1' })).toEqualTypeOf<Post>();
  expectTypeOf(useAny(PostResource.get, null)).toEqualTypeOf<Post | undefined>();
  const useFirst = <S extends Queryable>(schema: S, args: SchemaArgs<S>) => useQuery(schema, ...(args as never));
  expectTypeOf(useFirst(Post, ['1'])).toEqualTypeOf<Post | undefined>();
});

describe('a mutation', () => {
  test('is refused by hooks that read, with a text that names useMutation', () => {
    // The text is in the type of `sideEffect` that these hooks take.
    expectTypeOf<Parameters<typeof useSubscription>[0]['sideEffect']>()
      .extract<string>()
      .toEqualTypeOf<'A hook that reads was given a mutation. Write useMutation(endpoint), or call useController().fetch(endpoint, ...args) in an event handler.'>();
    // @ts-expect-error -- a mutation
    useSuspense(PostResource.update, { id: '1' }, { title: '' });
    // @ts-expect-error -- a mutation
    useInfinite(PostResource.create, { id: '1' }, { next: () => undefined });
    // @ts-expect-error -- a mutation
    useSubscription(PostResource.update, { id: '1' }, { title: '' });
    // @ts-expect-error -- a mutation
    useLive(PostResource.update, { id: '1' }, { title: '' });
    // @ts-expect-error -- a mutation
    useDLE(PostResource.create, { title: '' });
    // @ts-expect-error -- a mutation
    void useFetch(PostResource.delete, { id: '1' });
  });

  test('of several records resolves to a list', () => {
    const { mutate } = useMutation(PostResource.create);
    expectTypeOf(mutate([{ title: 'a' }])).toEqualTypeOf<Promise<List<Post> | undefined>>();
    expectTypeOf(mutate({ title: 'a' })).toEqualTypeOf<Promise<Post | undefined>>();
  });
});
