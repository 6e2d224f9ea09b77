import { expect, test } from 'vitest';
import { resource } from '../../define/rest/resource.ts';
import { Todo } from '../../../tests/model.ts';
import { addGuess } from '../../state/store/layer.ts';
import { Store } from '../../state/store/store.ts';
import { Mutations } from './mutations.ts';

test('a record that two mutations create, as one that is sent again, is pending until the later one has settled', () => {
  const store = new Store();
  const mutations = Mutations.of(store);
  const endpoint = resource({ path: '/todos/:id', schema: Todo }).getList.push;
  const begin = (created: readonly string[]): ReturnType<Mutations['begin']> => {
    const request = mutations.begin({ endpoint, args: [{ title: 'a' }], key: 'POST /todos', fetchedAt: 0 });
    const guess = { schema: endpoint.schema, response: { title: 'a' }, args: [{}] };
    mutations.guess(
      request,
      addGuess(store, () => guess, { elsewhere: created }),
    );
    return request;
  };
  const first = begin([]);
  const created = first.mutation?.created ?? [];
  const second = begin(created);
  const isPending = (): boolean => mutations.temporaryPks.isPending(created[0] ?? '');

  mutations.end(first);
  expect(isPending()).toBe(true);
  mutations.end(second);
  expect(isPending()).toBe(false);
});
