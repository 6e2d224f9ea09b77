import { expect, test } from 'vitest';
import { Collection, Controller, RestEndpoint } from '../../src/index.ts';
import { Todo } from '../model.ts';
import { settled, Transport } from '../ordering/transport.ts';

test('a list is the same, whatever the order of names inside of its arguments', async () => {
  const transport = new Transport();
  const controller = new Controller();
  const list = new Collection([Todo]);
  const search = new RestEndpoint({
    path: '/search',
    method: 'POST',
    sideEffect: undefined,
    body: {} as { readonly filter: object },
    schema: list,
    platform: transport,
  });
  const shown = (filter: object) => controller.get(list, { filter } as never)?.map(({ title }) => title);
  const answer = async (filter: object, title: string) => {
    const request = controller.fetch(search, { filter });
    await settled();
    transport.take('POST /search').answer([{ id: '1', title }]);
    await request;
  };
  await answer({ state: 'open', owner: 1 }, 'first');
  expect(shown({ owner: 1, state: 'open' })).toEqual(['first']);
  await answer({ owner: 1, state: 'open' }, 'second');
  expect(shown({ state: 'open', owner: 1 })).toEqual(['second']);
  expect(shown({ state: 'open', owner: 2 })).toBeUndefined();
  controller.dispose();
});
