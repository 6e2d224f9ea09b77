import { describe, expect, it } from 'vitest';
import { All, Collection, from, Invalidate, type Layer, Store } from '../../index.ts';
import { Todo } from '../../../tests/model.ts';
import { Random } from '../../../tests/oracle/random.ts';
import { addGuess } from './layer.ts';

const todos = new Collection([Todo]);
const IDS = ['1', '2', '3', '4', '5'] as const;
const CHANGES: readonly ((id: string, other: string) => { readonly schema: unknown; readonly response: unknown })[] = [
  (id) => ({ schema: Todo, response: { id, title: 'a' } }),
  (id, other) => ({ schema: [Todo], response: [{ id }, { id: other }] }),
  (id) => ({ schema: new Invalidate(Todo), response: id }),
  (id) => ({ schema: todos.push, response: { id } }),
  (id, other) => ({ schema: todos, response: [{ id }, { id: other }] }),
];
const every = new All(Todo);

function idsIn(store: Store): readonly string[] {
  const ids = (store.get(every) ?? []).map(({ id }) => id);
  expect((store.get(from(Todo)) ?? []).map(({ id }) => id)).toEqual(ids);
  return ids;
}

const guessed = (store: Store, id: string): Layer => addGuess(store, () => ({ schema: Todo, response: { id } }));
const arrive = (store: Store, ...ids: readonly string[]): void =>
  void store.write(
    [Todo],
    ids.map((id) => ({ id })),
  );

describe('a record that arrives below its guess', () => {
  it('has its place among the records that arrived', () => {
    const store = new Store();
    const layer = guessed(store, '1');
    arrive(store, '2');
    expect(idsIn(store)).toEqual(['1', '2']);
    arrive(store, '1');
    expect(idsIn(store)).toEqual(['2', '1']);
    layer.drop();
    expect(idsIn(store)).toEqual(['2', '1']);
  });

  it('has it too if the guess is that the record is deleted', () => {
    const store = new Store();
    const layer = addGuess(store, () => ({ schema: new Invalidate(Todo), response: '1' }));
    arrive(store, '2');
    arrive(store, '1');
    layer.drop();
    expect(idsIn(store)).toEqual(['2', '1']);
  });

  it('stays where it was if the write is undone', () => {
    const store = new Store();
    const layer = guessed(store, '1');
    arrive(store, '2');
    idsIn(store);
    const write = (): void =>
      store.batch(() => {
        arrive(store, '1');
        expect(idsIn(store)).toEqual(['2', '1']);
        throw new Error('undo');
      });
    expect(write).toThrow('undo');
    expect(idsIn(store)).toEqual(['1', '2']);
    layer.drop();
    expect(idsIn(store)).toEqual(['2']);
  });
});

it('guesses that were rolled back leave no trace in the order of records', () => {
  const random = new Random(Number(process.env['SEED'] ?? 1));
  for (let run = 0; run < Number(process.env['RUNS'] ?? 200); run++) {
    const [plain, store] = [new Store(), new Store()];
    const layers = new Set<Layer>();
    for (let step = 0; step < 12; step++) {
      const [id, other] = [random.pick(IDS), random.pick(IDS)];
      const change = random.pick(CHANGES);
      const args = [{}];
      const what = random.weighted({ guess: 4, drop: 2, write: 4 });
      if (what === 'guess') layers.add(addGuess(store, () => ({ ...change(id, other), args })));
      else if (what === 'drop') layers.forEach((layer) => random.chance(0.5) && layers.delete(layer) && layer.drop());
      else
        for (const one of [plain, store]) {
          const { schema, response } = change(id, other);
          one.write(schema, response, { args });
        }
      if (random.chance(0.5)) idsIn(store);
    }
    for (const layer of layers) layer.drop();
    const lists = [plain, store].map((one) => [idsIn(one), (one.get(todos, {}) ?? []).map(({ id }) => id)]);
    expect(lists[1], `run ${run}`).toEqual(lists[0]);
  }
});
