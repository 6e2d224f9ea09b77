import { describe, expect, test } from 'vitest';
import { Entity } from '../../define/schema/entity.ts';
import type { DenormalizeDelegate } from '../../define/schema/delegate.ts';
import { Store } from '../store/store.ts';
import { belongsTo } from './belongs-to.ts';
import { hasMany } from './has-many.ts';
import { from } from './live-query.ts';
import { takeSnapshot } from '../store/store-snapshot.ts';
import { addGuess } from '../store/layer.ts';

class User extends Entity {
  id = '';
  name = '';
  posts: readonly Post[] = [];
  best: readonly Post[] = [];
  postCount = 0;
  static override key = 'User';
  static override schema = {
    posts: hasMany(() => Post, 'authorId'),
    best: hasMany(() => Post, 'authorId')
      .where({ votes: { gt: 0 } })
      .orderBy('votes', 'desc')
      .limit(2),
    postCount: hasMany(() => Post, 'authorId').count(),
  };
}

class Post extends Entity {
  id = '';
  title = '';
  votes = 0;
  authorId = '';
  author?: User;
  namesake?: User;
  static override key = 'Post';
  static override schema = {
    author: belongsTo(() => User, 'authorId'),
    namesake: belongsTo(
      () => User,
      ({ title }: Post) => `${title}-user`,
    ),
  };
}

class Team extends Entity {
  id = 0;
  members: readonly Member[] = [];
  static override key = 'Team';
  static override schema = { members: hasMany(() => Member, 'teamId') };
}

class Member extends Entity {
  id = '';
  teamId = 0;
  tags: string[] = [];
  static override key = 'Member';
}

const idsOf = (records: readonly { readonly id: unknown }[] | undefined): unknown => records?.map(({ id }) => id);

function storeOf(): Store {
  const store = new Store();
  store.write(
    [User],
    [
      { id: 'u1', name: 'Ann' },
      { id: 'u2', name: 'Bob' },
    ],
  );
  store.write(
    [Post],
    [1, 2, 3].map((votes) => ({ id: `${votes}`, votes, authorId: votes === 3 ? 'u2' : 'u1' })),
  );
  return store;
}

const userIn = (store: Store, id = 'u1'): User => store.get(User, id) as User;
const postIn = (store: Store, id: string): Post => store.get(Post, id) as Post;

describe('a relation in a schema', () => {
  test('is in a field of each record, in both directions', () => {
    const store = storeOf();
    const user = userIn(store);
    expect(user.posts).toEqual([postIn(store, '1'), postIn(store, '2')]);
    expect(user.posts[0]).toBe(postIn(store, '1'));
    expect(user.posts[0]?.author).toBe(user);
    expect(userIn(store)).toBe(user);
    expect(user.posts).toBe(user.posts);
  });

  test('is filtered, sorted, cut and counted for each record', () => {
    const store = storeOf();
    store.write(
      [Post],
      [
        { id: '4', authorId: 'u1' },
        { id: '5', authorId: 'u1', votes: 9 },
      ],
    );
    expect(idsOf(userIn(store).best)).toEqual(['5', '2']);
    expect(userIn(store).postCount).toBe(4);
  });

  test('leads to one record by a function too, and to nothing if that is missing or deleted', () => {
    const store = storeOf();
    store.write(Post, { id: '1', title: 'x' });
    expect(postIn(store, '1').namesake).toBeUndefined();
    store.write(User, { id: 'x-user' });
    expect(postIn(store, '1').namesake).toBe(userIn(store, 'x-user'));
    store.invalidate(User, 'x-user');
    expect(postIn(store, '1').namesake).toBeUndefined();
  });

  test('makes a new record when the shown relation changes, and nothing else', () => {
    const store = storeOf();
    const [user, other] = [userIn(store), userIn(store, 'u2')];
    const [first, second] = user.posts;
    expect(other.posts).toHaveLength(1);
    store.write(Post, { id: '1', title: 'new' });
    const changed = userIn(store);
    expect(changed).not.toBe(user);
    expect(changed.posts[0]?.title).toBe('new');
    expect(changed.posts[1]).toBe(second);
    expect(user.posts[0]).toBe(first);
    expect(userIn(store, 'u2')).toBe(other);
  });

  test('keeps its list while other fields of its record change', () => {
    const store = storeOf();
    const { best, posts } = userIn(store);
    store.write(User, { id: 'u1', name: 'new' });
    expect(userIn(store).name).toBe('new');
    expect(userIn(store).best).toBe(best);
    store.write(Post, { id: '1', title: 'new' });
    expect(userIn(store).posts[0]?.title).toBe('new');
    expect(userIn(store).posts[1]).toBe(posts[1]);
  });

  test('is not read for a record that its class refuses', () => {
    class Strict extends User {
      static override validate({ name }: { name?: string }): string | undefined {
        return name === '' ? 'no name' : undefined;
      }
    }
    const store = storeOf();
    expect(store.get(Strict, 'u1')?.posts).toHaveLength(2);
    store.write(User, { id: 'u1', name: '' });
    expect(store.get(Strict, 'u1')).toBeUndefined();
    store.write(User, { id: 'u1', name: 'Ann' });
    expect(store.get(Strict, 'u1')?.posts).toHaveLength(2);
  });

  test('costs nothing if no record has shown it', () => {
    const store = storeOf();
    const user = userIn(store);
    let notifications = 0;
    store.query(User, ['u1']).subscribe(() => notifications++);
    store.write(Post, { id: '1', title: 'new' });
    expect(notifications).toBe(0);
    expect(userIn(store)).toBe(user);
    expect(user.posts[0]?.title).toBe('new');
  });

  test('is released if a new record does not show it', () => {
    const store = storeOf();
    expect(userIn(store).posts).toHaveLength(2);
    store.write(Post, { id: '1', title: 'a' });
    const changed = userIn(store);
    store.write(Post, { id: '1', title: 'b' });
    expect(userIn(store)).toBe(changed);
    store.write(Post, { id: '1', title: 'c' });
    expect(userIn(store)).toBe(changed);
  });

  test('notifies readers of the records that have shown it, at any depth', () => {
    const store = storeOf();
    const view = store.query(from(Post));
    let notifications = 0;
    view.subscribe(() => notifications++);
    const countOf = (): number | undefined => (view.current() as readonly Post[])[0]?.author?.posts.length;
    expect(countOf()).toBe(2);
    store.write(Post, { id: '9', authorId: 'u1' });
    expect(notifications).toBe(1);
    expect(countOf()).toBe(3);
  });

  test('stays the same object while a change elsewhere, or one that is undone, shows nothing new', () => {
    const store = storeOf();
    const user = userIn(store);
    expect(user.best).toHaveLength(2);
    expect(user.posts).toHaveLength(2);
    addGuess(store, () => ({ schema: Post, response: { id: '1', title: 'guess' }, args: [] })).drop();
    expect(userIn(store)).toBe(user);
    const layer = addGuess(store, () => ({ schema: Post, response: { id: '1', title: 'guess' }, args: [] }));
    expect(userIn(store).posts[0]?.title).toBe('guess');
    layer.drop();
    expect(userIn(store).posts[0]?.title).toBe('');
    const bare = userIn(store, 'u2');
    expect(bare.best).toHaveLength(1);
    store.write(Post, { id: '8', authorId: 'u2', votes: 0 });
    expect(userIn(store, 'u2')).toBe(bare);
  });

  test('is read during a batch with its present records', () => {
    const store = storeOf();
    const user = userIn(store);
    expect(user.posts).toHaveLength(2);
    store.batch(() => {
      store.write(Post, { id: '1', authorId: 'u2' });
      expect(userIn(store).posts).toHaveLength(1);
      store.write(User, { id: 'u2', name: 'Eve' });
      const other = userIn(store, 'u2');
      store.write(User, { id: 'u2', name: 'Eva' });
      expect(idsOf(other.posts)).toEqual(['1', '3']);
    });
    expect(idsOf(userIn(store, 'u2').posts)).toEqual(['1', '3']);
  });

  test('of a replaced record shows the present records, and keeps them', () => {
    const store = storeOf();
    const user = userIn(store);
    store.write(User, { id: 'u1', name: 'new' });
    store.write(Post, { id: '2', authorId: 'u2' });
    expect(userIn(store)).not.toBe(user);
    expect(idsOf(user.posts)).toEqual(['1']);
    store.write(Post, { id: '2', authorId: 'u1' });
    expect(idsOf(user.posts)).toEqual(['1']);
    expect(idsOf(userIn(store).posts)).toEqual(['1', '2']);
  });

  test('is readable in conditions and orders of live queries', () => {
    const store = storeOf();
    const busy = from(User).where(({ posts }) => posts.length > 1);
    const byAuthor = from(Post).orderBy(({ author }) => author?.name, 'desc');
    expect(idsOf(store.get(busy))).toEqual(['u1']);
    expect(idsOf(store.get(byAuthor))).toEqual(['3', '1', '2']);
    store.write(Post, { id: '1', authorId: 'u2' });
    expect(idsOf(store.get(busy))).toEqual(['u2']);
    expect(idsOf(store.get(byAuthor))).toEqual(['1', '3', '2']);
    store.write(User, { id: 'u1', name: 'Zoe' });
    expect(idsOf(store.get(byAuthor))).toEqual(['2', '1', '3']);
  });

  test('can be combined with with(), and is not part of a copy', () => {
    const store = storeOf();
    const query = from(User).with({ all: hasMany(() => Post, 'authorId') });
    const [user] = store.get(query) ?? [];
    expect(user?.posts).toEqual(user?.all);
    const copy: Partial<User> = Object.assign({}, userIn(store));
    expect(copy.posts).toBeUndefined();
    expect(JSON.parse(JSON.stringify(userIn(store)))).toEqual({ id: 'u1', name: 'Ann' });
  });

  test('keeps the records that it shows from being collected', () => {
    let now = 0;
    const store = new Store({ now: () => now });
    store.write(Post, { id: '1', authorId: 'u1', title: 'kept' }, { expiresAt: 1 });
    store.write(User, { id: 'u1' }, { expiresAt: 1 });
    const view = store.query(User, ['u1']);
    view.subscribe(() => {});
    expect((view.current() as User).posts).toHaveLength(1);
    now = 1_000_000;
    Array.from(store.collect());
    expect((view.current() as User).posts[0]?.title).toBe('kept');
  });

  test('is deleted with its record', () => {
    const store = storeOf();
    expect(userIn(store).posts).toHaveLength(2);
    store.invalidate(User, 'u1');
    expect(store.get(User, 'u1')).toBeUndefined();
    store.write(Post, { id: '1', title: 'new' });
    store.write(User, { id: 'u1' });
    expect(userIn(store).posts[0]?.title).toBe('new');
  });

  test('throws an error to the reader, and recovers as soon as it can be built', () => {
    class Strict extends Entity {
      id = '';
      loud: readonly Post[] = [];
      static override key = 'Strict';
      static override schema = {
        loud: hasMany(() => Post, 'authorId').where(({ title }) => {
          if (title === 'bad') throw new Error('bad title');
          return true;
        }),
      };
    }
    const store = storeOf();
    store.write(Strict, { id: 'u1' });
    const strict = (): Strict => store.get(Strict, 'u1') as Strict;
    const before = strict();
    expect(before.loud).toHaveLength(2);
    store.write(Post, { id: '1', title: 'bad' });
    expect(strict()).not.toBe(before);
    expect(() => strict().loud).toThrow('bad title');
    store.write(Post, { id: '1', title: 'good' });
    expect(strict().loud).toHaveLength(2);
  });

  test('cannot be read of a record that is still being built', () => {
    const peersOf = {
      normalize: (input: unknown) => input,
      denormalize: (stored: unknown, delegate: DenormalizeDelegate) =>
        (delegate.unvisit(Looking, stored) as Looking | undefined)?.peers.length,
      queryKey: () => undefined,
    };
    class Looking extends Entity {
      id = '';
      peers: readonly Looking[] = [];
      static override key = 'Looking';
      static override schema = { peers: hasMany(() => Looking, 'id'), count: peersOf };
    }
    const store = new Store();
    store.write(Looking, { id: '1', count: '1' });
    expect(() => store.get(Looking, '1')).toThrow(
      'The relation peers was read while its record was being created. Read it in a component',
    );
  });

  test('is released with a record that is deleted before the change is checked', () => {
    const store = storeOf();
    expect(userIn(store).posts).toHaveLength(2);
    store.batch(() => {
      store.write(Post, { id: '1', title: 'new' });
      store.invalidate(User, 'u1');
      store.write(User, { id: 'u1', name: 'again' });
    });
    Array.from(store.collect());
    expect(userIn(store).posts[0]?.title).toBe('new');
  });

  test('is released with a record that is collected before the change is checked', () => {
    let now = 0;
    const store = new Store({ now: () => now });
    store.write(User, { id: 'u1' }, { expiresAt: 1 });
    store.write(Post, { id: '1', authorId: 'u1' });
    expect(userIn(store).posts).toHaveLength(1);
    now = 1_000_000;
    store.write(Post, { id: '1', title: 'new' });
    Array.from(store.collect());
    expect(store.get(User, 'u1')).toBeUndefined();
    expect(postIn(store, '1').title).toBe('new');
  });

  test('is read below the depth to which records are nested', () => {
    class Shallow extends Entity {
      id = '';
      author?: User;
      posts: readonly Post[] = [];
      static override key = 'Shallow';
      static override maxEntityDepth = 0;
      static override schema = { author: User, posts: hasMany(() => Post, 'authorId') };
    }
    const store = storeOf();
    store.write(Shallow, { id: 'u1', author: 'u2' });
    const shallow = store.get(Shallow, 'u1');
    expect(shallow?.author).not.toBeInstanceOf(User);
    expect(shallow?.posts).toHaveLength(2);
    store.write(Post, { id: '1', title: 'new' });
    expect(store.get(Shallow, 'u1')?.posts[0]?.title).toBe('new');
  });
});

describe('a record nested in a relation', () => {
  test('belongs to its parent, and keeps an owner that it has', () => {
    const store = new Store();
    store.write(User, {
      id: 'u1',
      posts: [{ id: '1' }, { id: '2', authorId: 'u2' }, '3', null],
    });
    expect(idsOf(userIn(store).posts)).toEqual(['1']);
    expect(postIn(store, '1').authorId).toBe('u1');
    expect(postIn(store, '2').authorId).toBe('u2');
    expect(store.row('User', 'u1')).toEqual({ id: 'u1' });
  });

  test('gets no owner if it is nested in an object that is no record', () => {
    const store = storeOf();
    store.write({ shown: User.schema.posts }, { shown: [{ id: '7', title: 'a' }] });
    expect(store.row('Post', '7')).toEqual({ id: '7', title: 'a' });
  });

  test('has a number as its foreign key if its class has one', () => {
    const store = new Store();
    store.write(Team, { id: 5, members: [{ id: 'a' }] });
    expect(store.row('Member', 'a')).toEqual({ id: 'a', teamId: 5 });
    expect(idsOf(store.get(Team, 5)?.members)).toEqual(['a']);
  });

  test('is not added to the list of a field with several owners', () => {
    class Label extends Entity {
      id = '';
      items: readonly Labelled[] = [];
      static override key = 'Label';
      static override schema = { items: hasMany(() => Labelled, 'labels') };
    }
    class Labelled extends Entity {
      id = '';
      labels: Label[] = [];
      static override key = 'Labelled';
      static override schema = { labels: [Label] };
    }
    const store = new Store();
    store.write(Label, { id: 'l1', items: [{ id: '1' }, { id: '2', labels: ['l1'] }] });
    expect(idsOf(store.get(Label, 'l1')?.items)).toEqual(['2']);
  });

  test('agrees with flat answers, whichever arrives first', () => {
    const nested = { id: 'u1', posts: [{ id: '1', title: 'x' }] };
    const flat = { id: '1', title: 'x', authorId: 'u1' };
    const [one, other] = [new Store(), new Store()];
    one.write(User, nested);
    one.write(Post, flat);
    other.write(Post, flat);
    other.write(User, nested);
    for (const store of [one, other]) {
      expect(idsOf(userIn(store).posts)).toEqual(['1']);
      expect(postIn(store, '1').author).toBe(userIn(store));
    }
  });
});

describe('a snapshot', () => {
  test('shows relations as they were, also those that are read later', () => {
    const store = storeOf();
    const user = userIn(store);
    expect(user.best).toHaveLength(2);
    const snapshot = takeSnapshot(store);
    store.write(Post, { id: '1', authorId: 'u2' });
    expect(idsOf((snapshot.get(User, 'u1') as User).posts)).toEqual(['1', '2']);
    expect(idsOf(userIn(store).posts)).toEqual(['2']);
  });

  test('shows relations as they were if none was read before', () => {
    const store = storeOf();
    userIn(store);
    const snapshot = takeSnapshot(store);
    store.write(Post, { id: '1', authorId: 'u2' });
    expect(idsOf((snapshot.get(User, 'u1') as User).posts)).toEqual(['1', '2']);
    expect((snapshot.get(User, 'u1') as User).postCount).toBe(2);
    expect(idsOf(userIn(store).posts)).toEqual(['2']);
  });

  test('returns the very record of the store if all of its relations were read before', () => {
    const store = storeOf();
    const member = { id: 'a', teamId: 5 };
    store.write(Member, member);
    store.write(Team, { id: 5 });
    const team = store.get(Team, 5);
    expect(team?.members).toHaveLength(1);
    expect(takeSnapshot(store).get(Team, 5)).toBe(team);
  });
});
