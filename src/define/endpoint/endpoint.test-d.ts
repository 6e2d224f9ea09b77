/* oxlint-disable vitest/expect-expect -- the compiler checks the expectations */
import { expectTypeOf, test } from 'vitest';
import { Post } from '../../../tests/model.ts';
import type { ExpiryStatus } from '../../control/view/expiry-status.ts';
import { Endpoint } from './endpoint.ts';
import type {
  ArgsOf,
  EndpointInterface,
  EndpointParam,
  EndpointToFunction,
  MutationEndpoint,
  ReadEndpoint,
} from './infer-endpoint.ts';
import type { NullableValueOf, ResolveType, ValueOf } from './infer-value.ts';
import type { List } from '../schema/infer-schema.ts';
const getPost = async ({ id }: { id: string }): Promise<{ id: string; raw: true }> => ({ id, raw: true });

test('an endpoint takes the arguments of its function and resolves to the same type', () => {
  const endpoint = new Endpoint(getPost, { schema: Post });
  expectTypeOf<ArgsOf<typeof endpoint>>().toEqualTypeOf<[{ id: string }]>();
  expectTypeOf<EndpointParam<typeof endpoint>>().toEqualTypeOf<{ id: string }>();
  expectTypeOf<ResolveType<typeof endpoint>>().toEqualTypeOf<{ id: string; raw: true }>();
  expectTypeOf<EndpointToFunction<typeof endpoint>>().toBeCallableWith({ id: '' });
  void endpoint({ id: '5' });
  // @ts-expect-error an id is text
  void endpoint({ id: 5 });
  // @ts-expect-error the same holds of keys
  endpoint.key({});
});

test('an application reads the value of its schema', () => {
  const endpoint = new Endpoint(getPost, { schema: Post });
  expectTypeOf<ValueOf<typeof endpoint>>().toEqualTypeOf<Post>();
  expectTypeOf<NullableValueOf<typeof endpoint>>().toEqualTypeOf<Post | undefined>();
  const raw = new Endpoint(getPost);
  expectTypeOf<ValueOf<typeof raw>>().toEqualTypeOf<{ id: string; raw: true }>();
  expectTypeOf<NullableValueOf<typeof raw>>().toEqualTypeOf<{ id: string; raw: true } | undefined>();
});

test('sideEffect tells mutations from reads', () => {
  const read = new Endpoint(getPost, { schema: Post });
  const change = new Endpoint(getPost, { schema: Post, sideEffect: true });
  expectTypeOf(read).toExtend<ReadEndpoint>();
  expectTypeOf(read).not.toExtend<MutationEndpoint>();
  expectTypeOf(change).toExtend<MutationEndpoint>();
  expectTypeOf(change).not.toExtend<ReadEndpoint>();
  expectTypeOf(change).toExtend<EndpointInterface>();
});

test('extend keeps options that are not given', () => {
  const read = new Endpoint(getPost, { schema: Post, mine: 5 });
  const other = read.extend({ schema: [Post], yours: '' });
  expectTypeOf<ValueOf<typeof other>>().toEqualTypeOf<List<Post>>();
  expectTypeOf(other.mine).toEqualTypeOf<number>();
  expectTypeOf(other.yours).toEqualTypeOf<string>();
  const another = read.extend({ fetch: async (page: number) => page });
  expectTypeOf<ArgsOf<typeof another>>().toEqualTypeOf<[page: number]>();
  expectTypeOf<ValueOf<typeof another>>().toEqualTypeOf<Post>();
});

test('bind removes the first arguments', () => {
  const sum = new Endpoint(async (one: number, other: string) => [one, other] as const);
  expectTypeOf<ArgsOf<ReturnType<typeof sum.bind<[number]>>>>().toEqualTypeOf<[other: string]>();
  expectTypeOf<ArgsOf<ReturnType<typeof sum.bind<[number, string]>>>>().toEqualTypeOf<[]>();
});

test('a subclass is generic in its function', () => {
  class Logged<F extends (...args: any) => Promise<any>> extends Endpoint<F> {
    override fetch(...args: Parameters<F>): ReturnType<F> {
      return super.fetch(...args);
    }
  }
  const logged = new Logged(getPost);
  expectTypeOf<ArgsOf<typeof logged>>().toEqualTypeOf<[{ id: string }]>();
});

test('bind refuses other arguments, and keeps members of your own', () => {
  const endpoint = new Endpoint(getPost, { root: 'posts' });
  expectTypeOf(endpoint.bind(undefined, { id: '1' }).root).toEqualTypeOf<string>();
  // @ts-expect-error -- an id is text
  endpoint.bind(undefined, { id: 1 });
});

test('what a function reads of `this` is among the options', () => {
  async function getMine(this: { readonly token: string }): Promise<string> {
    return this.token;
  }
  const mine = new Endpoint(getMine, { token: 'a' });
  // @ts-expect-error -- the token is missing
  new Endpoint(getMine, { name: 'mine' });
  // @ts-expect-error -- a token is text
  new Endpoint(getMine, { token: 5 });
  mine.extend({ token: 'b' });
  // @ts-expect-error -- a token is text
  mine.extend({ token: 5 });
});

test('a member of your own has no name of an option with one wrong letter', () => {
  const get = new Endpoint(getPost, { schema: Post, random: 5 });
  expectTypeOf(get.random).toEqualTypeOf<number>();
  // @ts-expect-error -- the option is called schema
  new Endpoint(getPost, { schma: Post });
  // @ts-expect-error -- the option is called sideEffect
  get.extend({ sideEfect: true });
});

test('a guess reads stored values with their types', () => {
  const read = new Endpoint(getPost, { schema: Post });
  new Endpoint(getPost, {
    sideEffect: true,
    schema: Post,
    getOptimisticResponse(snap, { id }) {
      const { data, expiryStatus, expiresAt } = snap.getResponse(read, { id });
      expectTypeOf(data).toEqualTypeOf<Post | undefined>();
      expectTypeOf(expiryStatus).toEqualTypeOf<ExpiryStatus>();
      expectTypeOf(expiresAt).toEqualTypeOf<number>();
      expectTypeOf(snap.get(Post, { id })).toEqualTypeOf<Post | undefined>();
      // @ts-expect-error -- those are not its arguments
      snap.getResponse(read, { name: '' });
      if (!data) throw snap.abort;
      return { id: data.id, raw: true };
    },
  });
});
