/* oxlint-disable vitest/expect-expect -- the compiler checks the expectations */
import { expectTypeOf, test } from 'vitest';
import { Endpoint } from '../../src/index.ts';
import { useSuspense } from '../../src/react.ts';
import {
  type ErrorFixture,
  type ErrorFixtureEndpoint,
  type Fixture,
  type FixtureEndpoint,
  type FetchInterceptor,
  MockController,
  mockInitialState,
  renderDataHook,
  type ResponseInterceptor,
  type SuccessFixture,
  type SuccessFixtureEndpoint,
} from '../../src/testing.ts';
import { getTodo, type Todo } from './model.ts';

const count = new Endpoint(async (name: string, by: number) => ({ count: by + name.length }), { name: 'count' });

test('a fixture has the arguments of its endpoint, and the type to which its fetch resolves', () => {
  expectTypeOf<SuccessFixture<typeof count>['args']>().toEqualTypeOf<readonly [name: string, by: number]>();
  const right: SuccessFixture<typeof count> = { endpoint: count, args: ['a', 1], response: { count: 1 } };
  // @ts-expect-error the second argument is a number
  const wrongArgs: SuccessFixture<typeof count> = { endpoint: count, args: ['a', 'b'], response: { count: 1 } };
  // @ts-expect-error a count is a number
  const wrongResponse: SuccessFixture<typeof count> = { endpoint: count, args: ['a', 1], response: { count: '1' } };
  const failed: ErrorFixture<typeof count> = { endpoint: count, args: ['a', 1], response: new Error('x'), error: true };
  expectTypeOf([right, failed]).toExtend<Fixture[]>();
  const named: FixtureEndpoint[] = [
    right satisfies SuccessFixtureEndpoint<typeof count>,
    failed satisfies ErrorFixtureEndpoint<typeof count>,
  ];
  void named;
  void wrongArgs;
  void wrongResponse;
});

test('an interceptor has typed arguments and a typed state', () => {
  const interceptor: ResponseInterceptor<{ total: number }, typeof count> = {
    endpoint: count,
    response(name, by) {
      expectTypeOf(name).toEqualTypeOf<string>();
      return { count: (this.total += by) };
    },
  };
  const fetching: FetchInterceptor<{ total: number }, typeof getTodo> = {
    endpoint: getTodo,
    fetchResponse(input, init) {
      expectTypeOf(input).toEqualTypeOf<string>();
      expectTypeOf(init).toEqualTypeOf<RequestInit>();
      return { id: String(this.total) };
    },
  };
  new MockController({ fixtures: [interceptor, fetching], getInitialInterceptorData: () => ({ total: 0 }) });
});

test('renderDataHook has the types of the props and of the result', () => {
  const { result, rerender, controller } = renderDataHook(({ id }: { id: string }) => useSuspense(getTodo, { id }), {
    initialProps: { id: '1' },
  });
  expectTypeOf(result.current).toEqualTypeOf<Todo>();
  expectTypeOf(result.error).toEqualTypeOf<Error | undefined>();
  rerender({ id: '2' });
  // @ts-expect-error an id is text
  rerender({ id: 2 });
  mockInitialState([])(controller);
});
