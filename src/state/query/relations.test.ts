import { describe, expect, test } from 'vitest';
import { arg } from '../../define/query/argument.ts';
import { Collection } from '../../define/schema/collection.ts';
import { Entity } from '../../define/schema/entity.ts';
import { keyOf } from '../../define/schema/key-of.ts';
import { Query } from '../../define/schema/query.ts';
import { Store } from '../store/store.ts';
import { belongsTo } from './belongs-to.ts';
import { hasMany } from './has-many.ts';
import { from } from './live-query.ts';
import { addGuess } from '../store/layer.ts';

class User extends Entity {
  id = '';
  name = '';
  static override key = 'User';
  static posts = hasMany(() => Post, 'author');
  static todos = hasMany(() => Todo, 'userId');
}

class Tag extends Entity {
  id = '';
  static override key = 'Tag';
  static posts = hasMany(() => Post, 'tags');
}

class Post extends Entity {
  id = '';
  title = '';
  votes = 0;
  author: User | undefined = undefined;
  tags: Tag[] = [];
  static override key = 'Post';
  static override schema = { author: User, tags: [Tag] };
}

class Todo extends Entity {
  id = 0;
  userId = 0;
  title = '';
  static override key = 'Todo';
  static user = belongsTo(() => User, 'userId');
  static namesake = belongsTo(
    () => User,
    (todo: Todo) => `${todo.title}-user`,
  );
}

const all: Collection = new Collection([User]);
const authorOf = belongsTo(() => User, 'author');

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
    [
      { id: '1', votes: 3, author: 'u1' },
      { id: '2', votes: 1, author: 'u2' },
      { id: '3', votes: 2, author: 'u1' },
    ],
  );
  return store;
}

const idsOf = (records: readonly { readonly id: unknown }[] | undefined): unknown => records?.map(({ id }) => id);

describe('a relation to many', () => {
  test('has the records that refer to a record by a nested record, by a pk, by a list of pks, or by a plain field', () => {
    const store = new Store();
    store.write(
      [Post],
      [
        { id: '1', author: { id: 'u1', name: 'Ann' }, tags: [{ id: 't1' }, 't2'] },
        { id: '2', author: 'u1', tags: ['t2'] },
        { id: '3', author: 'u2' },
      ],
    );
    store.write(
      [Todo],
      [
        { id: 1, userId: 1 },
        { id: 2, userId: 1 },
      ],
    );
    store.write(User, { id: '1' });
    expect(idsOf(store.get(User.posts, 'u1'))).toEqual(['1', '2']);
    expect(idsOf(store.get(User.posts, store.get(User, 'u1') as User))).toEqual(['1', '2']);
    expect(idsOf(store.get(Tag.posts, 't2'))).toEqual(['1', '2']);
    expect(idsOf(store.get(User.todos, 1))).toEqual([1, 2]);
    expect(idsOf(store.get(User.posts, 'nobody'))).toEqual([]);
  });

  test('follows a record that moves, for its former and its new owner and no other', () => {
    const store = new Store();
    store.write(
      [Post],
      [
        { id: '1', author: 'u1' },
        { id: '2', author: 'u2' },
        { id: '3', author: 'u3' },
      ],
    );
    const received: string[] = [];
    for (const user of ['u1', 'u2', 'u3']) store.query(User.posts, [user]).subscribe(() => received.push(user));
    store.write(Post, { id: '1', author: 'u2' });
    expect(received.toSorted()).toEqual(['u1', 'u2']);
    expect(idsOf(store.get(User.posts, 'u1'))).toEqual([]);
    expect(idsOf(store.get(User.posts, 'u2'))).toEqual(['1', '2']);
    store.write(Post, { id: '2', title: 'changed' });
    expect(received.toSorted()).toEqual(['u1', 'u2', 'u2']);
  });

  test('is filtered, sorted and cut, with arguments after the owner', () => {
    const store = new Store();
    store.write(
      [Post],
      [1, 2, 3].map((votes) => ({ id: `${votes}`, votes, author: 'u1' })),
    );
    const best = User.posts.where({ votes: { gte: arg('least') } }).orderBy('votes', 'desc');
    expect(idsOf(store.get(best, 'u1', { least: 2 }))).toEqual(['3', '2']);
    expect(store.get(User.posts.count(), 'u1')).toBe(3);
  });

  test('finds records that refer to an owner by its temporary pk', () => {
    const store = new Store();
    const layer = addGuess(store, () => ({ schema: all.push, response: { name: 'new' }, args: [{}] }));
    const users = from(User);
    const temporary = store.get(users)?.[0] as User;
    expect(keyOf(temporary)).toBe(temporary.id);
    store.write(Post, { id: '1', author: temporary.id });
    expect(idsOf(store.get(User.posts, temporary))).toEqual(['1']);
    layer.confirm(all.push, { id: 'u9', name: 'new' }, { args: [{}] });
    const created = store.get(users)?.[0] as User;
    store.write(Post, { id: '2', author: 'u9' });
    expect(created.id).toBe('u9');
    expect(idsOf(store.get(User.posts, created))).toEqual(['1', '2']);
  });

  test('is an error without an owner, which says what to pass', () => {
    const store = new Store();
    expect(() => store.get(User.posts, undefined as never)).toThrow(
      'A relation that finds Post records by author was read for undefined. Pass the record that they belong to, or its pk.',
    );
    expect(() => store.get(User.posts, { id: '1' } as never)).toThrow('was read for an object that is no record.');
  });
});

describe('a relation to one', () => {
  test('has the record to which a field, or a function, refers', () => {
    const store = new Store();
    store.write([User], [{ id: '1', name: 'Ann' }, { id: 'x-user' }]);
    store.write(Todo, { id: 1, userId: 1, title: 'x' });
    const todo = store.get(Todo, 1) as Todo;
    expect(store.get(Todo.user, todo)).toBe(store.get(User, '1'));
    expect(store.get(Todo.namesake, todo)?.id).toBe('x-user');
    expect(store.get(Todo.user, { userId: 7 })).toBeUndefined();
    expect(store.get(Todo.user, { userId: null })).toBeUndefined();
    expect(store.get(Todo.user, { userId: store.get(User, '1') })?.name).toBe('Ann');
  });

  test('takes a class that is declared already, and is an error without an owner', () => {
    const store = new Store();
    store.write([User], [{ id: '1', name: 'Ann' }]);
    const user = belongsTo(User, 'userId');
    expect(store.get(user, { userId: 1 })?.name).toBe('Ann');
    expect(store.get(hasMany(Todo, 'userId'), 1)).toBeUndefined();
    expect(() => store.get(user, undefined as never)).toThrow(
      'A relation to one was read for undefined. Pass the record',
    );
  });

  test('stores what is written by it', () => {
    const store = new Store();
    expect(store.write(Todo.user, { id: '1', name: 'Ann' })).toBe('1');
    expect(store.read(Todo.user, '1')).toBe(store.get(User, '1'));
  });
});

test('a record that a response has nested in the field of a relation to one is stored, and read there', () => {
  class Nested extends Entity {
    id = '';
    userId = '';
    readonly user?: User;
    static override key = 'Nested';
    static override schema = { user: belongsTo(() => User, 'userId') };
  }
  const store = new Store();
  store.write([Nested], [{ id: '1', userId: '2', user: { id: '2', name: 'Bob' } }, { id: '3', userId: '2', user: '2' }]); // prettier-ignore

  expect(store.get(Nested, '1')?.user?.name).toBe('Bob');
  expect(store.get(Nested, '1')?.user).toBe(store.get(User, '2'));
  expect(store.get(Nested, '3')?.user).toBe(store.get(User, '2'));
  store.write(Nested, { id: '1', userId: '4', user: { id: '4', name: 'Cy' } });
  expect(store.get(Nested, '1')?.user?.name).toBe('Cy');
});

test('a record can be written although its relation leads to a class that is declared later', () => {
  class Early extends Entity {
    id = '';
    readonly late: readonly Late[] = [];
    static override key = 'Early';
    static override schema = { late: hasMany(() => Late, 'earlyId') as never };
  }
  const store = new Store();
  store.write(Early, { id: '1' });
  class Late extends Entity {
    id = '';
    earlyId = '';
    static override key = 'Late';
  }
  store.write(Late, { id: '2', earlyId: '1' });

  expect(store.get(Early, '1')?.late.map(({ id }) => id)).toEqual(['2']);
  const broken = hasMany(() => {
    throw new RangeError('no class');
  }, 'id' as never);
  expect(() => store.get(from(Early).with({ broken: broken as never }))).toThrow('no class');
});

test('a record cannot be written if the function for the class of its relation throws an error of another kind', () => {
  class Broken extends Entity {
    id = '';
    static override key = 'Broken';
    static override schema = {
      posts: hasMany(() => {
        throw new RangeError('no class');
      }, 'id' as never) as never,
    };
  }
  expect(() => new Store().write(Broken, { id: '1' })).toThrow('no class');
});

describe('relations that are read beside a record', () => {
  const whole = from(User)
    .orderBy('id')
    .with({ posts: User.posts.orderBy('votes') });

  test('are in fields of their names, in records of the same class', () => {
    const users = storeOf().get(whole);
    expect(users?.map(({ id, posts }) => [id, idsOf(posts)])).toEqual([
      ['u1', ['3', '1']],
      ['u2', ['2']],
    ]);
    expect(users?.[0]).toBeInstanceOf(User);
    expect(users?.[0]?.pk()).toBe('u1');
    expect(Object.isFrozen(users?.[0])).toBe(true);
  });

  test('are frozen only if the store freezes', () => {
    const store = new Store({ frozen: false });
    store.write([Post], [{ id: '1', author: { id: 'u1' } }]);
    const [user] = store.get(whole) ?? [];
    expect(user?.posts).toHaveLength(1);
    expect(Object.isFrozen(user)).toBe(false);
  });

  test('change the records that they are in, and nothing else', () => {
    const store = storeOf();
    const before = store.get(whole);
    store.write(Post, { id: '2', votes: 5 });
    const after = store.get(whole);
    expect(after?.[0]).toBe(before?.[0]);
    expect(after?.[1]).not.toBe(before?.[1]);
    expect(after?.[1]?.posts[0]?.votes).toBe(5);
    store.write(User, { id: 'u3' });
    expect(
      store
        .get(whole)
        ?.slice(0, 2)
        .every((user, at) => user === after?.[at]),
    ).toBe(true);
    expect(store.get(whole)?.[2]?.posts).toEqual([]);
  });

  test('can be nested at any depth, to many and to one', () => {
    const store = storeOf();
    store.write(Todo, { id: 1, userId: 5 });
    const deep = from(Todo).with({ user: Todo.user });
    expect(store.get(deep)?.[0]?.user).toBeUndefined();
    store.write(User, { id: '5', name: 'Eve' });
    expect(store.get(deep)?.[0]?.user).toBe(store.get(User, '5'));
    store.write(Todo, { id: 1, userId: 6 });
    expect(store.get(deep)?.[0]?.user).toBeUndefined();
    store.write(User, { id: '6' });
    store.invalidate(User, '6');
    expect(store.get(deep)?.[0]?.user).toBeUndefined();
    const tree = from(User)
      .where({ id: 'u1' })
      .with({ posts: User.posts.with({ author: authorOf }) });
    expect(store.get(tree)?.[0]?.posts[0]?.author).toBe(store.get(User, 'u1'));
    const selected = from(User)
      .where({ id: 'u1' })
      .with({ posts: User.posts })
      .select(({ name, posts }) => `${name}: ${posts.length}`);
    expect(store.get(selected)).toEqual(['Ann: 2']);
  });

  test('are released with the record', () => {
    const store = storeOf();
    const view = store.query(whole);
    const stop = view.subscribe(() => {});
    store.invalidate(User, 'u2');
    expect(view.current()).toHaveLength(1);
    stop();
    Array.from(store.collect());
    expect(view.current()).toHaveLength(1);
  });
});

describe('a relation in a Query', () => {
  const titles = new Query(User.posts, (posts) => posts.map(({ id }) => id).join());
  const best = new Query(
    User.posts.where({ votes: { gte: arg('least') } }),
    (posts, _owner, { least }: { readonly least: number }) => [posts.length, least],
  );
  const nameOfUser = new Query(Todo.user, (user) => user?.name);
  const size = new Query(titles, (text) => text.length);

  test('is read for the record, or for its pk', () => {
    const store = storeOf();
    const user = store.get(User, 'u1') as User;
    expect(store.get(titles, user)).toBe('1,3');
    expect(store.get(titles, 'u1')).toBe('1,3');
    expect(store.get(size, user)).toBe(3);
    expect(store.get(best, 'u1', { least: 3 })).toEqual([1, 3]);
    store.write(Post, { id: '2', author: 'u1' });
    expect(store.get(titles, 'u1')).toBe('1,2,3');
  });

  test('to one leads from the record that refers to the other, and not from one with the same pk', () => {
    const store = storeOf();
    store.write([User], [{ id: '1', name: 'One' }, { id: '2', name: 'Two' }]); // prettier-ignore
    store.write(Todo, { id: 1, userId: 2 });
    const todo = store.get(Todo, '1') as Todo;
    expect(store.get(nameOfUser, todo)).toBe('Two');
    expect(store.get(new Query({ user: Todo.user }, (whole) => whole.user?.name), todo as never)).toBe('Two');
    store.write(User, { id: '2', name: 'Second' });
    expect(store.get(nameOfUser, todo)).toBe('Second');
    expect(() => store.get(nameOfUser, '1' as never)).toThrow('A relation to one was read for 1.');
  });
});
