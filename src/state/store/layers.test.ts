import { describe, expect, it } from 'vitest';
import { All, Collection, Entity, INVALID, type Layer, type SnapshotReader, Store } from '../../index.ts';
import { takeSnapshot } from './store-snapshot.ts';
import { addGuess } from './layer.ts';

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

/** An intent that counts how often it runs. */
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

it('runs an intent again only when data has changed that it has read', () => {
  const store = filled();
  const saved = counted(() => ({ id: '0', title: 'guess' }));
  const voted = counted(votesBelow);
  addGuess(store, saved.intent);
  addGuess(store, voted.intent);

  store.write(Todo, { id: '0', votes: 5 });

  expect(store.get(Todo, '0')).toMatchObject({ title: 'guess', votes: 6 });
  expect(saved.calls()).toBe(1);
  expect(voted.calls()).toBe(2);
});

it('makes no guess again above one that did not change', () => {
  const store = filled();
  const guesses = Array.from({ length: 20 }, () => counted(votesBelow));
  const layers = guesses.map(({ intent }) => addGuess(store, intent));

  for (const [at, layer] of layers.entries()) {
    layer.confirm(Todo, { id: '0', votes: at + 1 });
    expect(store.get(Todo, '0')).toMatchObject({ votes: 20 });
  }

  expect(guesses.map(({ calls }) => calls()).every((calls) => calls <= 2)).toBe(true);
});

it('makes each guess above at most once for an answer', () => {
  const store = filled();
  const guesses = Array.from({ length: 5 }, () => counted(votesBelow));
  const [first] = guesses.map(({ intent }) => addGuess(store, intent)) as [Layer];

  first.confirm(Todo, { id: '0', votes: 10 });

  expect(store.get(Todo, '0')).toMatchObject({ votes: 14 });
  expect(guesses.map(({ calls }) => calls())).toEqual([1, 2, 2, 2, 2]);
});

it('does not make guesses of other records again, in whatever order answers arrive', () => {
  const store = filled(6);
  const guesses = Array.from({ length: 6 }, (_, at) => counted(() => ({ id: `${at}`, title: 'guess' })));
  const layers = guesses.map(({ intent }) => addGuess(store, intent));

  for (const at of [3, 0, 5, 1, 4, 2]) (layers[at] as Layer).confirm(Todo, { id: `${at}`, title: 'done' });

  expect((store.get(new All(Todo)) as Todo[]).map(({ title }) => title)).toEqual(Array(6).fill('done'));
  expect(guesses.map(({ calls }) => calls())).toEqual(Array(6).fill(1));
});

it('runs the intent of an outdated layer again, even if it has read nothing', () => {
  const store = filled();
  let title = 'first';
  const saved = counted(() => ({ id: '0', title }));
  const layer = addGuess(store, saved.intent);
  title = 'second';

  layer.outdate();
  store.write(Todo, { id: '0', votes: 5 });

  expect(store.get(Todo, '0')).toMatchObject({ title: 'second', votes: 5 });
  layer.drop();
  layer.outdate();
  expect(store.get(Todo, '0')).toMatchObject({ title: 'a', votes: 5 });
});

it('runs the intent of an outdated layer again when the answer of another one cannot be stored', () => {
  const store = filled();
  let title = 'first';
  const layer = addGuess(store, () => ({ schema: Todo, response: { id: '0', title } }));
  const other = addGuess(store, counted(votesBelow).intent);
  title = 'second';
  layer.outdate();

  expect(() => other.confirm(Todo, {})).toThrow('Todo.pk()');

  expect(store.get(Todo, '0')).toMatchObject({ title: 'second', votes: 0 });
});

it('makes a guess again when a row arrives that its failed attempt has read', () => {
  const store = filled();
  addGuess(store, (snapshot) => {
    if (votesBelow(snapshot) && snapshot.get(Todo, '0')?.votes === 7 && !snapshot.get(Todo, '1'))
      throw new RangeError('too early');
    return { schema: Todo, response: { id: '0', title: 'guess' } };
  });
  store.write(Todo, { id: '0', votes: 7 });
  expect(store.get(Todo, '0')).toMatchObject({ title: 'a' });

  store.write(Todo, { id: '1' });

  expect(store.get(Todo, '0')).toMatchObject({ title: 'guess' });
});

it('restores layers when a batch is undone', () => {
  const store = filled();
  const [low, high] = [addGuess(store, counted(votesBelow).intent), addGuess(store, counted(votesBelow).intent)];

  expect(() =>
    store.batch(() => {
      store.write(Todo, { id: '0', votes: 10 });
      low.drop();
      addGuess(store, counted(() => ({ id: '0', title: 'gone' })).intent);
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
  addGuess(store, (snapshot) => {
    const below = snapshot.get(Todo, '0');
    inner ??= addGuess(store, () => ({ schema: Todo, response: { id: '1', title: 'inner' } }));
    return { schema: Todo, response: { id: '0', title: `${below?.title}${snapshot.get(Todo, '1')?.title}` } };
  });

  expect(store.get(Todo, '1')).toMatchObject({ title: 'inner' });
  expect(store.get(Todo, '0')).toMatchObject({ title: 'aa' });
});

describe('guesses of one record, on top of each other', () => {
  function storeWithLayers(): { readonly store: Store; readonly layers: readonly Layer[] } {
    const store = filled();
    const guessed = [{ title: 'one' }, { title: 'two', votes: 2 }, { title: 'three' }];
    const layers = guessed.map((fields) => addGuess(store, () => ({ schema: Todo, response: { id: '0', ...fields } })));
    return { store, layers };
  }

  it('show a field that none of them guesses as it arrives, and the others as the topmost has them', () => {
    const { store, layers } = storeWithLayers();
    const [first, second, third] = layers as [Layer, Layer, Layer];
    first.confirm(Todo, { id: '0', title: 'one', note: 'first' });
    expect(store.row('Todo', '0')).toEqual({ id: '0', title: 'three', votes: 2, note: 'first' });
    second.drop();
    expect(store.row('Todo', '0')).toEqual({ id: '0', title: 'three', votes: 0, note: 'first' });
    third.confirm(Todo, { id: '0', title: 'three', votes: 1, note: 'third' });
    expect(store.row('Todo', '0')).toEqual({ id: '0', title: 'three', votes: 1, note: 'third' });
  });

  it('apply to a record that is deleted and restored', () => {
    const { store, layers } = storeWithLayers();
    store.invalidate(Todo, '0');
    expect(store.row('Todo', '0')).toEqual({ id: '0', title: 'three', votes: 2 });
    store.write(Todo, { id: '0', title: 'back', note: 'new' });
    expect(store.row('Todo', '0')).toEqual({ id: '0', title: 'three', votes: 2, note: 'new' });
    store.invalidate(Todo, '0');
    for (const layer of layers) layer.drop();
    expect(store.get(Todo, '0')).toBeUndefined();
    expect(store.row('Todo', '0')).toBe(INVALID);
  });

  it('leave no field behind that only a guess had', () => {
    const store = filled();
    const [under, over] = ['draft', 'votes'].map((field) =>
      addGuess(store, () => ({ schema: Todo, response: { id: '0', [field]: 7 } })),
    ) as [Layer, Layer];
    under.drop();
    expect(store.row('Todo', '0')).toEqual({ id: '0', title: 'a', votes: 7 });
    over.drop();
    expect(store.row('Todo', '0')).toEqual({ id: '0', title: 'a', votes: 0 });
  });

  it('are read by a guess of all records that lies between them', () => {
    const store = filled(2);
    const titles = counted((snapshot) => ({
      id: '1',
      title: (snapshot.get(new All(Todo)) as Todo[]).map(({ title, votes }) => `${title}${votes}`).join(),
    }));
    const first = addGuess(store, () => ({ schema: Todo, response: { id: '0', title: 'b' } }));
    addGuess(store, titles.intent);
    addGuess(store, () => ({ schema: Todo, response: { id: '0', title: 'c' } }));
    expect(store.get(Todo, '1')?.title).toBe('b0,a0');
    store.write(Todo, { id: '0', votes: 1 });
    expect(store.get(Todo, '1')?.title).toBe('b1,a0');
    first.drop();
    expect(store.get(Todo, '1')?.title).toBe('a1,a0');
    expect(store.get(Todo, '0')).toMatchObject({ title: 'c', votes: 1 });
  });

  it('may be of one record, and of a list of it, in turn', () => {
    const store = filled();
    addGuess(store, (snapshot) => {
      const votes = snapshot.get(Todo, '0')?.votes ?? 0;
      const response = { id: '0', title: `guess ${votes}` };
      return votes % 2 === 0 ? { schema: Todo, response } : { schema: [Todo], response: [response] };
    });
    addGuess(store, () => ({ schema: Todo, response: { id: '0', note: 'over' } }));
    for (const votes of [1, 3, 2, 4]) {
      store.write(Todo, { id: '0', votes });
      expect(store.row('Todo', '0')).toEqual({ id: '0', title: `guess ${votes}`, votes, note: 'over' });
    }
  });

  it('do not notify readers of an answer that changes only hidden fields', () => {
    const { store, layers } = storeWithLayers();
    const shown = store.get(Todo, '0');
    let notified = 0;
    store.query(Todo, [{ id: '0' }]).subscribe(() => notified++);
    layers[0]?.confirm(Todo, { id: '0', title: 'other', votes: 9 });
    expect(store.get(Todo, '0')).toBe(shown);
    expect(notified).toBe(0);
  });
});

describe('a guess that reads a part of a row', () => {
  it('is made again when one of its fields changes, or the record is removed, and not for others', () => {
    const store = filled();
    const seen: unknown[] = [];
    const partly = counted((snapshot) => {
      seen.push(snapshot.rowFields('Todo', '0', ['title']));
      const row = snapshot.rowFields('Todo', '0', []);
      return { id: '0', votes: row === INVALID ? 0 : 5 };
    });
    addGuess(store, partly.intent);
    store.write(Todo, { id: '0', note: 'x' });
    expect(partly.calls()).toBe(1);
    store.write(Todo, { id: '0', title: 'b' });
    expect(partly.calls()).toBe(2);
    store.invalidate(Todo, '0');
    expect(store.row('Todo', '0')).toEqual({ id: '0', votes: 0 });
    expect(seen).toEqual([{ id: '0', title: 'a', votes: 0 }, { id: '0', title: 'b', votes: 0, note: 'x' }, INVALID]);
  });

  it('is made again when one of several changed fields is one that it has read', () => {
    const store = filled();
    const partly = counted((snapshot) => ({ id: '1', title: String(snapshot.rowFields('Todo', '0', ['title'])) }));
    addGuess(store, partly.intent);
    store.write(Todo, { id: '0', note: 'x', title: 'b', votes: 1 });
    expect(partly.calls()).toBe(2);
  });

  it('reads the former fields in an earlier state', () => {
    const store = filled();
    const state = takeSnapshot(store);
    store.write(Todo, { id: '0', title: 'b' });
    expect(state.rowFields('Todo', '0', ['title'])).toEqual({ id: '0', title: 'a', votes: 0 });
  });
});

it('a guess that is made from an earlier one is made once more when that is confirmed', () => {
  const store = filled();
  const layer = addGuess(store, () => ({ schema: Todo, response: { id: '0', title: 'guessed' } }));
  const dependent = counted((snapshot) => ({ id: '1', title: `after ${snapshot.get(Todo, '0')?.title}` }));
  addGuess(store, dependent.intent);
  expect(store.get(Todo, '1')?.title).toBe('after guessed');
  layer.confirm(Todo, { id: '0', title: 'answered' });
  expect(store.get(Todo, '1')?.title).toBe('after answered');
  expect(dependent.calls()).toBe(2);
});

describe('many guesses of one record', () => {
  const FIELDS = ['title', 'votes', 'note', 'author'];
  const present = <Value>(values: readonly (Value | undefined)[]): Value[] => values.filter((one) => one !== undefined);

  it('show, for each field, the last guess that has it, while guesses settle in any order', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const store = filled();
      let confirmed: object = { id: '0', title: 'a', votes: 0 };
      const pending = Array.from({ length: 20 }, (_, at) => {
        const response = { id: '0', [FIELDS[(at * seed) % 4] as string]: `guess ${at}` };
        return { layer: addGuess(store, () => ({ schema: Todo, response })), response };
      });
      const left: ((typeof pending)[number] | undefined)[] = [...pending];
      for (let turn = 0; turn < pending.length; turn++) {
        const at = (turn * 7 + seed) % pending.length;
        left[at] = undefined;
        if (turn % 3 === 0) pending[at]?.layer.drop();
        else {
          const answer = { id: '0', [FIELDS[(turn + seed) % 4] as string]: `answer ${turn}`, rank: turn };
          confirmed = { ...confirmed, ...answer };
          pending[at]?.layer.confirm(Todo, answer);
        }
        const shown = Object.assign({}, confirmed, ...present(left).map(({ response }) => response));
        expect(store.row('Todo', '0')).toEqual(shown);
      }
    }
  });

  it('are put over a record that is deleted and arrives again', () => {
    const store = filled();
    const layers = Array.from({ length: 12 }, (_, at) =>
      addGuess(store, () => ({ schema: Todo, response: { id: '0', [FIELDS[at % 2] as string]: at } })),
    );
    layers[3]?.drop();
    store.invalidate(Todo, '0');
    expect(store.row('Todo', '0')).toEqual({ id: '0', title: 10, votes: 11 });
    layers[11]?.drop();
    expect(store.row('Todo', '0')).toEqual({ id: '0', title: 10, votes: 9 });
    store.write(Todo, { id: '0', note: 'again' });
    layers[10]?.drop();
    expect(store.row('Todo', '0')).toEqual({ id: '0', title: 8, votes: 9, note: 'again' });
  });

  it('hide changed fields from a later guess that reads the record, which is made again for other fields', () => {
    const store = filled();
    const early = counted((snapshot) => ({ id: '0', note: snapshot.rowFields('Todo', '0', ['title']) === INVALID }));
    addGuess(store, early.intent);
    for (const votes of [1, 2]) addGuess(store, () => ({ schema: Todo, response: { id: '0', title: 'b', votes } }));
    const late = counted(votesBelow);
    addGuess(store, late.intent);
    store.write(Todo, { id: '0', title: 'c', votes: 5 });
    expect([early.calls(), late.calls()]).toEqual([2, 1]);
    store.write(Todo, { id: '0', author: 'd' });
    expect([early.calls(), late.calls()]).toEqual([2, 2]);
    expect(store.row('Todo', '0')).toMatchObject({ title: 'b', votes: 3, author: 'd' });
  });
});

it('a guess reads a list with the edits of earlier guesses in their order', () => {
  const todos = new Collection([Todo]);
  const args = [{}];
  const store = new Store();
  store.write(todos, [{ id: '1' }], { args });
  for (const id of ['2', '3']) addGuess(store, () => ({ schema: todos.push, response: { id }, args }));
  addGuess(store, (snapshot) => {
    const known = (snapshot.get(todos, {}) as readonly Todo[]).map(({ id }) => id);
    return { schema: Todo, response: { id: '1', title: known.join() } };
  });
  for (const id of ['4', '5']) addGuess(store, () => ({ schema: todos.unshift, response: { id }, args }));
  expect(store.get(Todo, '1')?.title).toBe('1,2,3');
  store.write(todos, [{ id: '0' }, { id: '1' }], { args });
  expect(store.get(Todo, '1')?.title).toBe('0,1,2,3');
  expect(store.get(todos, {})?.map(({ id }) => id)).toEqual(['5', '4', '0', '1', '2', '3']);
});

it('an answer changes the nested records that the guess only referred to', () => {
  class Owned extends Entity {
    id = '';
    todo = Todo.fromJS();
    static override key = 'Owned';
    static override schema = { todo: Todo };
  }
  const store = filled();
  const layer = addGuess(store, () => ({ schema: Owned, response: { id: '1', todo: { id: '0', title: 'a' } } }));
  layer.confirm(Owned, { id: '1', todo: { id: '0', title: 'answered' } });
  expect(store.get(Todo, '0')?.title).toBe('answered');
});
