import { describe, expect, it } from 'vitest';
import { Strict, Todo } from '../../../tests/model.ts';
import { Collection, Entity, Invalidate, type Layer, Store, Union, unshift } from '../../index.ts';
import { addGuess } from '../store/layer.ts';
import { restore } from '../store/restore.ts';
class Note extends Entity {
  id = '';
  static override key = 'Note';
}
class Board extends Entity {
  id = '';
  todos: (Todo | null)[] = [];
  static override key = 'Board';
  static override schema = { todos: [Todo] };
}
const todos: Collection = new Collection([Todo]);
const all = { args: [{}] };
const pks = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, at) => String(from + at));
const read = (store: Store): readonly Todo[] => store.get(todos, {}) as readonly Todo[];
const idsOf = (list: unknown): unknown[] => (list as (Todo | null)[]).map((todo) => todo?.id ?? todo);

/** A store with a list of that many todos, which has been read. */
function filled(count: number): Store {
  const store = new Store();
  store.write(
    todos,
    pks(0, count).map((id) => ({ id, title: `t${id}` })),
    all,
  );
  read(store);
  return store;
}

describe.each([3, 500])('a list of %d', (count) => {
  it('is the same array until it changes', () => {
    const store = filled(count);
    const list = read(store);
    store.write(Todo, { id: 'other' });
    store.write(todos, [...list].map(({ id }) => id), all); // prettier-ignore
    expect(read(store)).toBe(list);
  });

  it('keeps unchanged members in their slots', () => {
    const store = filled(count);
    const list = read(store);
    store.write(Todo, { id: '1', title: 'new' });
    const changed = read(store);
    expect(changed).not.toBe(list);
    expect(changed[1]).toBe(store.get(Todo, '1'));
    expect(changed.filter((todo, at) => todo !== list[at])).toHaveLength(1);
    expect(list[1]?.title).toBe('t1');
  });

  it.each([
    ['in front', 0],
    ['in the middle', 1],
    ['at the end', count],
  ])('adds members %s', (_where, at) => {
    const store = filled(count);
    const list = read(store);
    const now = pks(0, count);
    now.splice(at, 0, 'x', 'y');
    store.write(todos, now.map((id) => (id === 'x' || id === 'y' ? { id, title: id } : id)), all); // prettier-ignore
    expect(idsOf(read(store))).toEqual(now);
    expect(read(store).filter((todo) => list.includes(todo))).toHaveLength(count);
    expect(list).toHaveLength(count);
  });

  it.each([
    ['in front', 0, 1],
    ['in the middle', 1, 1],
    ['at the end', count - 1, 1],
    ['everywhere', 0, count],
  ])('removes members %s', (_where, at, removed) => {
    const store = filled(count);
    const now = pks(0, count);
    now.splice(at, removed);
    store.write(todos, now, all);
    expect(idsOf(read(store))).toEqual(now);
    store.write(Todo, { id: '2', title: 'later' });
    expect(read(store).find(({ id }) => id === '2')?.title).toBe(now.includes('2') ? 'later' : undefined);
  });

  it('applies several changes between two reads', () => {
    const store = filled(count);
    store.write(todos.push, { id: 'a' }, all);
    store.write(todos.addWith(unshift), { id: 'b' }, all);
    store.write(Todo, { id: '1', title: 'new' });
    store.write(todos.remove, { id: '0' }, all);
    expect(idsOf(read(store))).toEqual(['b', ...pks(1, count), 'a']);
    expect(read(store)[1]?.title).toBe('new');
  });

  it('shows members that change in another order than that of the list', () => {
    const store = filled(count);
    for (const id of ['2', '0', '1']) store.write(Todo, { id, title: 'new' });
    expect(read(store).map(({ title }) => title)).toEqual(
      pks(0, count).map((id) => (Number(id) < 3 ? 'new' : `t${id}`)),
    );
  });

  it('applies removals one by one, and one member that is added elsewhere, between two reads', () => {
    const store = filled(count);
    const [first, second] = read(store);
    const rest = pks(3, count);
    for (const id of ['0', '2', '1']) store.write(todos.remove, { id }, all);
    store.write(todos.unshift, { id: '1' }, all);
    expect(idsOf(read(store))).toEqual(['1', ...rest]);
    expect(read(store)[0]).toBe(second);
    store.write(todos.push, { id: '0' }, all);
    expect(read(store).at(-1)).toBe(first);
    store.write(Todo, { id: '0', title: 'new' });
    store.write(Todo, { id: '1', title: 'new' });
    expect([read(store)[0]?.title, read(store).at(-1)?.title]).toEqual(['new', 'new']);
  });

  it('keeps its array if a member was removed and added again between two reads', () => {
    const store = filled(count);
    const list = read(store);
    store.write(todos.remove, { id: '0' }, all);
    store.write(todos.unshift, { id: '0' }, all);
    expect(read(store)).toBe(list);
  });

  it('applies members that are added one by one between two reads', () => {
    const store = filled(count);
    for (const id of ['a', 'b', 'a']) store.write(todos.unshift, { id, title: id }, all);
    expect(read(store).map(({ title }) => title)).toEqual(['b', 'a', ...pks(0, count).map((id) => `t${id}`)]);
  });

  it('applies a member that is in it twice, and then once', () => {
    const store = filled(count);
    store.write(todos, [...pks(0, count), '1'], all);
    read(store);
    store.write(Todo, { id: '1', title: 'new' });
    expect(read(store).filter(({ title }) => title === 'new')).toHaveLength(2);
    store.write(todos, ['1', ...pks(2, count)], all);
    read(store);
    store.write(Todo, { id: '1', title: 'newer' });
    expect(read(store)[0]?.title).toBe('newer');
    store.invalidate(Todo, '1');
    expect(idsOf(read(store))).toEqual(pks(2, count));
  });

  it('applies an added member and a changed one between two reads', () => {
    const store = filled(count);
    store.write(Todo, { id: '1', title: 'new' });
    store.write(todos.push, { id: 'a', title: 'joined' }, all);
    expect(idsOf(read(store))).toEqual([...pks(0, count), 'a']);
    expect([read(store)[1]?.title, read(store).at(-1)?.title]).toEqual(['new', 'joined']);
  });

  it('may be reversed', () => {
    const store = filled(count);
    const members = new Set(read(store));
    const now = pks(0, count).reverse();
    store.write(todos, now, all);
    expect(idsOf(read(store))).toEqual(now);
    expect(read(store).every((todo) => members.has(todo))).toBe(true);
  });

  it('leaves out missing members, and shows them when they are stored', () => {
    const store = filled(count);
    store.write(todos, [...pks(0, count), 'late', '0'], all);
    expect(idsOf(read(store))).toEqual([...pks(0, count), '0']);
    store.write(Todo, { id: 'late', title: 'here' });
    expect(idsOf(read(store))).toEqual([...pks(0, count), 'late', '0']);
    store.write(Todo, { id: '1', title: 'again' });
    expect(read(store)[1]?.title).toBe('again');
  });

  it('with a member that is removed without a signal has no slot for it', () => {
    const store = filled(count);
    store.write(Board, { id: 'b', todos: pks(0, count) });
    const board = (): unknown[] => idsOf((store.get(Board, 'b') as Board).todos);
    expect(board()).toEqual(pks(0, count));
    store.invalidate(Todo, '1');
    expect(board()).toEqual(['0', ...pks(2, count)]);
    store.write(Todo, { id: '1' });
    expect(board()).toEqual(pks(0, count));
  });
});

describe('a member that is in a list twice', () => {
  const board = (store: Store): Board['todos'] => (store.get(Board, 'b') as Board).todos;

  it('changes in both places', () => {
    const store = new Store();
    store.write(Board, { id: 'b', todos: [{ id: '1' }, { id: '2' }, { id: '1' }] });
    board(store);
    store.write(Todo, { id: '1', title: 'new' });
    expect(board(store)).toEqual([store.get(Todo, '1'), store.get(Todo, '2'), store.get(Todo, '1')]);
    expect(board(store)[0]).toBe(board(store)[2]);
  });

  it('stays linked while one of its slots is left', () => {
    const store = new Store();
    store.write(Board, { id: 'b', todos: [{ id: '1' }, { id: '2' }, { id: '1' }] });
    board(store);
    store.write(Board, { id: 'b', todos: ['2', '1'] });
    board(store);
    store.write(Todo, { id: '1', title: 'new' });
    expect(board(store)[1]).toMatchObject({ title: 'new' });
    store.write(Board, { id: 'b', todos: ['2'] });
    const list = board(store);
    store.write(Todo, { id: '1', title: 'newer' });
    expect(board(store)).toBe(list);
  });
});

describe('many changes at once', () => {
  it('are applied as single ones are', () => {
    const store = filled(500);
    const list = read(store);
    store.write([Todo], pks(100, 300).map((id) => ({ id, title: 'new' }))); // prettier-ignore
    const changed = read(store);
    expect(changed.map(({ title }) => title).filter((title) => title === 'new')).toHaveLength(200);
    expect(changed[0]).toBe(list[0]);
  });

  it('are applied when every member changes several times between two reads', () => {
    const store = filled(3);
    for (let time = 0; time < 3; time++)
      for (const id of pks(0, 3)) {
        store.write(Todo, { id, title: `${time}` });
        store.get(Todo, id);
      }
    expect(read(store).map(({ title }) => title)).toEqual(['2', '2', '2']);
  });

  it('are applied when many members are added', () => {
    const store = filled(3);
    store.write(
      todos,
      pks(0, 300).map((id) => ({ id })),
      all,
    );
    expect(idsOf(read(store))).toEqual(pks(0, 300));
  });

  it('that restore the list keep the array', () => {
    const store = filled(100);
    const list = read(store);
    store.write([Todo], pks(0, 90).map((id) => ({ id, title: 'new' }))); // prettier-ignore
    store.write([Todo], pks(0, 90).map((id) => ({ id, title: `t${id}` }))); // prettier-ignore
    expect(read(store)).toBe(list);
    store.write(todos.push, { id: 'x' }, all);
    store.write(todos.remove, { id: 'x' }, all);
    expect(read(store)).toBe(list);
  });
});

it('a list can be read once a member whose class fails to build it has left, and not before', () => {
  const list = new Collection([Strict]);
  const store = new Store();
  const ids = (): unknown => (store.get(list, {}) as Strict[]).map(({ id }) => id);
  store.write(list, [{ id: '1' }, { id: '2' }, { id: '3' }], all);
  expect(ids()).toEqual(['1', '2', '3']);
  store.write([Strict], [{ id: '1', isBad: true }, { id: '3' }]);
  store.write(list.remove, { id: '1' }, all);
  expect(ids()).toEqual(['2', '3']);
  store.write(Strict, { id: '2', isBad: true });
  expect(ids).toThrow('mine');
  store.write(list.remove, { id: '2' }, all);
  expect(ids()).toEqual(['3']);
});

describe('gaps in a list', () => {
  it('are kept if the response has null, and nowhere else', () => {
    const store = new Store();
    store.write(Board, { id: 'b', todos: [{ id: '1' }, null, 'missing', { id: '2' }] });
    const board = (): unknown => (store.get(Board, 'b') as Board).todos;
    expect(idsOf(board())).toEqual(['1', null, '2']);
    store.write(Board, { id: 'b', todos: ['1', null, '2'] });
    expect(idsOf(board())).toEqual(['1', null, '2']);
    store.write(Board, { id: 'b', todos: ['1', null, null, '2'] });
    expect(idsOf(board())).toEqual(['1', null, null, '2']);
  });

  it('a record that is added while it is deleted has no slot', () => {
    const store = new Store();
    const ids = (): unknown[] => idsOf((store.get(Board, 'b') as Board).todos);
    store.write(Board, { id: 'b', todos: [{ id: '1' }, { id: '2' }] });
    ids();
    store.invalidate(Todo, 'x');
    store.write(Board, { id: 'b', todos: ['1', 'x', '2'] });
    expect(ids()).toEqual(['1', '2']);
    store.write(Todo, { id: 'x' });
    expect(ids()).toEqual(['1', 'x', '2']);
  });

  it('a value that is not a ref is shown as it is', () => {
    const store = new Store();
    expect(store.read([Todo], ['x', 5, null])).toEqual([5, null]);
  });

  it('a stored list that is not an array is shown as it is', () => {
    const store = new Store();
    store.write(Board, { id: 'b' });
    restore(
      store.writer,
      [
        {
          table: 'Board',
          pk: 'c',
          row: { id: 'c', todos: 'x' },
          stamp: { issue: 0, fetchedAt: 0, date: 0, expiresAt: 0 },
        },
      ],
      [],
    );
    expect(store.get(Board, 'c')).toMatchObject({ todos: 'x' });
    store.write(Board, { id: 'c', todos: [{ id: '1' }] });
    expect(idsOf((store.get(Board, 'c') as Board).todos)).toEqual(['1']);
  });
});

it('an empty list stays the same object, and shows members that are added', () => {
  const store = new Store();
  store.write(todos, [], all);
  const empty = read(store);
  store.write(todos, [], all);
  expect(read(store)).toBe(empty);
  store.write(todos.push, { id: '1' }, all);
  expect(idsOf(read(store))).toEqual(['1']);
});

it('a list of lists reads as a list of lists', () => {
  const store = new Store();
  const stored = store.write([[Todo]], [[{ id: '1' }], [], [{ id: '2' }]]);
  expect(stored).toEqual([['1'], [], ['2']]);
  expect(store.read([[Todo]], stored)).toEqual([[store.get(Todo, '1')], [], [store.get(Todo, '2')]]);
});

it('functions in a list convert values', () => {
  const toDate = (iso: string): Date => new Date(iso);
  class Trip extends Entity {
    id = '';
    days: Date[] = [];
    static override key = 'Trip';
    static override schema = { days: [toDate] };
  }
  const store = new Store();
  store.write(Trip, { id: 't', days: ['2026-01-01', '2026-01-02'] });
  expect(store.get(Trip, 't')).toMatchObject({ days: [new Date('2026-01-01'), new Date('2026-01-02')] });
  const lengths = [(text: string | number) => String(text).length];
  expect(store.read(lengths, ['', 0, 'abc'])).toEqual([0, 1, 3]);
});

it('a collection that is deleted reads as missing, and can be restored', () => {
  const store = filled(2);
  store.invalidate(todos, '{}');
  expect(read(store)).toBeUndefined();
  store.write(todos, ['1'], all);
  expect(idsOf(read(store))).toEqual(['1']);
});

it('lists are frozen unless the store has frozen: false', () => {
  expect(Object.isFrozen(read(filled(3)))).toBe(true);
  const store = new Store({ frozen: false });
  store.write(todos, [{ id: '1' }], all);
  expect(Object.isFrozen(read(store))).toBe(false);
});

describe('a list of converted values', () => {
  class Diary extends Entity {
    id = '';
    days: (Date | null)[] = [];
    lines: unknown[] = [];
    static override key = 'Diary';
    static override schema = {
      days: [(iso: string) => new Date(iso)],
      lines: [(text: string) => JSON.parse(text) as unknown],
    };
  }
  const days = ['2020-01-01', '2021-01-01', '2022-01-01'];

  it('holds the same values until they change, and an error where one cannot be read', () => {
    const store = new Store();
    store.write(Diary, { id: '1', days: [days[0], null, days[1]], lines: ['[1]', '{'] });
    const diary = store.get(Diary, '1') as Diary;
    expect(diary.days).toEqual([new Date('2020-01-01'), null, new Date('2021-01-01')]);
    expect(diary.lines).toEqual([[1], expect.objectContaining({ code: 'field-invalid' })]);
    store.write(Diary, { id: '1', days: [days[0], null, days[1], days[2]] });
    const later = store.get(Diary, '1') as Diary;
    expect(later.days).toHaveLength(4);
    expect(later.days[0]).toBe(diary.days[0]);
    expect(later.lines).toBe(diary.lines);
  });

  it('is frozen at every depth if values are frozen', () => {
    const readIn = (frozen: boolean): Diary => {
      const store = new Store({ frozen });
      store.write(Diary, { id: '1', lines: ['{"a":[1]}'] });
      return store.get(Diary, '1') as Diary;
    };
    expect(Object.isFrozen((readIn(true).lines[0] as { a: unknown }).a)).toBe(true);
    expect(Object.isFrozen(readIn(false).lines[0])).toBe(false);
  });
});

describe.each([5, 40, 200])('a plain list of %d with records that are deleted', (count) => {
  function board(): { store: Store; shown: () => readonly (Todo | null)[] } {
    const store = new Store();
    store.write(Board, { id: 'b', todos: pks(0, count).map((id) => ({ id, title: 't' })) });
    const live = store.query(Board, [{ id: 'b' }]);
    live.subscribe(() => {});
    live.current();
    return { store, shown: () => (live.current() as Board).todos };
  }

  it('shows the rest, whichever are deleted, and restored ones in their places', () => {
    const { store, shown } = board();
    const left = new Set(pks(0, count));
    const step = (id: string, isThere: boolean): void => {
      if (isThere) store.write(Todo, { id, title: 'back' });
      else store.write(new Invalidate(Todo), { id });
      if (isThere) left.add(id);
      else left.delete(id);
      expect(idsOf(shown())).toEqual(pks(0, count).filter((each) => left.has(each)));
      expect(shown().every((todo) => todo === store.get(Todo, todo?.id ?? ''))).toBe(true);
    };
    for (let at = 0; at < count; at++) step(String((at * 7) % count), false);
    for (let at = 0; at < count; at++) step(String((at * 3) % count), true);
  });

  it('keeps its array if no shown member has changed', () => {
    const { store, shown } = board();
    store.write(new Invalidate(Todo), { id: '2' });
    const list = shown();
    store.write(Board, { id: 'b', todos: pks(0, count).filter((id) => id !== '2') });
    expect(shown()).toBe(list);
  });

  it('adds members in between them', () => {
    const { store, shown } = board();
    for (const id of ['0', '2', '4']) store.write(new Invalidate(Todo), { id });
    shown();
    store.write(Board, { id: 'b', todos: [...pks(0, 3), { id: 'new' }, ...pks(3, count)] });
    expect(idsOf(shown())).toEqual(['1', 'new', '3', ...pks(5, count)]);
    store.write(Todo, { id: '4' });
    expect(idsOf(shown())).toEqual(['1', 'new', ...pks(3, count)]);
    store.write(Board, { id: 'b', todos: pks(3, count) });
    expect(idsOf(shown())).toEqual(pks(3, count));
  });
});

describe.each([5, 40, 200])('a collection of %d records of two kinds', (count) => {
  const both = new Collection([new Union({ todo: Todo, note: Note }, 'type' as never)] as never);
  const record = (id: string): object => ({ id, type: Number(id) % 2 ? 'todo' : 'note', title: 't' });

  it('is patched as a plain one is', () => {
    const store = new Store();
    store.write(both, pks(0, count).map(record), all);
    const live = store.query(both as never, [{}] as never);
    live.subscribe(() => {});
    const shown = (): readonly unknown[] => live.current() as unknown as readonly unknown[];
    const list = shown();
    store.write(Todo, { id: '1', title: 'new' });
    expect(shown().filter((member, at) => member !== list[at])).toEqual([store.get(Todo, '1')]);
    store.write(both.push, [record('1'), record(String(count))], all);
    store.write(both.unshift, record('2'), all);
    expect(idsOf(shown())).toEqual(pks(0, count + 1));
    store.write(both.remove, record('3'), all);
    store.write(both.remove, record('3'), all);
    store.write(new Invalidate(Note), { id: '4' });
    store.write(new Invalidate(Todo), { id: '4' });
    expect(idsOf(shown())).toEqual(pks(0, count + 1).filter((id) => id !== '3' && id !== '4'));
    expect(shown()[0]).toBe(store.get(Note, '0'));
    expect(Object.keys(store.row('[todo=Todo;note=Note]', '{}') as object)).toHaveLength(count - 1);
  });

  it('keeps members of an unknown class', () => {
    const store = new Store();
    const input = [...pks(0, count).map(record), { id: 'x', type: 'other' }, null];
    store.write(both, input, all);
    expect(store.query(both as never, [{}] as never).current()).toEqual(
      input.map((each) => each && expect.objectContaining(each)),
    );
  });
});

it.each([[0], [''], [false]])('leaves out %j, with which a server says that there is no record', (none) => {
  const store = new Store();
  const schema = { todos: [Todo], mixed: [new Union({ todo: Todo }, () => 'todo')], all: new Collection([Todo]) };
  const items = [none, { id: '1', kind: 'todo' }];
  const stored = store.write(schema, { todos: items, mixed: items, all: items });
  const [todo] = [store.get(Todo, '1')];
  expect(store.read(schema, stored)).toEqual({ todos: [todo], mixed: [todo], all: [todo] });
});

describe.each([1, 40])('a list of %d with a record that is being created', (count) => {
  const created = (store: Store): readonly [layer: Layer, pk: string] => {
    const layer = addGuess(store, () => ({ schema: todos.push, response: { title: 'new' }, ...all }));
    return [layer, layer.created[0]?.pk ?? ''];
  };

  it('shows the record of the server in its place, and later changes of it', () => {
    const store = filled(count);
    const [layer] = created(store);
    const before = read(store);
    layer.confirm(todos.push, { id: 'server', title: 'new' }, all);
    expect(idsOf(read(store))).toEqual([...pks(0, count), 'server']);
    expect(read(store)[0]).toBe(before[0]);
    expect(read(store).at(-1)).toBe(store.get(Todo, 'server'));
    store.write(Todo, { id: 'server', title: 'newer' });
    expect(read(store).at(-1)?.title).toBe('newer');
    store.invalidate(Todo, 'server');
    expect(idsOf(read(store))).toEqual(pks(0, count));
  });

  it('shows it in every slot of a list that was stored with the temporary pk', () => {
    const store = filled(count);
    const [layer, pk] = created(store);
    store.write(Board, { id: '1', todos: [pk, ...pks(0, count), pk] });
    expect(idsOf(store.get(Board, '1')?.todos)).toEqual([pk, ...pks(0, count), pk]);
    layer.confirm(todos.push, { id: 'server', title: 'new' }, all);
    expect(idsOf(store.get(Board, '1')?.todos)).toEqual(['server', ...pks(0, count), 'server']);
    store.invalidate(Todo, 'server');
    expect(idsOf(store.get(Board, '1')?.todos)).toEqual(pks(0, count));
  });

  it('shows the record of the server, and another member that has changed since the last read', () => {
    const store = filled(count);
    const [layer, pk] = created(store);
    store.write(Board, { id: '1', todos: [...pks(0, count), pk] });
    const titles = (): unknown => store.get(Board, '1')?.todos.map((todo) => todo?.title);
    expect(titles()).toEqual([...pks(0, count).map((id) => `t${id}`), 'new']);
    store.write(Todo, { id: '0', title: 'other' });
    layer.confirm(todos.push, { id: 'server', title: 'named' }, all);
    expect(titles()).toEqual(['other', ...pks(1, count).map((id) => `t${id}`), 'named']);
  });

  it('removes the record of the server before the list was read again', () => {
    const store = filled(count);
    const [layer, pk] = created(store);
    store.write(todos, [...pks(0, count), pk], all);
    read(store);
    store.batch(() => {
      layer.confirm(todos.push, { id: 'server', title: 'new' }, all);
      store.invalidate(Todo, 'server');
    });
    expect(idsOf(read(store))).toEqual(pks(0, count));
  });

  it('shows it as it was after a batch that answers it is undone', () => {
    const store = filled(count);
    const [layer, pk] = created(store);
    read(store);
    expect(() =>
      store.batch(() => {
        layer.confirm(todos.push, { id: 'server', title: 'new' }, all);
        read(store);
        throw new Error('undo');
      }),
    ).toThrow('undo');
    expect(idsOf(read(store))).toEqual([...pks(0, count), pk]);
    layer.confirm(todos.push, { id: 'server', title: 'new' }, all);
    expect(idsOf(read(store))).toEqual([...pks(0, count), 'server']);
  });
});
