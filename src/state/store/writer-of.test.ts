import { expect, it } from 'vitest';
import { Todo } from '../../../tests/model.ts';
import { addGuess } from './layer.ts';
import { takeSnapshot } from './store-snapshot.ts';
import { Store } from './store.ts';

const controller = { store: new Store() } as unknown as Store;

it('what is not a store, such as the controller of one, is a typed error', () => {
  const error = { code: 'store-expected', message: expect.stringContaining('Pass controller.store') };
  expect(() => takeSnapshot(controller)).toThrow(expect.objectContaining(error));
  expect(() => takeSnapshot(undefined as unknown as Store)).toThrow(expect.objectContaining(error));
  expect(() => addGuess(controller, () => ({ schema: Todo, response: { id: '1' } }))).toThrow(
    expect.objectContaining(error),
  );
});

it('a guess that is not a function is a typed error, and the store stays as it is', () => {
  const store = new Store();
  expect(() => addGuess(store, 5 as never)).toThrow(expect.objectContaining({ code: 'intent-missing' }));
  store.write(Todo, { id: '1' });
  expect(store.get(Todo, { id: '1' })).toMatchObject({ id: '1' });
});
