import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Todo, User } from '../../../tests/model.ts';
import {
  applyCommit,
  Collection,
  dehydrateCommit,
  type DehydratedCommit,
  Entity,
  exchangeCommits,
  INVALID,
  Store,
  Values,
} from '../../index.ts';
import { addGuess } from '../store/layer.ts';

const todos: Collection = new Collection([Todo]);

interface Peer {
  readonly store: Store;
  /** Its commits, as they would be sent. */
  readonly sent: DehydratedCommit[];
}

function peer(origin: number): Peer {
  const store = new Store({ now: () => 5 });
  exchangeCommits(store, origin);
  const sent: DehydratedCommit[] = [];
  const send = (commit: Parameters<typeof dehydrateCommit>[1]): void => {
    const message = JSON.parse(JSON.stringify(dehydrateCommit(store, commit, 'anna'))) as DehydratedCommit;
    sent.push(message);
  };
  store.onCommit((commit) => isApplying || send(commit));
  return { store, sent };
}
let isApplying = false;

function receive({ store }: Peer, { sent }: Peer): void {
  isApplying = true;
  for (const message of sent) applyCommit(store, message, 'anna');
  isApplying = false;
}

function pair(): readonly [Peer, Peer] {
  return [peer(1), peer(2)];
}

describe('a commit that another store applies', () => {
  it('brings rows, lists, results and nested fields', () => {
    const [one, other] = pair();
    const options = { args: [{}], resultKey: 'GET /todos', expiresAt: 99 };
    one.store.write(todos, [{ id: '1', title: 'a', owner: { id: 'u', name: 'x' } }], options);
    receive(other, one);
    expect(other.store.get(todos, {})).toEqual(one.store.get(todos, {}));
    expect((other.store.get(Todo, '1') as Todo).owner).toBe(other.store.get(User, 'u'));
    expect(other.store.resultView('GET /todos', todos).current()).toBe(other.store.get(todos, {}));
    expect(other.store.result('GET /todos')?.stamp.expiresAt).toBe(99);
  });

  it('brings all rows, also if tables and pks contain spaces', () => {
    class A extends Entity {
      id = '';
      static override key = 'A';
    }
    class AB extends Entity {
      id = '';
      static override key = 'A B';
    }
    const [one, other] = pair();
    one.store.batch(() => {
      one.store.write(A, { id: 'B C' });
      one.store.write(AB, { id: 'C' });
    });
    receive(other, one);
    expect([other.store.get(A, 'B C')?.id, other.store.get(AB, 'C')?.id]).toEqual(['B C', 'C']);
  });

  it('removes an entry of a map also where no schema has read the map yet', () => {
    const [one, other] = pair();
    const map = new Collection(new Values(Todo));
    one.store.write(map, { a: { id: '1' }, b: { id: '2' } }, { args: [{}] });
    one.store.write(map, { a: '1' }, { args: [{}] });
    receive(other, one);
    expect(Object.keys(other.store.get(map, {}) ?? {})).toEqual(['a']);
  });

  it('is plain JSON in the format of a dehydrated store', () => {
    const [one] = pair();
    one.store.write(Todo, { id: '1', title: 'a' }, { resultKey: 'k' });
    expect(one.sent).toEqual([
      {
        format: 'rejoin',
        version: 1,
        session: 'anna',
        latest: [1, 1],
        tables: [['Todo', [['1', { id: '1', title: 'a' }, 5, 5, null, { at: [1, 1] }]]]],
        results: [['k', '1', [], 5, 5, null, { at: [1, 1] }]],
        invalidated: [],
        relations: [],
        aliases: [],
      },
    ]);
  });

  it('of another session is ignored', () => {
    const [one, other] = pair();
    one.store.write(Todo, { id: '1' });
    expect(applyCommit(other.store, one.sent[0], 'berta')).toBe(false);
    expect(other.store.row('Todo', '1')).toBeUndefined();
  });

  it('never overwrites what was requested later, field by field', () => {
    const [one, other] = pair();
    one.store.write(Todo, { id: '1', title: 'a', body: 'a' });
    receive(other, one);
    const slow = one.store.begin();
    receive(other, one);
    other.store.write(Todo, { id: '1', title: 'later' });
    one.store.write(Todo, { id: '1', title: 'slow', body: 'slow' }, { request: slow });
    receive(other, one);
    receive(one, other);
    const joined = { id: '1', title: 'later', body: 'slow' };
    expect([one, other].map(({ store }) => store.row('Todo', '1'))).toEqual([joined, joined]);
  });

  it('keeps the fields of a record when only one field was written later', () => {
    const [one, other] = pair();
    one.store.write(Todo, { id: '1', title: 'a', body: 'a' });
    receive(other, one);
    other.store.write(Todo, { id: '1', body: 'b' });
    one.store.write(Todo, { id: '1', title: 'c' });
    one.store.write(Todo, { id: '1', title: 'd' });
    receive(one, other);
    receive(other, one);
    const joined = { id: '1', title: 'd', body: 'b' };
    expect([one, other].map(({ store }) => store.row('Todo', '1'))).toEqual([joined, joined]);
  });

  it('deletes a record, and answers that were requested before do not restore it', () => {
    const [one, other] = pair();
    one.store.write(todos, [{ id: '1', title: 'a' }], { args: [{}] });
    receive(other, one);
    const slow = other.store.begin();
    one.store.write(Todo, { id: '2' });
    one.store.invalidate(Todo, '1');
    receive(other, one);
    expect(other.store.get(todos, {})).toEqual([]);
    other.store.write(Todo, { id: '1', title: 'slow' }, { request: slow });
    expect(other.store.row('Todo', '1')).toBe(INVALID);
  });

  it('restores a deleted record without its former fields', () => {
    const [one, other] = pair();
    one.store.write(Todo, { id: '1', title: 'a', body: 'a' });
    receive(other, one);
    one.store.invalidate(Todo, '1');
    one.store.write(Todo, { id: '1', title: 'b' });
    receive(other, { ...one, sent: one.sent.slice(-1) });
    expect(other.store.row('Todo', '1')).toEqual({ id: '1', title: 'b' });
  });

  it('of a store that has deleted a record keeps what was requested later', () => {
    const [one, other] = pair();
    one.store.write(Todo, { id: '1', title: 'a' });
    receive(other, one);
    one.store.invalidate(Todo, '1');
    other.store.begin();
    other.store.write(Todo, { id: '1', title: 'b' });
    receive(other, one);
    expect(other.store.row('Todo', '1')).toEqual({ id: '1', title: 'b' });
    receive(one, other);
    expect(one.store.row('Todo', '1')).toEqual({ id: '1', title: 'b' });
  });

  it('removes fields that a whole record lacked', () => {
    const [one, other] = pair();
    one.store.write(Todo, { id: '1', title: 'a', body: 'a' });
    receive(other, one);
    one.store.write(Todo, { id: '1', title: 'b' }, { isWhole: true });
    receive(other, one);
    expect(other.store.row('Todo', '1')).toEqual({ id: '1', title: 'b' });
  });

  it('keeps the object of a row without news', () => {
    const [one, other] = pair();
    one.store.write(Todo, { id: '1', title: 'a' });
    receive(other, one);
    const before = other.store.row('Todo', '1');
    receive(other, one);
    expect(other.store.row('Todo', '1')).toBe(before);
  });

  it('removes invalidated results, and not those of later requests', () => {
    const [one, other] = pair();
    one.store.write(Todo, { id: '1' }, { resultKey: 'old' });
    receive(other, one);
    one.store.batch(() => {
      one.store.note('old', { isInvalidated: true, since: 5, edits: 0 });
      one.store.dropResult('old');
      one.store.note('unknown', { isInvalidated: true, since: 5, edits: 0 });
    });
    receive(other, one);
    expect(other.store.result('old')).toBeUndefined();
    other.store.write(Todo, { id: '1' }, { resultKey: 'old' });
    receive(other, one);
    expect(other.store.result('old')).toBeDefined();
  });

  it('invalidates a request also if the other store can find its record by the arguments, until it is answered', () => {
    const [one, other] = pair();
    const get = { key: 'get', schema: Todo, infer: [{ id: '1' }] };
    const shown = (): unknown => other.store.readRequest(get).value;
    one.store.write(Todo, { id: '1' });
    one.store.note('get', { isInvalidated: true, since: 5, edits: 0 });
    receive(other, one);
    expect(shown()).toBe(INVALID);
    one.store.write(Todo, { id: '1', title: 'new' }, { resultKey: 'get' });
    one.store.note('get', undefined);
    receive(other, one);
    expect(shown()).toMatchObject({ title: 'new' });
    expect(other.store.request('get')?.note).toBeUndefined();
  });

  it('has the versions of results, which do not replace those of later results', () => {
    const [one, other] = pair();
    one.store.write(Todo, { id: '1' }, { resultKey: 'k' });
    one.store.note('k', { since: 5, edits: 0, version: { etag: 'a' } });
    receive(other, one);
    expect(other.store.request('k')?.note).toMatchObject({ version: { etag: 'a' } });
    other.store.write(Todo, { id: '1' }, { resultKey: 'k' });
    other.store.note('k', { since: 5, edits: 0, version: { etag: 'b' } });
    receive(other, one);
    expect(other.store.request('k')?.note).toMatchObject({ version: { etag: 'b' } });
  });

  it('has results as fresh as the notes of their requests', () => {
    const [one, other] = pair();
    one.store.write(Todo, { id: '1' }, { resultKey: 'k', expiresAt: 10 });
    one.store.note('k', { expiresAt: 50, since: 40, edits: 0 });
    receive(other, one);
    expect(other.store.result('k')?.stamp).toMatchObject({ date: 40, expiresAt: 50 });
    one.store.note('k', { isExpired: true, since: 41, edits: 0 });
    receive(other, one);
    expect(other.store.result('k')?.stamp.expiresAt).toBe(0);
  });

  it('brings temporary pks', () => {
    const [one, other] = pair();
    const all = { args: [{}] };
    one.store.write(todos, [], all);
    const layer = addGuess(one.store, () => ({ schema: todos.push, response: { title: 'new' }, ...all }));
    const temporary = layer.created[0]?.pk ?? '';
    layer.confirm(todos.push, { id: '7', title: 'new' }, all);
    receive(other, one);
    expect(other.store.pkOf('Todo', temporary)).toBe('7');
  });

  it('leaves out guesses, and rows removed by collection', () => {
    const [one] = pair();
    one.store.write(Todo, { id: '1' });
    addGuess(one.store, () => ({ schema: Todo, response: { id: '2' } }));
    Array.from(new Store().collect());
    one.store.reset();
    expect(one.sent.map(({ tables }) => tables)).toEqual([
      [['Todo', [['1', { id: '1' }, 5, 5, null, { at: [1, 1] }]]]],
      [],
      [],
    ]);
  });

  it('leaves out rows and requests removed by collection', () => {
    const [one] = pair();
    one.store.write(Todo, { id: '1' }, { resultKey: 'k', expiresAt: 0 });
    one.store.dropRequest('k');
    one.store.note('other', { since: 5, edits: 0 });
    one.store.note('other', undefined);
    Array.from(one.store.collect());
    expect(one.sent.slice(1).map(({ tables, results, invalidated }) => [tables, results, invalidated])).toEqual([
      [[], [], []],
      [[], [], []],
      [[], [], []],
    ]);
  });

  it('says when a list with changed members was requested', () => {
    const [one, other] = pair();
    const all = { args: [{}] };
    one.store.write(todos, [{ id: '1' }], all);
    receive(other, one);
    one.store.write(todos.push, { id: '2' }, all);
    receive(other, one);
    expect(other.store.get(todos, {})).toHaveLength(2);
    other.store.write(todos, [{ id: '3' }], all);
    receive(other, one);
    expect(other.store.get(todos, {})).toEqual([other.store.get(Todo, '3')]);
  });

  it('says that a list is older than a record that was requested before the last change of the list', () => {
    const [one, other] = pair();
    const titled = { args: [{ title: 'a' }] };
    one.store.write(todos, [{ id: '1', title: 'a' }], titled);
    receive(other, one);
    expect(other.store.get(todos, { title: 'a' })).toHaveLength(1);
    const request = other.store.begin();
    for (let count = 0; count < 3; count++) one.store.begin();
    one.store.write(todos.push, { id: '2', title: 'a' }, titled);
    receive(other, one);
    other.store.write(Todo, { id: '1', title: 'b' }, { request });
    expect(other.store.get(todos, { title: 'a' })).toMatchObject([{ id: '2' }]);
  });

  it('has the nested fields of the tables of its rows, and no others', () => {
    const [one] = pair();
    one.store.write(Todo, { id: '1', owner: { id: 'u', name: 'x' } });
    one.store.write(User, { id: 'v' });
    expect(one.sent.map(({ relations }) => relations)).toEqual([[['Todo', ['owner']]], []]);
  });

  it('with a record that was deleted and written at the same place in the order uses the incoming version', () => {
    const [one, other] = pair();
    const request = one.store.begin();
    request.uses = 2;
    one.store.invalidate(Todo, '1', { request });
    receive(other, one);
    one.store.write(Todo, { id: '1', title: 'a' }, { request });
    receive(other, one);
    expect(other.store.row('Todo', '1')).toEqual({ id: '1', title: 'a' });
  });

  it('reports a row that was confirmed unchanged by a later request', () => {
    const [one, other] = pair();
    one.store.write(Todo, { id: '1', title: 'a' });
    receive(other, one);
    one.store.write(Todo, { id: '1', title: 'b' });
    one.store.write(Todo, { id: '1', title: 'b' });
    other.store.write(Todo, { id: '1', title: 'c' });
    receive(other, one);
    expect(other.store.row('Todo', '1')).toEqual({ id: '1', title: 'b' });
    const alone = new Store();
    exchangeCommits(alone, 3);
    alone.onCommit(() => undefined)();
    alone.write(Todo, { id: '1' });
    alone.write(Todo, { id: '1' });
    expect(alone.row('Todo', '1')).toEqual({ id: '1' });
  });

  it.each([
    ['without a place of its own', { latest: undefined }, 'latest'],
    ['with a counter beyond all', { latest: [2 ** 60, 0] }, 'latest'],
    ['with a place that is not a pair', { latest: 5 }, 'latest'],
    ['with a negative origin', { latest: [1, -1] }, 'latest'],
    ['with an order that is none', { tables: [['Todo', [['1', {}, 5, 5, null, 7]]]] }, 'tables[0][1][0]'],
    [
      'with a deletion that is none',
      { tables: [['T', [['1', {}, 5, 5, 5, { at: [1, 1], deletion: 'x' }]]]] },
      'tables[0][1][0]',
    ],
    [
      'with a field without a name',
      { tables: [['T', [['1', {}, 5, 5, 5, { at: [1, 1], fields: [[5, [1, 1]]] }]]]] },
      'tables[0][1][0]',
    ],
    ['with requests that have no key', { invalidated: [5] }, 'invalidated[0]'],
  ])('%s is refused', (_what, parts, path) => {
    const [one, other] = pair();
    one.store.write(Todo, { id: '1' });
    expect(() => applyCommit(other.store, { ...one.sent[0], ...parts }, 'anna')).toThrow(
      expect.objectContaining({ code: 'hydrate-invalid', path }),
    );
  });
});

describe('a list to which tabs add pages', () => {
  const pages = todos.pagesWith((params: Record<string, unknown>) => [{ ...params, cursor: undefined }]);
  const answers = {
    list: [todos, ['1', '2']],
    two: [pages, ['3', '4']],
    three: [pages, ['4', '5']],
    four: [pages, ['6']],
  } as const;
  type Name = keyof typeof answers;

  /** Sends and answers requests in one store, and in stores that exchange their commits. Returns the list of each. */
  function listsAfter(
    steps: readonly (readonly [at: number, what: 'send' | 'answer' | 'remove', name: Name])[],
  ): unknown[] {
    const peers = pair();
    const alone = peer(9);
    /** The requests that were sent, in the store alone and in one of the others. */
    const requests = new Map<Name, readonly (readonly [Store, ReturnType<Store['begin']>])[]>();
    const received = [0, 0];
    for (const [at, what, name] of steps) {
      const stores = [alone.store, (peers[at] as Peer).store];
      const [schema, ids] = answers[name];
      if (what === 'send')
        requests.set(
          name,
          stores.map((store) => [store, store.begin()]),
        );
      if (what === 'remove') for (const store of stores) store.write(todos.remove, { id: '4' }, { args: [{}] });
      if (what === 'answer')
        for (const [store, request] of requests.get(name) ?? [])
          store.write(
            schema,
            ids.map((id) => ({ id })),
            { args: [name === 'list' ? {} : { cursor: name }], request },
          );
      if (what === 'answer') requests.delete(name);
      // The next request of any store has a later place in the order.
      for (const store of stores) store.write(User, { id: 'sync', name: `${received.join()} ${what}` });
      for (const [from, { sent }] of peers.entries()) {
        receive(peers[1 - from] as Peer, { store: alone.store, sent: sent.slice(received[from]) });
        received[from] = sent.length;
      }
    }
    return [alone, ...peers].map(({ store }) => store.row('[Todo]', '{}'));
  }

  it('has the pages of all of them, in the order of their requests', () => {
    const begin = [
      [0, 'send', 'list'],
      [0, 'answer', 'list'],
      [0, 'send', 'two'],
      [1, 'send', 'three'],
    ] as const;
    for (const end of [
      [
        [0, 'answer', 'two'],
        [1, 'answer', 'three'],
      ],
      [
        [1, 'answer', 'three'],
        [0, 'answer', 'two'],
      ],
    ] as const)
      expect(listsAfter([...begin, ...end])).toEqual(Array.from({ length: 3 }, () => ['1', '2', '3', '4', '5']));
  });

  it('keeps them when a list arrives that was requested before', () => {
    const lists = listsAfter([
      [1, 'send', 'list'],
      [1, 'answer', 'list'],
      [1, 'send', 'list'],
      [0, 'send', 'two'],
      [0, 'answer', 'two'],
      [1, 'answer', 'list'],
    ]);
    expect(lists).toEqual(Array.from({ length: 3 }, () => ['1', '2', '3', '4']));
  });

  it('has the pages of all of them, also if they arrive before the commits of other tabs', () => {
    const [one, other] = pair();
    one.store.write(todos, [{ id: '1' }, { id: '2' }, { id: '9' }], { args: [{}] });
    receive(other, one);
    const requests = [one, other].map(({ store }) => store.begin());
    const load = ({ store }: Peer, name: 'two' | 'three', request: (typeof requests)[number] | undefined): void =>
      void store.write(
        pages,
        answers[name][1].map((id) => ({ id })),
        { args: [{ cursor: name }], ...(request && { request }) },
      );
    load(other, 'three', requests[1]);
    load(one, 'two', requests[0]);
    other.store.write(todos.remove, { id: '9' }, { args: [{}] });
    const sent = one.sent.slice();
    receive(one, other);
    receive(other, { ...one, sent });
    for (const { store } of [one, other]) expect(store.row('[Todo]', '{}')).toEqual(['1', '2', '3', '4', '5']);
    one.store.write(todos.remove, { id: '4' }, { args: [{}] });
    receive(other, one);
    for (const { store } of [one, other]) expect(store.row('[Todo]', '{}')).toEqual(['1', '2', '3', '5']);
  });

  it('is the same as in one store, whichever of them sends the requests and in whichever order they are answered', () => {
    const step = fc.tuple(
      fc.nat(1),
      fc.constantFrom('send' as const, 'answer' as const, 'answer' as const, 'remove' as const),
      fc.constantFrom<Name>('list', 'two', 'three', 'four'),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
        const [alone, ...others] = listsAfter([[0, 'send', 'list'], [0, 'answer', 'list'], ...steps]);
        expect(others).toEqual([alone, alone]);
      }),
      { numRuns: Number(process.env['RUNS'] ?? 300) },
    );
  });
});

it('an origin that is not a whole number, or too large for a counter beside it, is refused', () => {
  for (const origin of [-1, 0, 0.5, 2 ** 20, Number.NaN])
    expect(() => exchangeCommits(new Store(), origin)).toThrow(
      `A store was given the origin ${origin}. Pass a whole number from 1 to 1048575, and another one to each store.`,
    );
  const last = new Store();
  exchangeCommits(last, 2 ** 20 - 1);
  expect([last.begin().issue, last.begin().issue].map(Math.floor)).toEqual([1, 2]);
});

class Item extends Entity {
  id = '';
  static override key = 'Item';
}

type Step = readonly [peer: number, kind: string, pk: string, field: string];

const step: fc.Arbitrary<Step> = fc.tuple(
  fc.nat(2),
  fc.constantFrom('write', 'whole', 'delete', 'begin', 'answer', 'hear'),
  fc.constantFrom('1', '2'),
  fc.constantFrom('a', 'b', 'c'),
);

it('stores that received the same commits hold the same rows, whatever the order', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.infiniteStream(fc.nat(2)), (steps, order) => {
      const peers = [peer(1), peer(2), peer(3)];
      const received = peers.map(() => peers.map(() => 0));
      const open = peers.map((): ReturnType<Store['begin']>[] => []);
      const hear = (at: number, from: number): void => {
        const message = peers[from]?.sent[received[at]?.[from] ?? 0];
        if (at === from || message === undefined) return;
        receive(peers[at] as Peer, { store: peers[from]?.store as Store, sent: [message] });
        (received[at] as number[])[from] = (received[at]?.[from] ?? 0) + 1;
      };
      let count = 0;
      for (const [at, kind, pk, field] of steps) {
        const { store } = peers[at] as Peer;
        const row = { id: pk, [field]: ++count };
        if (kind === 'write') store.write(Item, row);
        if (kind === 'whole') store.write(Item, row, { isWhole: true });
        if (kind === 'delete') store.invalidate(Item, pk);
        if (kind === 'begin') open[at]?.push(store.begin());
        const request = kind === 'answer' ? open[at]?.pop() : undefined;
        if (request !== undefined) store.write(Item, row, { request });
        if (kind === 'hear') hear(at, order.next().value as number);
      }
      while (
        received.some((known, at) => known.some((many, from) => at !== from && many < (peers[from]?.sent.length ?? 0)))
      )
        hear(order.next().value as number, order.next().value as number);
      const states = peers.map(({ store }) => ['1', '2'].map((pk) => store.row('Item', pk)));
      expect(states[1]).toEqual(states[0]);
      expect(states[2]).toEqual(states[0]);
    }),
    { numRuns: 2000 },
  );
});
