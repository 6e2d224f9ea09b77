import { describe, expect, test } from 'vitest';
import { Collection, DataError, Entity, Query, All, Store } from '../../../src/index.ts';

class Calm extends Entity {
  id = '';
  name = '';
  static override key = 'Calm';
}

const fault = new Error('a fault in the application');
const fail = (): never => {
  throw fault;
};

/** Classes with a hook that throws, or returns an unusable value. */
const hooks: Record<string, () => typeof Entity> = {
  'process() throws': () =>
    class extends Calm {
      static override key = 'Wild';
      static override process = fail;
    },
  'process() returns text': () =>
    class extends Calm {
      static override key = 'Wild';
      static override process = () => 'x' as never;
    },
  'process() returns null': () =>
    class extends Calm {
      static override key = 'Wild';
      static override process = () => null as never;
    },
  'process() returns an array': () =>
    class extends Calm {
      static override key = 'Wild';
      static override process = () => [] as never;
    },
  'pk() throws': () =>
    class extends Calm {
      static override key = 'Wild';
      override pk(): string {
        return fail();
      }
    },
  'static pk() throws': () =>
    class extends Calm {
      static override key = 'Wild';
      static override pk = fail;
    },
  'pk() returns an object': () =>
    class extends Calm {
      static override key = 'Wild';
      static override pk = () => ({}) as never;
    },
  'validate() throws': () =>
    class extends Calm {
      static override key = 'Wild';
      static override validate = fail;
    },
  'validate() refuses': () =>
    class extends Calm {
      static override key = 'Wild';
      static override validate = () => 'never good enough';
    },
};

/** Classes with a merge hook that throws, or returns an unusable value. */
const mergeHooks: Record<string, () => typeof Entity> = {
  'merge() throws': () =>
    class extends Calm {
      static override key = 'Wild';
      static override merge = fail;
    },
  'merge() returns nothing': () =>
    class extends Calm {
      static override key = 'Wild';
      static override merge = () => undefined as never;
    },
  'merge() returns text': () =>
    class extends Calm {
      static override key = 'Wild';
      static override merge = () => 'x' as never;
    },
  'mergeWithStore() throws': () =>
    class extends Calm {
      static override key = 'Wild';
      static override mergeWithStore = fail;
    },
  'shouldReorder() throws': () =>
    class extends Calm {
      static override key = 'Wild';
      static override shouldReorder = fail;
    },
  'shouldUpdate() throws': () =>
    class extends Calm {
      static override key = 'Wild';
      static override shouldUpdate = fail;
    },
};

function errorOf(run: () => unknown): DataError {
  try {
    run();
  } catch (error) {
    if (error instanceof DataError) return error;
    throw error;
  }
  throw new Error('Nothing was thrown.');
}

describe('a class whose hook fails', () => {
  for (const [what, make] of Object.entries(hooks)) {
    test(`${what}: a typed error names the entity and the path, and the store keeps its former state`, () => {
      const Wild = make();
      class Holder extends Entity {
        id = '';
        wild: unknown = undefined;
        calm: unknown = undefined;
        static override key = 'Holder';
        static override schema = { calm: Calm, wild: Wild };
      }
      const store = new Store();
      store.write(Holder, { id: '1', calm: { id: '1', name: 'before' } });
      const before = store.get(Holder, { id: '1' });

      const response = [
        { id: '2', calm: { id: '1', name: 'after' } },
        { id: '1', wild: { id: '7' } },
      ];
      const error = errorOf(() => store.write([Holder], response));

      expect(error.entity).toBe('Wild');
      expect(error.path).toBe('[1].wild');
      expect(store.get(Holder, { id: '1' })).toBe(before);
      expect(store.stats().rows).toBe(2);
    });
  }

  for (const [what, make] of Object.entries(mergeHooks)) {
    test(`${what}: the stored row stays unchanged`, () => {
      const Wild = make();
      const store = new Store();
      store.write(Wild, { id: '1', name: 'before' });
      const before = store.get(Wild, { id: '1' });

      const error = errorOf(() =>
        store.write({ list: [Calm], wild: Wild }, { list: [{ id: '5' }], wild: { id: '1', name: 'after' } }),
      );

      expect(error.entity).toBe('Wild');
      expect(error.path).toBe('wild');
      expect(store.get(Wild, { id: '1' })).toBe(before);
      expect(store.get(Calm, { id: '5' })).toBeUndefined();
    });
  }
});

describe('code that fails on read', () => {
  test('a function that throws makes only its own field unreadable', () => {
    class Wild extends Calm {
      date: unknown = undefined;
      static override key = 'Wild';
      static override schema = { date: fail };
    }
    const store = new Store();
    store.write(Wild, { id: '1', name: 'Ann', date: 'x' });

    const wild = store.get(Wild, { id: '1' }) as Wild;

    expect(wild.name).toBe('Ann');
    expect(wild.date).toBeInstanceOf(DataError);
    expect((wild.date as DataError).cause).toBe(fault);
  });

  test('a Query that throws is a typed error at each read, and works again when its rows allow it', () => {
    const names = new Query(new All(Calm), (all: Calm[] | undefined) =>
      all?.some((calm) => calm.name === 'bad') ? fail() : all?.length,
    );
    const store = new Store();
    store.write(
      [Calm],
      [
        { id: '1', name: 'bad' },
        { id: '2', name: 'good' },
      ],
    );

    expect(errorOf(() => store.get(names)).cause).toBe(fault);
    expect(errorOf(() => store.get(names)).cause).toBe(fault);
    store.write(Calm, { id: '1', name: 'better' });
    expect(store.get(names)).toBe(2);
  });

  test('an observer that throws does not keep the others from being notified', async () => {
    const store = new Store();
    store.write(Calm, { id: '1', name: 'a' });
    const calls: string[] = [];
    const thrown: unknown[] = [];
    const catchIt = (error: unknown): number => thrown.push(error);
    const listeners = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.on('uncaughtException', catchIt);
    try {
      const [first, second] = [store.query(Calm, [{ id: '1' }]), store.query(Calm, [{ id: '1' }])];
      first.current();
      second.current();
      first.subscribe(fail);
      second.subscribe(() => calls.push('second'));

      store.write(Calm, { id: '1', name: 'b' });
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      process.removeListener('uncaughtException', catchIt);
      for (const listener of listeners) process.on('uncaughtException', listener);
    }

    expect(calls).toEqual(['second']);
    expect(thrown).toEqual([fault]);
  });
});

describe('a wrong schema for the response', () => {
  const cases: Record<string, readonly [schema: unknown, input: unknown]> = {
    'a record for a list': [[Calm], { id: '1' }],
    'a list for a record': [Calm, [{ id: '1' }]],
    'text for a list': [[Calm], 'x'],
    'a number for a list': [[Calm], 5],
    'text for a collection': [new Collection([Calm]), 'x'],
    'a boolean for a record': [Calm, true],
    'text for an object': [{ list: [Calm] }, 'x'],
  };
  for (const [what, [schema, input]] of Object.entries(cases)) {
    test(`${what}: a typed error, or nothing that changes another record`, () => {
      const store = new Store();
      store.write(Calm, { id: '9', name: 'there' });
      const before = store.get(Calm, { id: '9' });
      try {
        store.write(schema, input, { args: [] });
      } catch (error) {
        expect(error).toBeInstanceOf(DataError);
        expect(store.stats().rows).toBe(1);
      }

      expect(store.get(Calm, { id: '9' })).toBe(before);
    });
  }
});
