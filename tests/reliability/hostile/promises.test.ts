import { BigNumber } from 'bignumber.js';
import { describe, expect, test } from 'vitest';
import { Collection, DataError, Entity, Store, dehydrate, hydrate } from '../../../src/index.ts';

class User extends Entity {
  id = '';
  name: unknown = '';
  static override key = 'User';
  static indexes = ['name'];
}

class Account extends Entity {
  id = '';
  owner: unknown = undefined;
  balance: unknown = BigNumber(0);
  since: unknown = undefined;
  tags: unknown = [];
  static override key = 'Account';
  static override schema = {
    owner: User,
    balance: (text: string) => decimal(text),
    since: (iso: string) => new Date(Date.parse(iso)),
  };
}

function decimal(text: string | BigNumber): BigNumber {
  const made = BigNumber(text);
  if (made.isNaN()) throw new RangeError(`${String(text)} is not a decimal`);
  return made;
}

/** The error that `run` throws. */
function errorOf(run: () => unknown): DataError {
  try {
    run();
  } catch (error) {
    if (error instanceof DataError) return error;
    throw error;
  }
  throw new Error('Nothing was thrown.');
}

const objectNames = [...Object.getOwnPropertyNames(Object.prototype), 'prototype', 'length', 'name'];

describe('prototype keys in JSON', () => {
  for (const [where, json] of Object.entries({
    'at the top': '{"id":"1","__proto__":{"isAdmin":true,"pk":"x"}}',
    'in a nested record': '{"id":"1","owner":{"id":"2","__proto__":{"isAdmin":true}}}',
    'in plain data': '{"id":"1","tags":[{"__proto__":{"isAdmin":true}}]}',
    'as constructor.prototype': '{"id":"1","constructor":{"prototype":{"isAdmin":true}}}',
  })) {
    test(`${where}: no object becomes an administrator`, () => {
      const store = new Store();
      store.write(Account, JSON.parse(json));
      store.write(Account, JSON.parse(json));
      const other = new Store();
      hydrate(other, JSON.parse(JSON.stringify(dehydrate(store))));

      for (const each of [store, other]) {
        const account = each.get(Account, { id: '1' }) as Account & { isAdmin?: unknown };
        expect(account).toBeInstanceOf(Account);
        expect(account.isAdmin).toBeUndefined();
        expect((account.owner as { isAdmin?: unknown } | undefined)?.isAdmin).toBeUndefined();
        expect((account.tags as { isAdmin?: unknown }[])[0]?.isAdmin).toBeUndefined();
        expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined();
      }
    });
  }
});

describe('names of the members of Object.prototype', () => {
  for (const name of objectNames) {
    test(`${name} is a pk, a reference and an indexed value like any other`, () => {
      const store = new Store();
      expect(store.get(User, { id: name })).toBeUndefined();
      expect(store.get(User, { name })).toBeUndefined();

      store.write(Account, { id: name, owner: { id: name, name } });

      const account = store.get(Account, { id: name }) as Account;
      expect(account.owner).toBe(store.get(User, { id: name }));
      expect(store.get(User, { name })).toBe(account.owner);
      expect(store.row('User', name)).toEqual({ id: name, name });
      store.invalidate(User, name);
      expect((store.get(Account, { id: name }) as Account).owner).toBeUndefined();
    });

    test(`${name} is a table and an argument like any other`, () => {
      class Odd extends Entity {
        id = '';
        static override key = name;
      }
      const list = new Collection([Odd]);
      const store = new Store();
      expect(store.get(list, { [name]: 'x' })).toBeUndefined();

      store.write(list, [{ id: '1' }], { args: [Object.fromEntries([[name, 'x']])] });

      expect(store.get(list, Object.fromEntries([[name, 'x']]))).toHaveLength(1);
      expect(store.row(name, '1')).toEqual({ id: '1' });
      expect(store.row(name, 'toString')).toBeUndefined();
    });
  }
});

describe('pks', () => {
  const odd: Record<string, unknown> = {
    nothing: undefined,
    null: null,
    true: true,
    false: false,
    NaN: Number.NaN,
    'an empty text': '',
    'an object': {},
    'an array': ['1'],
  };
  for (const [what, id] of Object.entries(odd)) {
    test(`${what} is refused with an error that names the entity and the path, and nothing is stored`, () => {
      const store = new Store();
      const error = errorOf(() => store.write([Account], [{ id: '1' }, { id: '2', owner: { id, name: 'x' } }]));

      expect(error.entity).toBe('User');
      expect(error.path).toBe('[1].owner');
      expect(store.stats().rows).toBe(0);
    });
  }

  test('1 and "1" are one pk', () => {
    const store = new Store();
    store.write(User, { id: 1, name: 'a' });
    store.write(User, { id: '1', name: 'b' });

    expect(store.stats().rows).toBe(1);
    expect(store.get(User, 1)).toBe(store.get(User, '1'));
  });
});

describe('fields that are called like methods', () => {
  test('a record keeps its methods whatever the server calls its fields', () => {
    const store = new Store();
    store.write(User, {
      id: '1',
      pk: 'x',
      constructor: 'y',
      toString: null,
      valueOf: 1,
      toJSON: 'z',
      hasOwnProperty: false,
    });
    const user = store.get(User, { id: '1' }) as User;

    expect(user.pk()).toBe('1');
    expect(User.pk(user)).toBe('1');
    expect(`${user}`).toBe('[object Object]');
    expect(user.constructor).toBe(User);
  });
});

describe('a field that cannot be read', () => {
  test('one invalid decimal in a hundred accounts is a typed error in its field, and the list contains all accounts', () => {
    const store = new Store();
    const accounts = Array.from({ length: 100 }, (_, at) => ({
      id: String(at),
      balance: at === 42 ? 'lots' : `${at}.5`,
    }));
    const stored = store.write([Account], accounts);

    const list = store.read([Account], stored) as Account[];

    expect(list).toHaveLength(100);
    const errors = list.map((account) => account.balance).filter((balance) => balance instanceof DataError);
    expect(errors).toHaveLength(1);
    expect(errors[0]?.entity).toBe('Account');
    expect(errors[0]?.path).toBe('balance');
    expect(String(list[41]?.balance)).toBe('41.5');
  });
});

describe('a field that can neither be read nor described', () => {
  const stored: Record<string, unknown> = {
    'a bigint': 10n,
    'a symbol': Symbol('x'),
    'an object that throws as text': {
      toString: () => {
        throw new Error('no text');
      },
      toJSON: () => {
        throw new Error('no JSON');
      },
    },
  };
  for (const [what, since] of Object.entries(stored)) {
    test(`${what} does not prevent the list from being read`, () => {
      class Strict extends Account {
        static override key = 'Strict';
        static override schema = {
          ...Account.schema,
          since: () => {
            throw new Error('never');
          },
        };
      }
      const store = new Store();
      const list = store.read([Strict], store.write([Strict], [{ id: '1', since }, { id: '2' }])) as Strict[];

      expect(list.map(({ id }) => id)).toEqual(['1', '2']);
      expect(list[0]?.since).toBeInstanceOf(DataError);
    });
  }
});

describe('results cannot be changed by callers', () => {
  test('a change throws in development, and the next read is as before', () => {
    const store = new Store({ frozen: true });
    store.write(Account, { id: '1', owner: { id: '2', name: 'Ann' }, tags: [{ deep: ['a'] }] });
    const account = store.get(Account, { id: '1' }) as Account & { tags: { deep: string[] }[] };

    expect(() => (account.balance = 1)).toThrow(TypeError);
    expect(() => ((account.owner as User).name = 'x')).toThrow(TypeError);
    expect(() => account.tags[0]?.deep.push('b')).toThrow(TypeError);
    expect(store.get(Account, { id: '1' })).toBe(account);
  });

  test('without freezing, a change of the response does not reach the store', () => {
    const store = new Store({ frozen: false });
    const response = { id: '1', tags: [{ deep: ['a'] }] };
    store.write(Account, response);
    response.tags[0]?.deep.push('b');

    expect(store.row('Account', '1')).toEqual({ id: '1', tags: [{ deep: ['a'] }] });
  });
});
