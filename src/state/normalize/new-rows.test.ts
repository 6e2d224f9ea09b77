import {
  type Arbitrary,
  array,
  assert,
  constant,
  constantFrom,
  integer,
  letrec,
  oneof,
  option,
  property,
  record,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import { User } from '../../../tests/model.ts';
import {
  All,
  Collection,
  type Commit,
  DataError,
  Entity,
  INVALID,
  Invalidate,
  type SnapshotReader,
  Store,
  Union,
} from '../../index.ts';
import { addGuess } from '../store/layer.ts';
import { takeSnapshot } from '../store/store-snapshot.ts';
import { nestedFieldsOf } from '../store/restore.ts';
class Comment extends Entity {
  id = '';
  user: User | undefined = undefined;
  static override key = 'Comment';
  static override schema = { user: User };
}
class Post extends Entity {
  id = '';
  author: User | undefined = undefined;
  comments: Comment[] = [];
  related: Post | undefined = undefined;
  rated: unknown = undefined;
  static override key = 'Post';
  static override schema: Record<string, unknown> = { author: User, comments: [Comment] };
}
Post.schema = {
  ...Post.schema,
  related: Post,
  constructor: User,
  rated: new Union({ user: User }, ({ type }: { type: 'user' }) => type),
};
/** Another class of the table of Post, which declares only the id. */
class PlainPost extends Entity {
  id = '';
  static override key = 'Post';
}
class Upper extends Entity {
  id = '';
  name = '';
  static override key = 'Upper';
  static override process(input: { name?: string }): object {
    return { ...input, name: input.name?.toUpperCase() };
  }
}
const posts: Collection = new Collection([Post]);
const SCHEMAS = [Post, [Post], [Comment], [User], posts, [[User]], { list: posts, users: [User] }, [Upper], User];

const TABLES = [User, Comment, Post, Upper];
const now = (): number => 0;

/** The state of a store after a write, or the error of the write. */
function outcome(store: Store, write: (store: Store) => unknown): object {
  const done: Record<string, unknown> = {};
  try {
    done['stored'] = write(store);
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    done['error'] = [error.code, error.message];
  }
  return {
    ...done,
    rows: Object.fromEntries(TABLES.map(({ key }) => [key, [...store.rows()].filter(({ table }) => table === key)])),
    tables: TABLES.map((entity) => store.get(new All(entity))),
    list: store.get(posts, {}),
    nested: Object.fromEntries(nestedFieldsOf(store.writer)),
    rowCount: store.stats().rows,
  };
}

/** A record of each table was requested, so none of them is empty. */
function asked(): Store {
  const store = new Store({ now });
  for (const entity of TABLES) store.get(entity, 'nobody');
  return store;
}

function known(): Store {
  const store = new Store({ now });
  for (const entity of TABLES) store.get(new All(entity));
  return store;
}

describe('a first answer', () => {
  const oddPk = constantFrom<unknown>('1', '2', '3', 4, '', 'undefined', 1.5, undefined);
  const odd = constantFrom<unknown>(null, undefined, '7', 8, '', [], true, 'constructor', 0.5);
  const rarely = (usual: Arbitrary<unknown>): Arbitrary<unknown> =>
    oneof({ weight: 30, arbitrary: usual }, { weight: 1, arbitrary: odd });
  const id = oneof(
    { weight: 40, arbitrary: integer({ min: 1, max: 99 }).map(String) },
    { weight: 1, arbitrary: oddPk },
  );
  const user = rarely(record({ id, name: constantFrom('a', 'b') }, { requiredKeys: ['id'] }));
  const comment = rarely(record({ id, user, tags: constant(['x', { y: 1 }]) }, { requiredKeys: ['id'] }));
  const { post } = letrec<{ post: unknown }>((tie) => ({
    post: rarely(
      record(
        {
          id,
          author: user,
          comments: rarely(array(comment, { maxLength: 3 })),
          related: option(tie('post'), { nil: undefined, depthSize: 'small' }),
        },
        { requiredKeys: ['id'] },
      ),
    ),
  }));
  const list = array(post, { maxLength: 4 });
  const input = oneof(
    list,
    post,
    array(comment, { maxLength: 4 }),
    array(user, { maxLength: 4 }),
    record({ list, users: array(user, { maxLength: 3 }) }),
  );

  it('is stored, or refused, as in a store that is not empty', () => {
    assert(
      property(constantFrom(...SCHEMAS), input, (schema, response) => {
        const write = (store: Store): unknown => store.write(schema, response, { args: [{}] });
        const whole = outcome(asked(), write);
        expect(outcome(new Store({ now }), write)).toEqual(whole);
        expect(outcome(known(), write)).toEqual(whole);
      }),
      { numRuns: 600 },
    );
  });

  const circle: { id: string; related?: object } = { id: '1' };
  circle.related = { id: '2', related: circle };
  let deep: object = { id: '0' };
  for (let level = 1; level < 300; level++) deep = { id: `${level}`, related: deep };
  let nesting: object = {};
  for (let level = 0; level < 1100; level++) nesting = { nesting };
  class Made {
    id = '1';
    get author(): object {
      return { id: '9' };
    }
  }
  it.each<readonly [string, unknown, unknown]>([
    [
      'the same record twice, with the same',
      [Post],
      [
        { id: '1', author: { id: '1' } },
        { id: '2', author: { id: '1' } },
      ],
    ],
    ['one user twice, with more', [User], [{ id: '1' }, { id: '1', name: 'b' }]],
    [
      'one post twice',
      [Post],
      [
        { id: '1', title: 'a' },
        { id: '1', author: { id: '1' } },
      ],
    ],
    ['a circle', [Post], [circle]],
    ['a long chain', [Post], [deep]],
    ['data that is nested too deep', [Post], [{ id: '1' }, { id: '2', nesting }]],
    ['a list instead of a record', [Post], [{ id: '1' }, [{ id: '2' }]]],
    ['an object instead of a list', [Post], { a: { id: '1' } }],
    ['holes and nothing', [Post], [undefined, null, { id: '1' }]],
    ['an instance', [Post], [new Made()]],
    ['an inherited id', [User], [{ id: '1' }, Object.create({ id: '1' })]],
    ['a record of one of several kinds', [Post], [{ id: '1', rated: { type: 'user', id: '1' } }]],
    [
      'an own field of an inherited name',
      [Post],
      [JSON.parse('{"id":"1","constructor":{"id":"2"},"__proto__":{"a":1}}')],
    ],
    ['a class with a hook', [Upper], [{ id: '1', name: 'a' }]],
    ['nothing', [Post], []],
    ['a pk', Post, '5'],
    ['no pk', Post, 0.5],
    ['two lists of one class', { one: [User], other: [User] }, { one: [{ id: '1' }], other: [{ id: '1', name: 'b' }] }],
    [
      'lists of two classes',
      { one: [User], other: [Comment] },
      { one: [{ id: '1' }], other: [{ id: '1', user: { id: '2' } }] },
    ],
    [
      'a collection and what fails after it',
      { list: posts, users: [User] },
      { list: [{ id: '1' }], users: [{ name: 'no pk' }] },
    ],
  ])('has the same outcome as in a store that is not empty, if it contains %s', (_, schema, response) => {
    const write = (store: Store): unknown => store.write(schema, response, { args: [{}] });
    expect(outcome(new Store({ now }), write)).toEqual(outcome(asked(), write));
  });

  it.each([{ isPart: true }, { isWhole: true }])('counts as %j while an earlier request is in flight', (options) => {
    const write = (store: Store): unknown => {
      const earlier = store.begin();
      store.write([Post], [{ id: '1' }], options);
      store.write([Post], [{ id: '1', title: 'earlier' }], { request: earlier });
      return store.row('Post', '1');
    };
    expect(outcome(new Store({ now }), write)).toEqual(outcome(asked(), write));
  });

  it('shares no data with the caller', () => {
    const store = new Store();
    const tags = ['a'];
    store.write([Comment], [{ id: '1', tags }]);
    tags.push('b');
    expect(store.row('Comment', '1')).toEqual({ id: '1', tags: ['a'] });
  });

  it('is stored by the fields that other classes of its table declare', () => {
    const store = new Store();
    store.get(new All(Post));
    store.write([PlainPost], [{ id: '1', author: { id: '1' } }]);
    expect(store.get(Post, '1')?.author).toBe(store.get(User, '1'));
    const other = new Store();
    other.get(new All(Post));
    other.write([PlainPost], [{ id: '1', author: 5 }]);
    expect(other.row('Post', '1')).toEqual({ id: '1', author: 5 });
  });

  it('is stored under the pks that records have by now, although none of them is left', () => {
    let time = 0;
    const store = new Store({ now: () => time });
    const layer = addGuess(store, () => ({ schema: posts.push, response: {}, args: [{}] }));
    const pk = String(layer.created[0]?.pk);
    layer.confirm(posts.push, { id: '5' }, { expiresAt: 1, args: [{}] });
    store.begin();
    time = 1e9;
    for (const _ of store.collect());
    expect(store.stats().rows).toBe(0);
    store.write([Post], [{ id: pk }]);
    expect(store.row('Post', '5')).toEqual({ id: '5' });
  });
});

describe('the first rows of a table', () => {
  const write = (store: Store): unknown => store.write([Post], [{ id: '1', author: { id: '1' } }, { id: '2' }]);

  it('notify queries for all records, or by a field, that were made before there were any', () => {
    class Named extends Entity {
      id = '';
      name = '';
      static override key = 'Named';
      static override indexes = ['name'];
    }
    const store = new Store();
    const all = store.query(new All(Named));
    const named = store.query(Named, [{ name: 'b' }]);
    let calls = 0;
    all.subscribe(() => calls++);
    named.subscribe(() => calls++);
    store.write([Named], [{ id: '1', name: 'a' }, { id: '2', name: 'b' }]); // prettier-ignore
    expect(calls).toBe(2);
    expect((all.current() as Named[]).map(({ id }) => id)).toEqual(['1', '2']);
    expect(named.current()).toMatchObject({ id: '2' });
  });

  it('are in the commit, and in no snapshot from before', () => {
    const store = new Store();
    const commits: Commit[] = [];
    store.onCommit((commit) => commits.push(commit));
    const before = takeSnapshot(store);
    write(store);
    const changes = [
      { table: 'Post', pk: '1', before: undefined, after: { id: '1', author: '1' } },
      { table: 'Post', pk: '2', before: undefined, after: { id: '2' } },
      { table: 'User', pk: '1', before: undefined, after: { id: '1' } },
    ];
    expect(commits).toEqual([{ rows: changes, shown: changes, requests: [] }]);
    expect(before.get(Post, '1')).toBeUndefined();
    expect(takeSnapshot(store).get(Post, '1')).toMatchObject({ id: '1' });
  });

  it('are removed when their batch fails, also from under a guess of the same batch', () => {
    const store = new Store();
    const all = store.query(new All(Post));
    all.subscribe(() => {});
    const fail = (): void => {
      store.batch(() => {
        write(store);
        addGuess(store, () => ({ schema: Post, response: { id: '1', title: 'guess' } }));
        expect(store.get(Post, '1')).toMatchObject({ title: 'guess' });
        throw new Error('no');
      });
    };
    expect(fail).toThrow('no');
    expect([...store.rows()]).toEqual([]);
    expect(store.stats()).toMatchObject({ rows: 0, layers: 0 });
    expect(all.current()).toBe(INVALID);
    write(store);
    expect((all.current() as Post[]).map(({ id }) => id)).toEqual(['1', '2']);
  });

  it('are removed when the same write deletes them', () => {
    const store = new Store();
    const schema = { list: [Post], gone: new Invalidate(Post) };
    expect(store.write(schema, { list: [{ id: '1' }, { id: '2' }], gone: { id: '1' } })).toEqual({
      list: ['1', '2'],
      gone: '1',
    });
    expect(store.stats().rows).toBe(1);
    expect((store.get(new All(Post)) as Post[]).map(({ id }) => id)).toEqual(['2']);
  });

  it('make guesses again that have read their table', () => {
    const store = new Store();
    const count = (snapshot: SnapshotReader): { schema: unknown; response: unknown } => ({
      schema: User,
      response: { id: 'u', name: String(snapshot.get(new All(Comment))?.length) },
    });
    addGuess(store, count);
    expect(store.get(User, 'u')).toMatchObject({ name: 'undefined' });
    store.write([Comment], [{ id: '1' }, { id: '2' }]);
    expect(store.get(User, 'u')).toMatchObject({ name: '2' });
  });

  it('are all rows if all former ones have been collected', () => {
    let time = 0;
    const store = new Store({ now: () => time });
    store.write([User], [{ id: '9' }], { expiresAt: 1 });
    time = 1e9;
    for (const _ of store.collect());
    expect(store.get(new All(User))).toEqual([]);
    store.write([User], [{ id: '1' }]);
    expect((store.get(new All(User)) as User[]).map(({ id }) => id)).toEqual(['1']);
  });

  it('stay in order while garbage is being collected', () => {
    let time = 0;
    const store = new Store({ now: () => time });
    store.write([Upper], Array.from({ length: 2000 }, (_, at) => ({ id: `${at}` })), { expiresAt: 1 }); // prettier-ignore
    time = 1e9;
    const slices = store.collect();
    slices.next();
    store.write([User], [{ id: '1' }], { expiresAt: 1 });
    for (const _ of slices);
    expect(store.row('User', '1')).toEqual({ id: '1' });
    expect(store.stats().rows).toBe(1);
  });
});
