import { expect, it } from 'vitest';
import { Todo } from '../../../tests/model.ts';
import { addGuess, Collection, Store } from '../../index.ts';

const items = new Collection([Todo], { total: 'total' });
const counted = { items, total: 0 };
const args = [{ limit: 2 }];
const answer = (total: number): object => ({ items: [{ id: '1' }, { id: '2' }], total });

/** Creates a record by a mutation that is sent before `meanwhile`. Returns the tables of rows of which only the server knows the content. */
function doubtedAfter(meanwhile: (store: Store) => void): readonly string[] {
  const store = new Store();
  store.write(counted, answer(5), { args });
  const request = store.begin();
  meanwhile(store);
  store.settle(request);
  const doubted: string[] = [];
  const doubt = (table: string): void => void doubted.push(table);
  const answeredRequest = { isMutation: true, sent: request.issue, doubt };
  store.write(items.push, { id: '9' }, { args: [{}], answeredRequest });
  return doubted;
}

it('a total that arrives while a mutation is pending may count it, whatever a guess says', () => {
  expect(doubtedAfter(() => {})).toEqual([]);
  expect(doubtedAfter((store) => store.write(counted, answer(6), { args }))).toEqual(['[Todo]#total']);
  const guessed = doubtedAfter((store) => {
    store.write(counted, answer(6), { args });
    addGuess(store, () => ({ schema: counted, response: answer(6), args })).drop();
  });
  expect(guessed).toEqual(['[Todo]#total']);
});

it('a total whose write was undone has not arrived', () => {
  const undone = doubtedAfter((store) => {
    const failing = (): void =>
      store.batch(() => {
        store.write(counted, answer(6), { args });
        throw new Error('refused');
      });
    expect(failing).toThrow('refused');
  });
  expect(undone).toEqual([]);
});
