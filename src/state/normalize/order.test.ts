import { describe, expect, it } from 'vitest';
import { Collection, Entity, INVALID, Invalidate, Scalar, Store, type Ticket, unshift } from '../../index.ts';

class User extends Entity {
  id = '';
  name = '';
  age = 0;
  settings: object = {};
  static override key = 'User';
}
const users: Collection = new Collection([User], { argsKey: () => ({}) });
const deletion = Symbol('deletion');
type Answer = object | typeof deletion;

/** The row after `answers` to requests 1, 2, 3… arrived in the order of `arrival`. */
function rowAfter(arrival: readonly number[], answers: readonly Answer[]): unknown {
  const store = new Store();
  const tickets = answers.map(() => store.begin());
  for (const issue of arrival) {
    const request = tickets[issue - 1] as Ticket;
    const answer = answers[issue - 1] as Answer;
    if (answer === deletion) store.invalidate(User, 'u1', { request });
    else store.write(User, { id: 'u1', ...answer }, { request });
  }
  return store.row('User', 'u1');
}

const orders = [
  [1, 2, 3],
  [1, 3, 2],
  [2, 1, 3],
  [2, 3, 1],
  [3, 1, 2],
  [3, 2, 1],
];

describe.each(orders)('answers arriving in the order %d %d %d', (...arrival) => {
  it('the later request wins each field, and earlier ones fill the gaps', () => {
    const full = { name: 'a', age: 1 };
    const later = { name: 'b', age: 2 };
    expect(rowAfter(arrival, [full, later, { name: 'c' }])).toEqual({ id: 'u1', name: 'c', age: 2 });
    expect(rowAfter(arrival, [full, { age: 2 }, { settings: { dark: true } }])).toEqual({
      id: 'u1',
      name: 'a',
      age: 2,
      settings: { dark: true },
    });
  });

  it('a deletion hides fields that were requested before it, and none that were requested later', () => {
    expect(rowAfter(arrival, [{ name: 'a', age: 1 }, deletion, { name: 'c' }])).toEqual({ id: 'u1', name: 'c' });
    expect(rowAfter(arrival, [{ name: 'a' }, { age: 2 }, deletion])).toBe(INVALID);
    expect(rowAfter(arrival, [deletion, { name: 'b' }, { age: 3 }])).toEqual({ id: 'u1', name: 'b', age: 3 });
    expect(rowAfter(arrival, [deletion, { name: 'b' }, deletion])).toBe(INVALID);
    expect(rowAfter(arrival, [deletion, deletion, { name: 'b' }])).toEqual({ id: 'u1', name: 'b' });
  });
});

describe('a field', () => {
  it('of a later request stays when an earlier one answers with the same', () => {
    expect(rowAfter([2, 1, 3], [{ name: 'a' }, { name: 'a' }, {}])).toEqual({ id: 'u1', name: 'a' });
  });

  it('is ordered by requests and not by a clock', () => {
    let time = 1000;
    const store = new Store({ now: () => (time -= 100) });
    const [first, second] = [store.begin(), store.begin()];
    store.write(User, { id: 'u1', name: 'later' }, { request: second });
    store.write(User, { id: 'u1', name: 'earlier' }, { request: first });
    expect(store.row('User', 'u1')).toEqual({ id: 'u1', name: 'later' });
  });

  it('of a write without a request is newer than every request before it', () => {
    const store = new Store();
    const request = store.begin();
    store.write(User, { id: 'u1', name: 'pushed' });
    store.write(User, { id: 'u1', name: 'asked', age: 1 }, { request });
    expect(store.row('User', 'u1')).toEqual({ id: 'u1', name: 'pushed', age: 1 });
  });

  it('that an earlier answer added is overwritten by one requested in between', () => {
    const store = new Store();
    const [first, second] = [store.begin(), store.begin()];
    store.write(User, { id: 'u1', name: 'c' });
    store.write(User, { id: 'u1', age: 1 }, { request: first });
    store.write(User, { id: 'u1', name: 'b', age: 2 }, { request: second });
    expect(store.row('User', 'u1')).toEqual({ id: 'u1', name: 'c', age: 2 });
  });

  it('is not ordered any longer once no request is in flight', () => {
    const store = new Store();
    const request = store.begin();
    store.write(User, { id: 'u1', name: 'c' });
    store.settle(request);
    store.write(User, { id: 'u1', age: 1 });
    expect(store.row('User', 'u1')).toEqual({ id: 'u1', name: 'c', age: 1 });
  });

  it('regains its place in the order when the write that moved it is undone', () => {
    const store = new Store();
    const [first, second] = [store.begin(), store.begin()];
    store.write(User, { id: 'u1', name: 'a' }, { request: second });
    expect(() =>
      store.batch(() => {
        store.write(User, { id: 'u1', age: 9 });
        store.invalidate(User, 'u1');
        store.write(User, { id: 'u1', name: 'z' });
        throw new Error('undo');
      }),
    ).toThrow('undo');
    store.write(User, { id: 'u1', name: 'x', age: 1 }, { request: first });
    expect(store.row('User', 'u1')).toEqual({ id: 'u1', name: 'a', age: 1 });
  });
});

it('a field that an earlier answer added keeps its place in the order when a later write of it is undone', () => {
  const store = new Store();
  const [first, second] = [store.begin(), store.begin()];
  store.write(User, { id: 'u1', age: 3 });
  store.write(User, { id: 'u1', name: 'a' }, { request: first });
  expect(() =>
    store.batch(() => {
      store.write(User, { id: 'u1', name: 'z' });
      throw new Error('undo');
    }),
  ).toThrow('undo');
  store.write(User, { id: 'u1', name: 'b', age: 2 }, { request: second });
  expect(store.row('User', 'u1')).toEqual({ id: 'u1', name: 'b', age: 3 });
});

describe('a deletion', () => {
  it('that is undone keeps the order of the answers of earlier requests', () => {
    const store = new Store();
    const [first, late] = [store.begin(), store.begin()];
    store.write(User, { id: 'u1', name: 'c' });
    store.write(User, { id: 'u1', age: 1 }, { request: first });
    expect(() =>
      store.batch(() => {
        store.invalidate(User, 'u1', { request: late });
        expect(store.row('User', 'u1')).toEqual({ id: 'u1', name: 'c' });
        throw new Error('undo');
      }),
    ).toThrow('undo');
    expect(store.row('User', 'u1')).toEqual({ id: 'u1', name: 'c', age: 1 });
  });

  it('that was overtaken changes nothing if every field was requested later', () => {
    const store = new Store();
    const request = store.begin();
    store.write(User, { id: 'u1', name: 'c' });
    const row = store.row('User', 'u1');
    store.invalidate(User, 'u1', { request });
    expect(store.row('User', 'u1')).toBe(row);
  });

  it('is not undone by an answer that was requested before it', () => {
    const store = new Store();
    const request = store.begin();
    store.invalidate(User, 'u1');
    store.write(User, { id: 'u1', name: 'a' }, { request });
    expect(store.row('User', 'u1')).toBe(INVALID);
    expect(store.get(User, { id: 'u1' })).toBeUndefined();
  });
});

describe('a list', () => {
  it('is the one that was requested last', () => {
    const store = new Store();
    const request = store.begin();
    store.write(users, [{ id: 'u2' }], { args: [{}] });
    store.write(users, [{ id: 'u1' }], { args: [{}], request });
    expect(store.get(users, {})).toEqual([store.get(User, 'u2')]);
  });

  it('that arrives late does not hold records that were deleted since, nor restored ones', () => {
    const store = new Store();
    const [older, request] = [store.begin(), store.begin()];
    store.invalidate(User, 'u1');
    store.invalidate(User, 'u2');
    store.write(User, { id: 'u2', name: 'again' });
    store.write(users, [{ id: 'u1' }, 'u2', { id: 'u3' }, 'u4'], { args: [{}], request });
    expect(store.row(users.key, '{}')).toEqual(['u3', 'u4']);
    store.settle(older);
  });

  it('that arrives in order may hold records that were deleted before', () => {
    const store = new Store();
    store.invalidate(User, 'u1');
    store.write(users, [{ id: 'u1', name: 'again' }], { args: [{}] });
    expect(store.get(users, {})).toEqual([store.get(User, 'u1')]);
  });

  it('gains a new member however late it arrives', () => {
    const store = new Store();
    const request = store.begin();
    store.write(users, [{ id: 'u1' }], { args: [{}] });
    store.write(users.addWith(unshift), { id: 'u2' }, { args: [{}], request });
    expect(store.row(users.key, '{}')).toEqual(['u2', 'u1']);
  });
});

describe('a class with a merge of its own', () => {
  class Score extends Entity {
    id = '';
    best = 0;
    static override key = 'Score';
    static override merge(existing: { best: number }, incoming: { best: number }): object {
      return { ...existing, ...incoming, best: Math.max(existing.best, incoming.best) };
    }
  }

  it('merges every two versions', () => {
    const store = new Store();
    store.write(Score, { id: 's', best: 5 });
    store.write(Score, { id: 's', best: 3 });
    expect(store.row('Score', 's')).toEqual({ id: 's', best: 5 });
  });

  it('merges two occurrences in one response', () => {
    const store = new Store();
    store.write(
      [Score],
      [
        { id: 's', best: 3 },
        { id: 's', best: 7 },
        { id: 's', best: 5 },
      ],
    );
    expect(store.row('Score', 's')).toEqual({ id: 's', best: 7 });
  });

  it('is ordered by row: the later request is the incoming one', () => {
    class Last extends Entity {
      id = '';
      static override key = 'Last';
      static override merge(existing: object, incoming: object): object {
        return { ...incoming, over: { ...existing, over: undefined } };
      }
    }
    const store = new Store();
    const request = store.begin();
    store.write(Last, { id: 'l', name: 'later' });
    store.write(Last, { id: 'l', name: 'earlier' }, { request });
    expect(store.row('Last', 'l')).toMatchObject({ name: 'later', over: { name: 'earlier' } });
  });

  it('may reject an incoming version, and decide which of two is older', () => {
    class Versioned extends Entity {
      id = '';
      version = 0;
      static override key = 'Versioned';
      static override shouldUpdate(_known: unknown, _meta: unknown, _existing: object, incoming: Versioned): boolean {
        return incoming.version !== 13;
      }
      static override shouldReorder(_k: unknown, _m: unknown, existing: Versioned, incoming: Versioned): boolean {
        return incoming.version < existing.version;
      }
    }
    const store = new Store();
    const write = (version: number, name: string): unknown => {
      store.write(Versioned, { id: 'v', version, name });
      return store.row('Versioned', 'v');
    };
    const two = write(2, 'two');
    expect(write(13, 'refused')).toBe(two);
    expect(write(1, 'one')).toBe(two);
    expect(write(3, 'three')).toEqual({ id: 'v', version: 3, name: 'three' });
  });

  it('does not reject another part of the same response', () => {
    class Final extends Entity {
      id = '';
      static override key = 'Final';
      static override shouldUpdate(): boolean {
        return false;
      }
    }
    const store = new Store();
    store.write([Final], [{ id: 'f', a: 1 }, { id: 'f', b: 2 }]); // prettier-ignore
    store.write(Final, { id: 'f', a: 3 });
    expect(store.row('Final', 'f')).toEqual({ id: 'f', a: 1, b: 2 });
  });

  it('that returns equal data keeps the row', () => {
    const store = new Store();
    store.write(Score, { id: 's', best: 5 });
    const row = store.row('Score', 's');
    store.write(Score, { id: 's', best: 2 });
    expect(store.row('Score', 's')).toBe(row);
  });

  it.each([[undefined], [null], ['text']])('that returns %s is an error, and nothing is written', (given) => {
    class Broken extends Entity {
      id = '';
      static override key = 'Broken';
      static override merge(): unknown {
        return given;
      }
    }
    const store = new Store();
    store.write(Broken, { id: 'b', name: 'a' });
    expect(() => store.write(Broken, { id: 'b', name: 'b' })).toThrow(
      expect.objectContaining({
        code: 'hook-failed',
        entity: 'Broken',
        path: 'the top',
        message: expect.stringMatching(/Broken\.merge\(\) threw: It returned no record\. See/) as string,
      }),
    );
    expect(store.row('Broken', 'b')).toEqual({ id: 'b', name: 'a' });
  });
});

describe('values of a Scalar', () => {
  const inShop = (shop: string): { id: string; shop: string } => ({ id: 'p', shop });
  const price = new Scalar({ key: 'price', lens: ([args]) => (args as { shop?: string }).shop });
  class Product extends Entity {
    id = '';
    price: number | undefined = undefined;
    static override key = 'Product';
    static override schema = { price };
  }

  it('are ordered as records are', () => {
    const store = new Store();
    const request = store.begin();
    store.write(Product, { id: 'p', price: 2 }, { args: [{ shop: 'a' }] });
    store.write(Product, { id: 'p', price: 1 }, { args: [{ shop: 'a' }], request });
    expect(store.get(Product, inShop('a'))).toMatchObject({ price: 2 });
  });

  it('in an answer that came late add fields that no later answer had', () => {
    const store = new Store();
    const request = store.begin();
    store.write(Product, { id: 'p', price: 2 }, { args: [{ shop: 'a' }] });
    store.write(Product, { id: 'p', price: 1 }, { args: [{ shop: 'b' }], request });
    expect(store.get(Product, inShop('b'))).toMatchObject({ price: 1 });
  });
});

it('a deletion by a response is ordered like every other deletion', () => {
  const store = new Store();
  const request = store.begin();
  store.write(User, { id: 'u1', name: 'later' });
  store.write(new Invalidate(User), { id: 'u1' }, { request });
  expect(store.row('User', 'u1')).toEqual({ id: 'u1', name: 'later' });
});

it('a deletion that came late keeps the order of the remaining fields', () => {
  const store = new Store();
  store.write(User, { id: 'u1', name: 'a', email: 'a', city: 'a' });
  const [second, third, fourth, fifth] = [store.begin(), store.begin(), store.begin(), store.begin()];
  store.write(User, { id: 'u1', name: 'fifth' }, { request: fifth });
  store.write(User, { id: 'u1', email: 'third' }, { request: third });
  store.invalidate(User, 'u1', { request: second });
  expect(store.row('User', 'u1')).toEqual({ name: 'fifth', id: 'u1', email: 'third' });
  store.write(User, { id: 'u1', name: 'fourth', email: 'fourth' }, { request: fourth });
  expect(store.row('User', 'u1')).toEqual({ name: 'fifth', id: 'u1', email: 'fourth' });
});

it('a whole list that a mutation answers is merged at the place in the order at which the mutation was issued', () => {
  const list: Collection = new Collection([User]);
  const store = new Store();
  const [first, second] = [store.begin(), store.begin()];
  const answer = { issue: 1, sent: 1, isBeforeDeletion: () => false, isOlder: () => true, isDeletionOlder: () => false, noteEdits: () => {}, fieldsOf: (...[, , , row]: unknown[]) => row as object }; // prettier-ignore
  store.write(list, [{ id: '2' }], { args: [{}], request: second });
  store.write(list, [{ id: '1' }], { args: [{}], request: first, answer });
  expect((store.get(list, {}) as User[]).map(({ id }) => id)).toEqual(['2']);
});
