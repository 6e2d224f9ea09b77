import { expectTypeOf, test } from 'vitest';
import { User } from '../../../tests/model.ts';
import { batched } from './batching.ts';
import { Endpoint } from './endpoint.ts';
import type { ValueOf } from './infer-value.ts';

const getUsers = new Endpoint(async ({ ids }: { ids: string[] }) => ids.map((id) => ({ id, name: 'Ann' })), {
  name: 'getUsers',
});

test('a batched endpoint resolves to the value of its schema', () => {
  const getUser = batched(getUsers, { schema: User });
  expectTypeOf<ValueOf<typeof getUser>>().toEqualTypeOf<User>();
  expectTypeOf(getUser.sideEffect).toEqualTypeOf<undefined>();
});

test('a batched endpoint takes the argument that is named', () => {
  const getUser = batched(getUsers, { schema: User });
  void getUser({ id: 1 });
  void getUser({ id: '1', locale: 'de' });
  // @ts-expect-error -- a record has to be named
  void getUser({ username: 'ann' });
  const byName = batched(getUsers, { schema: User, argument: 'username' });
  void byName({ username: 'ann' });
  expectTypeOf<Parameters<typeof byName>[0]['username']>().toEqualTypeOf<string | number>();
  // @ts-expect-error -- by that argument
  void byName({ id: '1' });
});
