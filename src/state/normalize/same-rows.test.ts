import { array, assert, constantFrom, integer, option, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addGuess, Collection, Entity, Store, Union } from '../../index.ts';
import { nestedFieldsOf } from '../store/restore.ts';
import type { EntityPlan } from '../tables/plan.ts';
import type { WriteInProgress } from './write-in-progress.ts';
import { renewSame } from './same-rows.ts';
import { WriteLog } from './write-log.ts';

/** The same classes twice: with a hook of their own, which does what the default does, each record takes the usual way. */
function model(isHooked: boolean) {
  abstract class Base extends Entity {
    id = '';
    static override process(input: object, ...rest: [unknown, string | undefined, readonly unknown[]]): object {
      return isHooked ? { ...input } : super.process(input, ...rest);
    }
  }
  if (!isHooked) Base.process = Entity.process;
  class User extends Base {
    name = '';
    static override key = 'User';
  }
  class Comment extends Base {
    text = '';
    author: User | undefined = undefined;
    static override key = 'Comment';
    static override schema = { author: User };
  }
  class Post extends Base {
    title = '';
    author: User | undefined = undefined;
    comments: Comment[] = [];
    related: Post | undefined = undefined;
    by: unknown = undefined;
    static override key = 'Post';
    static override schema: Record<string, unknown> = { author: User, comments: [Comment] };
  }
  const by = new Union({ user: User }, () => 'user' as const);
  Post.schema = { ...Post.schema, related: Post, by, constructor: User };
  /** Has no relations, but reads the same table. */
  class PlainPost extends Base {
    static override key = 'Post';
  }
  return { User, Post, PlainPost, posts: new Collection([Post]) };
}

interface Watched {
  readonly store: Store;
  readonly notified: string[];
  write(response: unknown): void;
  seen(): unknown;
}

/** A store whose posts are shown. */
function watched(isHooked: boolean): Watched {
  const { Post, posts, User } = model(isHooked);
  let time = 0;
  const store = new Store({ now: () => ++time });
  const notified: string[] = [];
  const views = [store.query(posts, [{}]), ...['1', '2', '3'].map((id) => store.query(User, [{ id }]))];
  for (const [at, view] of views.entries()) view.subscribe(() => notified.push(String(at)));
  return {
    store,
    notified,
    write: (response) => void store.write([Post], response, { resultKey: 'GET /posts', expiresAt: ++time }),
    seen: () => ({
      rows: [...store.rows()],
      values: views.map((view) => view.current()),
      result: store.result('GET /posts'),
      nested: [...nestedFieldsOf(store.writer)],
      notified: notified.splice(0),
    }),
  };
}

describe('records that are stored already', () => {
  const id = integer({ min: 1, max: 3 }).map(String);
  const user = record({ id, name: constantFrom('a', 'b') }, { requiredKeys: ['id'] });
  const oneUser = option(
    user.map((given): unknown => given),
    { nil: null },
  );
  const author = array(oneUser, { minLength: 1, maxLength: 1 }).map(([given]) => given);
  const comment = record({ id, text: constantFrom('x', 'y'), author }, { requiredKeys: ['id'] });
  const comments = array(
    constantFrom<unknown>(null, '1').chain((odd) => option(comment, { nil: odd as never, freq: 9 })),
    {
      maxLength: 3,
    },
  );
  const flat = record(
    {
      id: integer({ min: 1, max: 3 }).chain((pk) => constantFrom<unknown>(pk, String(pk))),
      title: constantFrom('t', 'u'),
      author,
      comments,
      by: author,
      constructor: author,
    },
    { requiredKeys: ['id'] },
  );
  const post = option(flat, { nil: undefined }).chain((related) =>
    flat.map((given) => (related === undefined ? given : { ...given, related })),
  );
  const list = array(post, { maxLength: 3 });

  it('are stored again as they are where a class has hooks of its own', () => {
    assert(
      property(array(list, { minLength: 1, maxLength: 4 }), array(integer({ min: 0, max: 3 })), (answers, order) => {
        const [fast, usual] = [watched(false), watched(true)];
        for (const at of [...answers.keys(), ...order]) {
          const answer = answers[at % answers.length];
          fast.write(structuredClone(answer));
          usual.write(structuredClone(answer));
          expect(JSON.stringify(fast.seen())).toBe(JSON.stringify(usual.seen()));
        }
      }),
      { numRuns: 100 },
    );
  });

  const answer = [{ id: '1', title: 't', author: { id: '1', name: 'a' }, comments: [{ id: '2', text: 'x' }] }];

  it('are fresh again, and the same objects, and no observer is notified', () => {
    const { Post, User } = model(false);
    const store = new Store({ now: () => 0 });
    const view = store.query(Post, [{ id: '1' }]);
    let notified = 0;
    store.write([Post], answer, { expiresAt: 1 });
    view.subscribe(() => notified++);
    const shown = view.current();
    const row = store.row('User', '1');

    store.write([Post], structuredClone(answer), { expiresAt: 5 });

    expect(view.current()).toBe(shown);
    expect(store.row('User', '1')).toBe(row);
    expect([store.expiresAt(Post, { id: '1' }), store.expiresAt(User, { id: '1' })]).toEqual([5, 5]);
    expect(notified).toBe(0);
  });

  it('are as fresh as before if the batch is undone', () => {
    const { Post, User } = model(false);
    const store = new Store({ now: () => 0 });
    store.write([Post], answer, { expiresAt: 1 });

    const batch = (): unknown =>
      store.batch(() => {
        store.write([Post], structuredClone(answer), { expiresAt: 5 });
        throw new RangeError('no');
      });

    expect(batch).toThrow('no');
    expect([store.expiresAt(Post, { id: '1' }), store.expiresAt(User, { id: '1' })]).toEqual([1, 1]);
  });

  it('stay as they are if a later request has answered', () => {
    const { User } = model(false);
    const store = new Store({ now: () => 0 });
    const earlier = store.begin();
    store.write(User, { id: '1', name: 'b' }, { expiresAt: 5 });

    store.write(User, { id: '1', name: 'b' }, { request: earlier, expiresAt: 1 });

    expect(store.expiresAt(User, { id: '1' })).toBe(5);
  });

  it('are changed by a list that has lost its end', () => {
    const { Post } = model(false);
    const store = new Store({ now: () => 0 });
    const [second, third] = [{ id: '2' }, { id: '3' }];
    store.write(Post, { id: '1', comments: [second, third] });
    store.write(Post, { id: '1', comments: [second] });
    expect(store.row('Post', '1')).toEqual({ id: '1', comments: ['2'] });
  });

  it('note that a field has records, if it only had pks before', () => {
    const { Post, User } = model(false);
    const store = new Store({ now: () => 0 });
    store.write(User, { id: '7', name: 'a' });
    store.write(Post, { id: '1', author: '7' });
    store.write(Post, { id: '1', author: { id: '7', name: 'a' } });
    expect([...nestedFieldsOf(store.writer)]).toEqual([['Post', ['author']]]);
  });

  it('with relations of another class keep what that class reads', () => {
    const { PlainPost, Post } = model(false);
    const store = new Store({ now: () => 0 });
    store.write([Post], answer);
    store.write([PlainPost], structuredClone(answer));
    const changed = [{ id: '1', author: { id: '1', name: 'b' } }];
    store.write([PlainPost], changed);
    expect(store.get(Post, { id: '1' })).toMatchObject({ title: 't', author: { name: 'b' }, comments: [{ id: '2' }] });
  });

  it('keep a change that a record without relations makes under its temporary pk', () => {
    const { User } = model(false);
    const users = new Collection([User]);
    const store = new Store();
    const first = { args: [{}] };
    store.write(users, [], first);
    const guess = addGuess(store, () => ({ schema: users.push, response: { name: 'a' }, ...first }));
    const [temporary] = store.get(users, {}) ?? [];
    store.query(User, [{ id: temporary?.id ?? '' }]).subscribe(() => {});
    guess.confirm(users.push, { id: '1', name: 'a' }, first);

    store.write(User, { id: temporary?.id, name: 'b' });

    expect(store.get(User, { id: '1' })).toMatchObject({ id: '1', name: 'b' });
  });

  it('are checked for pending mutations, if a read changes them', () => {
    const { User } = model(false);
    const store = new Store();
    store.write(User, { id: '1', name: 'a' });
    const asked: string[] = [];
    const isMutated = (table: string, pk: string): boolean => asked.push(`${table} ${pk}`) > 0;

    const answeredRequest = { isMutation: false, isPlainRead: true, sent: 0, doubt: () => {}, isMutated };
    store.write(User, { id: '1', name: 'b' }, { answeredRequest });

    expect(asked).toContain('User 1');
  });
});

describe('a record that arrives again needs no walk', () => {
  const { Post, User } = model(false);
  const store = new Store();
  const { core } = store.writer;
  const comments = [
    { id: 'c', text: 'x', author: { id: 'u', name: 'Ann' } },
    { id: 'd', text: 'y' },
  ];
  const post = { id: '1', title: 'a', author: { id: 'u', name: 'Ann' }, comments };
  const chain = { id: '5', related: { id: '4', related: { id: '3', related: { id: '2', title: 'z' } } } };
  store.write([Post], [post, chain, { id: '7', author: null }]);
  store.write(User, { id: 'v', name: 'Eve' });
  const writingAt = (issue: number): WriteInProgress => ({
    log: new WriteLog(core.covered),
    stamp: { issue, fetchedAt: 9, date: 9, expiresAt: 9 },
    latest: issue,
    isOvertaken: false,
    isOvertaking: false,
    isGuess: false,
    isPart: false,
    isWhole: false,
  });
  const renewed = (input: object, change: Partial<WriteInProgress> = {}): string | undefined =>
    renewSame(core.reading.space.planOf(Post) as EntityPlan, input, { ...writingAt(1000), ...change });

  it.each<[string, object]>([
    ['all of it is equal', post],
    ['fields that arrived are equal', { id: '1', title: 'a' }],
    ['related records are only named', { id: '1', author: 'u', comments: ['c', 'd'] }],
  ])('if %s', (_, input) => {
    expect(renewed(input)).toBe('1');
  });

  it('if a relation is null, as it was, and for three levels of records', () => {
    expect(renewed({ id: '7', author: null })).toBe('7');
    expect(renewed(chain.related)).toBe('4');
    expect(renewed(chain)).toBeUndefined();
  });

  it.each<[string, object]>([
    ['a field differs', { ...post, title: 'b' }],
    ['a field is new', { ...post, more: 1 }],
    ['its id is a number now', { ...post, id: 1 }],
    ['a related record differs', { ...post, author: { id: 'u', name: 'Bob' } }],
    ['another record is related', { ...post, author: { id: 'v', name: 'Eve' } }],
    ['another record is named', { ...post, author: 'v' }],
    ['a record is null', { ...post, author: null }],
    ['a list is shorter', { ...post, comments: comments.slice(1) }],
    ['a list has another order', { ...post, comments: comments.toReversed() }],
    ['a list is none', { ...post, comments: { length: 2, 0: comments[0], 1: comments[1] } }],
    [
      'a record deep inside differs',
      { ...post, comments: [{ ...comments[0], author: { id: 'u', name: 'Bob' } }, comments[1]] },
    ],
    ['the record is not stored', { ...post, id: '9' }],
    ['it has no pk', { title: 'a' }],
  ])('unless %s', (_, input) => {
    expect(renewed(input)).toBeUndefined();
  });

  it.each<[string, Partial<WriteInProgress>]>([
    ['the record was requested later', { stamp: writingAt(0).stamp }],
    ['another answer is still awaited', { isOvertaking: true }],
    ['it is a whole record', { isWhole: true }],
    ['a mutation is answered', { answer: {} as never }],
  ])('unless %s, although it is equal', (_, change) => {
    expect(renewed(post, change)).toBeUndefined();
  });

  it('and is fresh then, with the records in it', () => {
    expect(renewed(post)).toBe('1');
    expect(['1', '5'].map((pk) => core.reading.space.table('Post').cells.get(pk)?.stamp?.fetchedAt === 9)).toEqual([
      true,
      false,
    ]);
    expect(core.reading.space.table('User').cells.get('u')?.stamp?.fetchedAt).toBe(9);
  });
});

it('a record with maps, sets, bytes and addresses that its class makes each time is the same object after an equal answer', () => {
  class File extends Entity {
    id = '';
    text = '';
    static override key = 'File';
    static override process(input: { readonly text: string }): object {
      const { text } = input;
      return { ...input, words: new Set([text]), sizes: new Map([[text, 1]]), bytes: new Uint8Array([text.length]) };
    }
  }
  const store = new Store();
  store.write([File], [{ id: '1', text: 'a' }]);
  const known = store.get(File, '1');
  let notified = 0;
  store.query(File, ['1']).subscribe(() => notified++);
  store.write([File], [{ id: '1', text: 'a' }]);
  expect(store.get(File, '1')).toBe(known);
  expect(notified).toBe(0);
  store.write([File], [{ id: '1', text: 'ab' }]);
  expect(store.get(File, '1')).toMatchObject({ words: new Set(['ab']), bytes: new Uint8Array([2]) });
  expect(notified).toBe(1);
});
