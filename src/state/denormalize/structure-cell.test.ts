import { describe, expect, it } from 'vitest';
import { User } from '../../../tests/model.ts';
import {
  DataError,
  type DenormalizeDelegate,
  Entity,
  INVALID,
  Query,
  type SchemaSimple,
  Store,
  Union,
  Values,
  schema,
} from '../../index.ts';
class Post extends Entity {
  id = '';
  kind = 'post';
  title = '';
  meta: { author: User; editors: User[] } | undefined = undefined;
  static override key = 'Post';
  static override schema = { meta: { author: User, editors: [User] } };
}
class Video extends Entity {
  id = '';
  kind = 'video';
  static override key = 'Video';
}

function custom(parts: Partial<SchemaSimple>): SchemaSimple {
  return {
    normalize: (input) => input,
    denormalize: (stored) => stored,
    queryKey: () => undefined,
    ...parts,
  };
}

describe('an object of several schemas', () => {
  it.each([0, '', false])('has no record where the server sends %j instead of a reference', (none) => {
    const store = new Store();
    const page = { user: User, by: new Union({ user: User }, () => 'user'), inner: { user: User }, count: 0 };
    store.write(page, { user: none, by: none, inner: { user: none }, count: 0 }, { resultKey: 'page' });
    expect(store.resultView('page', page).current()).toStrictEqual({
      user: undefined,
      by: undefined,
      inner: { user: undefined },
      count: 0,
    });
  });

  it('is the same object until one of its parts changes', () => {
    const store = new Store();
    store.write(Post, { id: 'p', meta: { author: { id: 'u1' }, editors: [{ id: 'u2' }], note: 'x' } });
    const { meta } = store.get(Post, 'p') as Post;
    expect(meta).toEqual({ author: store.get(User, 'u1'), editors: [store.get(User, 'u2')], note: 'x' });
    store.write(Post, { id: 'p', title: 'new' });
    expect((store.get(Post, 'p') as Post).meta).toBe(meta);
    store.write(User, { id: 'u2', name: 'b' });
    const changed = (store.get(Post, 'p') as Post).meta;
    expect(changed).not.toBe(meta);
    expect(changed?.author).toBe(meta?.author);
    expect(changed?.editors[0]).toBe(store.get(User, 'u2'));
  });

  it('follows its stored form', () => {
    const store = new Store();
    store.write(Post, { id: 'p', meta: { author: { id: 'u1' } } });
    store.get(Post, 'p');
    store.write(Post, { id: 'p', meta: { author: { id: 'u2' } } });
    expect((store.get(Post, 'p') as Post).meta?.author).toBe(store.get(User, 'u2'));
    store.write(Post, { id: 'p', meta: null });
    expect((store.get(Post, 'p') as Post).meta).toBeNull();
  });

  it('is frozen as other values are', () => {
    const read = (store: Store): object => {
      store.write(Post, { id: 'p', meta: { author: { id: 'u1' }, editors: [] } });
      return (store.get(Post, 'p') as Required<Post>).meta as object;
    };
    expect(Object.isFrozen(read(new Store()))).toBe(true);
    expect(Object.isFrozen(read(new Store({ frozen: false })))).toBe(false);
  });
});

describe('a Union', () => {
  const media = new Union({ post: Post, video: Video }, 'kind');

  it('reads as the record of its class, and can change its class', () => {
    const store = new Store();
    const shelf = custom({});
    expect(store.read(shelf, 'x')).toBe('x');
    class Shelf extends Entity {
      id = '';
      best: unknown = undefined;
      static override key = 'Shelf';
      static override schema = { best: media };
    }
    store.write(Shelf, { id: 's', best: { kind: 'post', id: '1' } });
    expect((store.get(Shelf, 's') as Shelf).best).toBe(store.get(Post, '1'));
    store.write(Shelf, { id: 's', best: { kind: 'video', id: '1' } });
    expect((store.get(Shelf, 's') as Shelf).best).toBe(store.get(Video, '1'));
  });

  it('is found by its arguments', () => {
    const store = new Store();
    store.write(media, { kind: 'video', id: '1' });
    expect(store.get(media, { id: '1' })).toBe(store.get(Video, '1'));
    expect(store.get(media, { id: '2' })).toBeUndefined();
  });
});

describe('a map', () => {
  it('keeps its object until an entry is changed, added or removed', () => {
    const store = new Store();
    const map = new Values(User);
    store.write(map, { a: { id: '1' }, b: { id: '2' } }, { resultKey: 'GET /users' });
    const view = store.resultView('GET /users');
    const before = view.current();
    expect(before).toEqual({ a: store.get(User, '1'), b: store.get(User, '2') });
    store.write(map, { a: { id: '1' }, b: { id: '2' } }, { resultKey: 'GET /users' });
    expect(view.current()).toBe(before);
    store.invalidate(User, '2');
    expect(view.current()).toEqual({ a: store.get(User, '1') });
    store.write(User, { id: '2' });
    expect(view.current()).toEqual(before);
  });

  it('with the same entries under other names is another object', () => {
    const store = new Store();
    const map = new Values(User);
    store.write(map, { a: { id: '1' } }, { resultKey: 'k' });
    const view = store.resultView('k');
    view.current();
    store.write(map, { b: '1' }, { resultKey: 'k' });
    expect(view.current()).toEqual({ b: store.get(User, '1') });
  });
});

describe('a function', () => {
  const parse = (text: string): number => {
    const value = Number(text);
    if (Number.isNaN(value)) throw new RangeError('no number');
    return value;
  };

  it('converts values wherever it is used', () => {
    const store = new Store();
    expect(store.read(parse, '5')).toBe(5);
    expect(store.read([parse], ['5', null])).toEqual([5, null]);
    expect(store.read({ size: parse }, { size: '5' })).toEqual({ size: 5 });
    expect(store.read(parse, undefined)).toBeUndefined();
  });

  it('that cannot read a value leaves the error in its place', () => {
    const { good, bad } = new Store().read(new Values(parse), { good: '1', bad: 'x' }) as Record<string, unknown>;
    expect(good).toBe(1);
    expect(bad).toMatchObject({ code: 'field-invalid', entity: undefined, cause: expect.any(RangeError) });
    expect(String(bad)).toContain('no number');
  });
});

describe('a list of several classes', () => {
  it('keeps its array until a member changes', () => {
    const store = new Store();
    const list = new schema.Array({ post: Post, video: Video }, 'kind');
    store.write(
      list,
      [
        { kind: 'post', id: '1' },
        { kind: 'video', id: '1' },
      ],
      { resultKey: 'k' },
    );
    const view = store.resultView('k');
    const before = view.current();
    store.write(User, { id: 'u' });
    expect(view.current()).toBe(before);
    store.write(Video, { id: '1', length: 5 });
    expect(view.current()).toEqual([store.get(Post, '1'), store.get(Video, '1')]);
  });
});

describe('a Query inside another schema', () => {
  const names = new Query([User], (users: User[]) => ({ all: users.map(({ name }) => name) }));

  it('runs only when its parts change', () => {
    let runs = 0;
    const counting = new Query([User], (users: User[]) => {
      runs++;
      return users.length;
    });
    const store = new Store();
    store.write(counting, [{ id: '1' }], { resultKey: 'k' });
    const view = store.resultView('k');
    expect([view.current(), view.current()]).toEqual([1, 1]);
    store.write(Post, { id: 'p' });
    expect(view.current()).toBe(1);
    expect(runs).toBe(1);
    store.write(User, { id: '1', name: 'x' });
    expect(view.current()).toBe(1);
    expect(runs).toBe(2);
  });

  it('keeps an object with identical fields', () => {
    const first = new Query([User], (users: User[]) => ({ user: users[0] }));
    const store = new Store();
    store.write(first, [{ id: '1' }, { id: '2' }], { resultKey: 'k' });
    const view = store.resultView('k');
    const before = view.current();
    store.write(User, { id: '2', name: 'x' });
    expect(view.current()).toBe(before);
    store.write(User, { id: '1', name: 'x' });
    expect(view.current()).not.toBe(before);
  });

  it.each([
    ['another size', (n: number) => Array.from({ length: n }, () => 0)],
    ['other fields', (n: number) => ({ [`f${n}`]: 0 })],
    ['another kind of value', (n: number) => (n === 1 ? [] : {})],
    ['no plain value', (n: number) => new Map([[n, n]])],
    ['text', (n: number) => `n${n}`],
    ['plain once and not again', (n: number) => (n === 1 ? {} : new Map())],
  ])('returns the new value after a change if the values have %s', (_name, make) => {
    const query = new Query([User], (users: User[]) => make(users.length));
    const store = new Store();
    store.write(query, [{ id: '1' }], { resultKey: 'k' });
    const view = store.resultView('k');
    expect(view.current()).toEqual(make(1));
    store.write(query, ['1', { id: '2' }], { resultKey: 'k' });
    expect(view.current()).toEqual(make(2));
  });

  it('that throws is an error with the cause at each read, until it succeeds', () => {
    const picky = new Query([User], (users: User[]) => {
      if (users.some(({ name }) => name === '')) throw new RangeError('no name');
      return users.length;
    });
    const store = new Store();
    store.write(picky, [{ id: '1' }], { resultKey: 'k' });
    const view = store.resultView('k');
    for (let time = 0; time < 2; time++)
      expect(() => view.current()).toThrow(
        expect.objectContaining({ code: 'hook-failed', cause: expect.any(RangeError) }),
      );
    store.write(User, { id: '1', name: 'a' });
    expect(view.current()).toBe(1);
    store.write(User, { id: '1', name: '' });
    expect(() => view.current()).toThrow('no name');
  });

  it('that throws an error of the library passes it on', () => {
    const refusing = custom({
      denormalize: () => {
        throw new DataError('mine', 'No.');
      },
    });
    expect(() => new Store().read(refusing, 'x')).toThrow(expect.objectContaining({ code: 'mine' }));
  });

  it('that throws a value that is not an error quotes it', () => {
    const bad = custom({
      denormalize: () => {
        throw 'oh'; // oxlint-disable-line no-throw-literal
      },
    });
    expect(() => new Store().read(bad, 'x')).toThrow('oh');
  });

  it('gets the names of its records', () => {
    const store = new Store();
    expect(store.read(names, store.write(names, [{ id: '1', name: 'a' }]))).toEqual({ all: ['a'] });
  });
});

describe('a schema of your own', () => {
  /** Reads `{ left, right }`, two users, as one text. It reads `right` only if there is a `left`. */
  const pair = custom({
    normalize: (input, _parent, _key, delegate) => {
      const { left, right } = input as { left: unknown; right: unknown };
      return { left: delegate.visit(User, left, input, 'left'), right: delegate.visit(User, right, input, 'right') };
    },
    denormalize: (stored, delegate) => {
      const { left, right } = stored as { left: string; right: string };
      const one = delegate.unvisit(User, left);
      if (!(one instanceof User)) return one;
      const other = delegate.unvisit(User, right) as User;
      return `${one.name}+${other.name}`;
    },
    queryKey: (args, unvisit, delegate) => {
      const [left, right] = args as [string, string];
      return delegate.getEntity('User', left) && { left: unvisit(User, [left]), right: unvisit(User, [right]) };
    },
  });

  it('stores, rebuilds and finds by all three of its methods', () => {
    const store = new Store();
    expect(store.get(pair, '1', '2')).toBeUndefined();
    const stored = store.write(pair, { left: { id: '1', name: 'a' }, right: { id: '2', name: 'b' } });
    expect(stored).toEqual({ left: '1', right: '2' });
    expect(store.read(pair, stored)).toBe('a+b');
    expect(store.get(pair, '1', '2')).toBe('a+b');
  });

  it('may read parts depending on the content of other parts', () => {
    const store = new Store();
    store.write(pair, { left: { id: '1', name: 'a' }, right: { id: '2', name: 'b' } }, { resultKey: 'k' });
    const view = store.resultView('k');
    expect(view.current()).toBe('a+b');
    store.write(User, { id: '2', name: 'c' });
    expect(view.current()).toBe('a+c');
    store.invalidate(User, '1');
    expect(view.current()).toBe(INVALID);
    store.write(User, { id: '1', name: 'd' });
    expect(view.current()).toBe('d+c');
  });

  it('gets null and undefined as they are, converted values, and values without a schema as they are', () => {
    const toDate = (iso: string): Date => new Date(iso);
    const several = custom({
      denormalize: (_stored, delegate) => [
        delegate.unvisit(User, null),
        delegate.unvisit(User, undefined),
        delegate.unvisit(toDate, null),
        delegate.unvisit(toDate, undefined),
        delegate.unvisit(toDate, '2026-01-01'),
        delegate.unvisit(undefined, 'raw'),
        delegate.unvisit(User, 'missing'),
      ],
    });
    const raw = [null, undefined, null, undefined, new Date('2026-01-01'), 'raw', undefined];
    expect(new Store().read(several, 'x')).toEqual(raw);
  });

  it('is not asked for null, undefined and a deleted record inside another schema', () => {
    const asked: unknown[] = [];
    const inner = custom({
      denormalize: (stored) => {
        asked.push(stored);
        return stored;
      },
    });
    const outer = custom({
      denormalize: (_stored, delegate) => [null, undefined, INVALID, 'x'].map((part) => delegate.unvisit(inner, part)),
    });
    expect(new Store().read(outer, 'stored')).toEqual([null, undefined, INVALID, 'x']);
    expect(new Set(asked)).toEqual(new Set(['x']));
  });

  it('may read rows as they are, and follows their changes', () => {
    const looking = custom({
      denormalize: (stored, delegate) => ({ row: delegate.getEntity('User', String(stored)) }),
    });
    const store = new Store();
    store.write(looking, '1', { resultKey: 'k' });
    const view = store.resultView('k');
    let calls = 0;
    view.subscribe(() => calls++);
    expect(view.current()).toEqual({ row: undefined });
    store.write(User, { id: '1', name: 'a' });
    expect(calls).toBe(1);
    expect(view.current()).toEqual({ row: { id: '1', name: 'a' } });
    store.invalidate(User, '1');
    expect(view.current()).toEqual({ row: INVALID });
  });

  it('that reads rows and parts runs only when one of them has changed', () => {
    let runs = 0;
    const looking = custom({
      denormalize: (stored, delegate) => {
        runs++;
        return [delegate.getEntity('User', String(stored)), delegate.unvisit(User, 'other')];
      },
    });
    const store = new Store();
    store.write([User], [{ id: '1' }, { id: 'other', name: 'a' }]);
    store.write(looking, '1', { resultKey: 'k' });
    const view = store.resultView('k');
    view.subscribe(() => {});
    const value = view.current();
    const before = runs;
    store.write(User, { id: 'third' });
    store.batch(() => {
      for (const name of ['b', 'a']) store.write(User, { id: 'other', name });
    });
    expect(view.current()).toBe(value);
    expect(runs).toBe(before);
    store.write(User, { id: '1', name: 'new' });
    expect(view.current()).toEqual([{ id: '1', name: 'new' }, store.get(User, 'other')]);
  });

  it('can read whether only its parts are collected, and gets the arguments', () => {
    const runs: unknown[] = [];
    const seeing = custom({
      denormalize: (stored, delegate) => {
        runs.push([delegate.isGathering, delegate.unvisit(User, stored) instanceof User]);
        return delegate.args[0];
      },
    });
    const store = new Store();
    store.write(User, { id: '1' });
    expect(store.read(seeing, '1', ['x'])).toBe('x');
    expect(runs[0]).toEqual([true, false]);
    expect(runs.at(-1)).toEqual([false, true]);
    expect(runs.filter((run) => (run as unknown[])[0] === false)).toHaveLength(1);
  });

  it('that throws only while its parts are collected works', () => {
    const eager = custom({
      denormalize: (stored, delegate) => (delegate.unvisit(User, stored) as User).name.length,
    });
    const store = new Store();
    store.write(User, { id: '1', name: 'abc' });
    expect(store.read(eager, '1')).toBe(3);
  });

  it('may read parts that depend on other parts', () => {
    const following = custom({
      denormalize: (stored, delegate) => {
        const names: string[] = [];
        for (let pk = String(stored); pk !== '';) {
          const user = delegate.unvisit(User, pk) as User & { next?: string };
          names.push(user.name);
          pk = user.next ?? '';
        }
        return names.join('');
      },
    });
    const store = new Store();
    store.write([User], [{ id: '1', name: 'a', next: '2' }, { id: '2', name: 'b', next: '3' }, { id: '3', name: 'c' }]); // prettier-ignore
    store.write(following, '1', { resultKey: 'k' });
    const view = store.resultView('k');
    expect(view.current()).toBe('abc');
    store.write(User, { id: '2', name: 'B', next: '' });
    expect(view.current()).toBe('aB');
  });

  it('inside a record is distinguished from another schema in the same place', () => {
    const seen: unknown[] = [];
    const tagging = custom({
      denormalize: (_stored: unknown, delegate: DenormalizeDelegate) => {
        seen.push(delegate.args);
        return 'tag';
      },
    });
    const switching = custom({
      denormalize: (stored, delegate) => {
        const { on } = stored as { on: boolean };
        return [delegate.unvisit(on ? tagging : { user: User }, on ? 'x' : { user: '1' })];
      },
    });
    const store = new Store();
    store.write(User, { id: '1' });
    store.write(switching, { on: true }, { resultKey: 'k' });
    const view = store.resultView('k');
    expect(view.current()).toEqual(['tag']);
    store.write(switching, { on: false }, { resultKey: 'k' });
    expect(view.current()).toEqual([{ user: store.get(User, '1') }]);
  });
});

describe('a schema of the application in a cycle', () => {
  let fails = false;
  class Team extends Entity {
    id = '';
    captain = '';
    report: unknown = undefined;
    static override key = 'Team';
    static override schema: Record<string, SchemaSimple> = {};
  }
  const seen: unknown[] = [];
  Team.schema = {
    report: custom({
      denormalize: (stored, delegate) => {
        const team = delegate.unvisit(Team, stored) as Team | undefined;
        seen.push(team);
        if (fails) throw new RangeError('The hook throws.');
        return { team, captain: team && delegate.unvisit(User, team.captain) };
      },
    }),
  };
  const filled = (): Store => {
    const store = new Store();
    store.write(User, { id: 'u', name: 'Ann' });
    store.write(Team, { id: 't', captain: 'u', report: 't' });
    return store;
  };

  it('may read a part that it finds only after the cycle is whole', () => {
    const store = filled();
    const team = store.get(Team, 't');
    expect(team?.report).toEqual({ team, captain: store.get(User, 'u') });
    store.write(User, { id: 'u', name: 'Bob' });
    expect(store.get(Team, 't')?.report).toMatchObject({ captain: { name: 'Bob' } });
  });

  it('leaves a record as it is that does not show the part found late', () => {
    class Club extends Entity {
      id = '';
      teamName = '';
      static override key = 'Club';
      static override schema = { teamName: new Query(Team, ({ id }: Team) => `team ${id}`) };
    }
    const store = filled();
    store.write(Club, { id: 'c', teamName: 't' });
    const club = store.get(Club, 'c');
    expect(club?.teamName).toBe('team t');
    store.write(User, { id: 'v', name: 'Bob' });
    store.write(Team, { id: 't', captain: 'v' });
    expect(store.get(Club, 'c')).toBe(club);
    expect(store.get(Team, 't')?.report).toMatchObject({ captain: { name: 'Bob' } });
  });

  it('gets no value of a cycle that failed', () => {
    const store = filled();
    fails = true;
    expect(() => store.get(Team, 't')).toThrow('The hook throws.');
    fails = false;
    seen.length = 0;
    const team = store.get(Team, 't');
    expect(team?.report).toMatchObject({ captain: { name: 'Ann' } });
    expect(seen.every((given) => given === undefined || given instanceof Team)).toBe(true);
  });
});
