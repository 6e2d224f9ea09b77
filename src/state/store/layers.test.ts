import { expect, it } from 'vitest';
import { All, Entity, type Layer, type SnapshotReader, Store } from '../../index.ts';

class Todo extends Entity {
  id = '';
  title = '';
  votes = 0;
  static override key = 'Todo';
}

function filled(count = 1): Store {
  const store = new Store();
  store.write(
    [Todo],
    Array.from({ length: count }, (_, at) => ({ id: `${at}`, title: 'a', votes: 0 })),
  );
  return store;
}

/** An intent that counts how often it is asked. */
function counted(make: (snapshot: SnapshotReader) => object): {
  readonly calls: () => number;
  readonly intent: (snapshot: SnapshotReader) => { schema: unknown; response: unknown };
} {
  let calls = 0;
  return {
    calls: () => calls,
    intent: (snapshot) => {
      calls++;
      return { schema: Todo, response: make(snapshot) };
    },
  };
}

const votesBelow = (snapshot: SnapshotReader): object => ({
  id: '0',
  votes: (snapshot.get(Todo, '0')?.votes ?? 0) + 1,
});

it('asks an intent again only when something that it has read has changed', () => {
  const store = filled();
  const saved = counted(() => ({ id: '0', title: 'guess' }));
  const voted = counted(votesBelow);
  store.guess(saved.intent);
  store.guess(voted.intent);

  store.write(Todo, { id: '0', votes: 5 });

  expect(store.get(Todo, '0')).toMatchObject({ title: 'guess', votes: 6 });
  expect(saved.calls()).toBe(1);
  expect(voted.calls()).toBe(2);
});

it('makes no guess again that lies above one which says the same as before', () => {
  const store = filled();
  const guesses = Array.from({ length: 20 }, () => counted(votesBelow));
  const layers = guesses.map(({ intent }) => store.guess(intent));

  for (const [at, layer] of layers.entries()) {
    layer.confirm(Todo, { id: '0', votes: at + 1 });
    expect(store.get(Todo, '0')).toMatchObject({ votes: 20 });
  }

  expect(guesses.map(({ calls }) => calls()).every((calls) => calls <= 2)).toBe(true);
});

it('makes each guess above at most once when an answer lands', () => {
  const store = filled();
  const guesses = Array.from({ length: 5 }, () => counted(votesBelow));
  const [first] = guesses.map(({ intent }) => store.guess(intent)) as [Layer];

  first.confirm(Todo, { id: '0', votes: 10 });

  expect(store.get(Todo, '0')).toMatchObject({ votes: 14 });
  expect(guesses.map(({ calls }) => calls())).toEqual([1, 2, 2, 2, 2]);
});

it('leaves guesses of other records alone, in whatever order answers land', () => {
  const store = filled(6);
  const guesses = Array.from({ length: 6 }, (_, at) => counted(() => ({ id: `${at}`, title: 'guess' })));
  const layers = guesses.map(({ intent }) => store.guess(intent));

  for (const at of [3, 0, 5, 1, 4, 2]) (layers[at] as Layer).confirm(Todo, { id: `${at}`, title: 'done' });

  expect((store.get(new All(Todo)) as Todo[]).map(({ title }) => title)).toEqual(Array(6).fill('done'));
  expect(guesses.map(({ calls }) => calls())).toEqual(Array(6).fill(1));
});

it('asks the intent of a layer again that was told to, even where it has read nothing', () => {
  const store = filled();
  let title = 'first';
  const saved = counted(() => ({ id: '0', title }));
  const layer = store.guess(saved.intent);
  title = 'second';

  layer.outdate();
  store.write(Todo, { id: '0', votes: 5 });

  expect(store.get(Todo, '0')).toMatchObject({ title: 'second', votes: 5 });
  layer.drop();
  layer.outdate();
  expect(store.get(Todo, '0')).toMatchObject({ title: 'a', votes: 5 });
});

it('makes a guess again when a row arrives that its failed attempt has read', () => {
  const store = filled();
  store.guess((snapshot) => {
    if (votesBelow(snapshot) && snapshot.get(Todo, '0')?.votes === 7 && !snapshot.get(Todo, '1'))
      throw new RangeError('too early');
    return { schema: Todo, response: { id: '0', title: 'guess' } };
  });
  store.write(Todo, { id: '0', votes: 7 });
  expect(store.get(Todo, '0')).toMatchObject({ title: 'a' });

  store.write(Todo, { id: '1' });

  expect(store.get(Todo, '0')).toMatchObject({ title: 'guess' });
});

it('puts layers back where they were when a batch is undone', () => {
  const store = filled();
  const [low, high] = [store.guess(counted(votesBelow).intent), store.guess(counted(votesBelow).intent)];

  expect(() =>
    store.batch(() => {
      store.write(Todo, { id: '0', votes: 10 });
      low.drop();
      store.guess(counted(() => ({ id: '0', title: 'gone' })).intent);
      throw new Error('undo');
    }),
  ).toThrow('undo');

  expect(store.get(Todo, '0')).toMatchObject({ title: 'a', votes: 2 });
  high.drop();
  expect(store.get(Todo, '0')).toMatchObject({ votes: 1 });
  store.write(Todo, { id: '0', votes: 3 });
  expect(store.get(Todo, '0')).toMatchObject({ votes: 4 });
});

it('lets an intent push a layer of its own', () => {
  const store = filled(2);
  let inner: Layer | undefined;
  store.guess((snapshot) => {
    const below = snapshot.get(Todo, '0');
    inner ??= store.guess(() => ({ schema: Todo, response: { id: '1', title: 'inner' } }));
    return { schema: Todo, response: { id: '0', title: `${below?.title}${snapshot.get(Todo, '1')?.title}` } };
  });

  expect(store.get(Todo, '1')).toMatchObject({ title: 'inner' });
  expect(store.get(Todo, '0')).toMatchObject({ title: 'aa' });
});
