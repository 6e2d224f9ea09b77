import { describe, expect, test } from 'vitest';
import { Collection } from '../../define/schema/collection.ts';
import { Entity } from '../../define/schema/entity.ts';
import { keyOf } from '../../define/schema/key-of.ts';
import { ArraySchema } from '../../define/schema/array.ts';
import { Union } from '../../define/schema/union.ts';
import { arg } from '../../define/query/argument.ts';
import { Store } from '../store/store.ts';
import { belongsTo } from './belongs-to.ts';
import { count } from './aggregates.ts';
import { distinct } from './distinct.ts';
import { hasMany } from './has-many.ts';
import { from } from './live-query.ts';
import { on } from './on.ts';
import { referredPks, valueNames } from './relation-path.ts';
import { through } from './through.ts';
import { ancestors, descendants } from './tree.ts';
import { All } from '../../define/schema/all.ts';
import { dehydrate } from '../hydrate/dehydrate.ts';
import { hydrate } from '../hydrate/hydrate.ts';
import { addGuess } from '../store/layer.ts';
import type { Commit } from '../store/commit.ts';
import { memo } from '../../std/memo.ts';
import { EarlierStore } from '../store/earlier-store.ts';
import { takeSnapshot } from '../store/store-snapshot.ts';

class User extends Entity {
  id = '';
  type = 'user';
  name = '';
  static override key = 'User';
  static teams = hasMany(
    () => Team,
    through(() => Membership, 'userId', 'teamId'),
  );
  static remarks = hasMany(() => Remark, 'about');
}

class Comment extends Entity {
  id = '';
  userId = '';
  static override key = 'Comment';
}

class Team extends Entity {
  id = '';
  type = 'team';
  name = '';
  lead: User | undefined = undefined;
  members: readonly User[] = [];
  static override key = 'Team';
  static users = hasMany(
    () => User,
    through(() => Membership, 'teamId', 'userId'),
  );
  static memberships = hasMany(() => Membership, 'teamId');
  static remarks = hasMany(() => Remark, 'about');
  static mentions = hasMany(() => Remark, 'mentions');
  static override schema = {
    lead: User,
    members: hasMany(
      () => User,
      through(() => Membership, 'teamId', 'userId'),
    ).orderBy('name'),
  };
}

class Membership extends Entity {
  id = '';
  teamId = '';
  userId = '';
  role = '';
  static override key = 'Membership';
  static user = belongsTo(() => User, 'userId');
}

class Remark extends Entity {
  id = '';
  about: User | Team | undefined = undefined;
  mentions: (User | Team)[] = [];
  static override key = 'Remark';
  static override schema = {
    about: new Union({ user: User, team: Team }, 'type'),
    mentions: new ArraySchema({ user: User, team: Team }, 'type'),
  };
}

class Order extends Entity {
  id = '';
  region = '';
  itemIds: readonly number[] = [];
  static override key = 'Order';
  static lines = hasMany(() => Line, { orderId: 'id', region: 'region' });
  static items = hasMany(() => Item, { id: 'itemIds' });
  static related = hasMany(
    () => Line,
    ({ orderId, region }) => [orderId, `${orderId}-${region}`],
  );
}

class Line extends Entity {
  id = '';
  orderId = '';
  region = '';
  amount = 0;
  static override key = 'Line';
}

class Item extends Entity {
  id = 0;
  static override key = 'Item';
}

class Category extends Entity {
  id = '';
  parentId: string | null = null;
  name = '';
  static override key = 'Category';
  static ancestors = ancestors(() => Category, 'parentId');
  static descendants = descendants(() => Category, 'parentId');
}

const all: Collection = new Collection([User]);
const idsOf = (records: readonly { readonly id: unknown }[] | undefined): unknown => records?.map(({ id }) => id);

describe('many to many, through linking records', () => {
  function storeOf(): Store {
    const store = new Store();
    store.write(
      [Membership],
      [
        { id: 'm1', teamId: 't1', userId: 'u2', role: 'lead' },
        { id: 'm2', teamId: 't1', userId: 'u1' },
        { id: 'm3', teamId: 't2', userId: 'u1' },
      ],
    );
    store.write([Team], [{ id: 't1' }, { id: 't2' }]);
    store.write(
      [User],
      [
        { id: 'u1', name: 'Ann' },
        { id: 'u2', name: 'Bob' },
      ],
    );
    return store;
  }

  test('leads in both directions, in the order of the links', () => {
    const store = storeOf();
    expect(idsOf(store.get(Team.users, 't1'))).toEqual(['u2', 'u1']);
    expect(idsOf(store.get(User.teams, 'u1'))).toEqual(['t1', 't2']);
    expect(idsOf(store.get(Team, 't1')?.members)).toEqual(['u1', 'u2']);
  });

  test('follows links that are added, removed and changed, and does not notify other readers', () => {
    const store = storeOf();
    let notifications = 0;
    const view = store.query(Team.users, ['t2']);
    view.subscribe(() => notifications++);
    const users = view.current();
    store.write(Membership, { id: 'm4', teamId: 't1', userId: 'u3' });
    expect(idsOf(store.get(Team.users, 't1'))).toEqual(['u2', 'u1']);
    store.write(User, { id: 'u3' });
    expect(idsOf(store.get(Team.users, 't1'))).toEqual(['u2', 'u1', 'u3']);
    expect(notifications).toBe(0);
    expect(view.current()).toBe(users);
    store.write(Membership, { id: 'm2', userId: 'u3' });
    expect(idsOf(store.get(Team.users, 't1'))).toEqual(['u2', 'u3']);
    store.invalidate(Membership, 'm1');
    expect(idsOf(store.get(Team.users, 't1'))).toEqual(['u3']);
    store.write(Membership, { id: 'm3', teamId: 't1' });
    expect(idsOf(view.current() as readonly User[])).toEqual([]);
    expect(idsOf(store.get(Team.users, 't1'))).toEqual(['u3', 'u1']);
  });

  test('follows the related records, which can be removed and restored', () => {
    const store = storeOf();
    const before = store.get(Team.users, 't1');
    store.write(User, { id: 'u1', name: 'new' });
    const after = store.get(Team.users, 't1');
    expect(after?.[1]?.name).toBe('new');
    expect(after?.[0]).toBe(before?.[0]);
    store.invalidate(User, 'u1');
    expect(idsOf(store.get(Team.users, 't1'))).toEqual(['u2']);
    store.write(User, { id: 'u1' });
    expect(idsOf(store.get(Team.users, 't1'))).toEqual(['u2', 'u1']);
  });

  test('is filtered by indexed fields, too', () => {
    const store = storeOf();
    const named = Team.users.where({ name: arg('name') });
    expect(idsOf(store.get(named, 't1', { name: 'Ann' }))).toEqual(['u1']);
    store.write(User, { id: 'u2', name: 'Ann' });
    expect(idsOf(store.get(named, 't1', { name: 'Ann' }))).toEqual(['u2', 'u1']);
    const stop = store.query(named, ['t1', { name: 'Bob' }]).subscribe(() => {});
    stop();
    Array.from(store.collect());
    expect(idsOf(store.get(named, 't1', { name: 'Bob' }))).toEqual([]);
  });

  test('is filtered by references that no lookup finds, also while these change and before their records are stored', () => {
    const store = storeOf();
    store.write([Team], [{ id: 't1', lead: 'u1' }, { id: 't2', lead: 'u9' }]); // prettier-ignore
    const others = User.teams.where({ lead: { not: 'u1' } });
    const view = store.query(others, ['u1']);
    view.subscribe(() => {});
    expect(idsOf(view.current() as readonly Team[])).toEqual(['t2']);
    store.write(Team, { id: 't1', lead: 'u8' });
    expect(idsOf(view.current() as readonly Team[])).toEqual(['t1', 't2']);
    expect(store.get(others.count(), 'u1')).toBe(2);
    store.write(Team, { id: 't2', lead: 'u1' });
    expect(idsOf(view.current() as readonly Team[])).toEqual(['t1']);
    store.write(Team, { id: 't2', lead: null });
    expect(idsOf(view.current() as readonly Team[])).toEqual(['t1', 't2']);
  });

  test('is filtered by a record that a reference must not be', () => {
    const store = storeOf();
    store.write([Team], [{ id: 't1', lead: 'u1' }, { id: 't2', lead: 'u2' }]); // prettier-ignore
    const ann = store.get(User, 'u1') as User;
    const others = from(Team).where({ lead: { not: ann } });
    expect(idsOf(store.get(others))).toEqual(['t2']);
    expect(store.get(others.count())).toBe(1);
  });

  test('is filtered by a record that is being created, which a reference must not be', () => {
    const store = storeOf();
    const layer = addGuess(store, () => ({ schema: all.push, response: { name: 'new' }, args: [{}] }));
    const temporary = store.get(from(User).where({ name: 'new' }).one())?.id as string;
    store.write([Team], [{ id: 't1', lead: temporary }, { id: 't2', lead: 'u2' }]); // prettier-ignore
    const counts = (): unknown =>
      [temporary, 'u9', 'u2'].map((pk) => store.get(from(Team).where({ lead: { not: pk } }).count())); // prettier-ignore
    expect(counts()).toEqual([1, 2, 1]);
    layer.confirm(all.push, { id: 'u9', name: 'new' }, { args: [{}] });
    expect(counts()).toEqual([1, 1, 1]);
  });

  test.each([
    ['of a plain field', from(Comment)],
    ['of a query of a query', from(from(Comment))],
    ['of a query of a query with a limit', from(from(Comment).limit(9))],
    ['of a list', from(from(Comment).orderBy('id').offset(0).limit(9))],
    ['of joined records', from(Comment).join('by', User, on('userId', 'id'))],
  ])('by a temporary pk or by that of the server, conditions %s pass the same records', (_kind, comments) => {
    const store = storeOf();
    const layer = addGuess(store, () => ({ schema: all.push, response: { name: 'new' }, args: [{}] }));
    const temporary = store.get(from(User).where({ name: 'new' }).one())?.id as string;
    store.write([Comment], [{ id: '1', userId: temporary }, { id: '2', userId: 'u2' }]); // prettier-ignore
    const every = [temporary, 'u9'].flatMap((pk) => [
      comments.where({ userId: pk }).count(),
      comments.where({ userId: { not: pk } }).count(),
      comments.where({ userId: { in: [pk, 'u8'] } }).count(),
    ]);
    const counts = (): unknown => every.map((query) => store.get(query));
    expect(counts()).toEqual([1, 1, 1, 0, 2, 0]);
    layer.confirm(all.push, { id: 'u9', name: 'new' }, { args: [{}] });
    expect(counts()).toEqual([1, 1, 1, 1, 1, 1]);
    store.write([Comment], [{ id: '2', userId: 'u9' }]);
    expect(counts()).toEqual([2, 0, 2, 2, 0, 2]);
  });

  test('has groups that are filtered by a temporary pk or by that of the server', () => {
    const store = storeOf();
    const layer = addGuess(store, () => ({ schema: all.push, response: { name: 'new' }, args: [{}] }));
    const temporary = store.get(from(User).where({ name: 'new' }).one())?.id as string;
    store.write([Comment], [{ id: '1', userId: temporary }, { id: '2', userId: 'u2' }]); // prettier-ignore
    const groups = from(Comment).groupBy('userId', { comments: count() });
    const number = (): unknown => store.get(groups.where({ userId: 'u9' }).count());
    expect(number()).toBe(0);
    layer.confirm(all.push, { id: 'u9', name: 'new' }, { args: [{}] });
    expect(number()).toBe(1);
  });

  test('has a page after a record that is being created, without that record when it is answered', () => {
    const store = storeOf();
    const byName = from(User).orderBy('name');
    const layer = addGuess(store, () => ({ schema: all.push, response: { name: 'new' }, args: [{}] }));
    store.write([User], [{ id: 'a', name: 'new' }, { id: 'u9', name: 'new' }]); // prettier-ignore
    const created = store.get(byName.where({ name: 'new' }))?.[1];
    expect(created?.id).toContain('temp:');
    const page = store.query(byName.where({ name: 'new' }).after(created));
    expect(idsOf(page.current() as readonly User[])).toEqual(['u9']);
    layer.confirm(all.push, { id: 'u8', name: 'new' }, { args: [{}] });
    expect(idsOf(page.current() as readonly User[])).toEqual(['u9']);
  });

  test('is filtered by a reference, also if that record is not stored', () => {
    const store = storeOf();
    store.write([Team], [{ id: 't1', lead: 'u1' }, { id: 't2', lead: 'u9' }]); // prettier-ignore
    const led = User.teams.where({ lead: arg('lead') });
    expect(idsOf(store.get(led, 'u1', { lead: 'u9' }))).toEqual(['t2']);
    store.write(Team, { id: 't1', lead: 'u9' });
    expect(idsOf(store.get(led, 'u1', { lead: 'u9' }))).toEqual(['t1', 't2']);
    expect(idsOf(store.get(led, 'u1', { lead: 'u1' }))).toEqual([]);
  });

  test('has the data of the links as a relation of its own', () => {
    const store = storeOf();
    const links = store.get(Team.memberships.with({ user: Membership.user }), 't1');
    expect(links?.map(({ role, user }) => `${user?.name} ${role}`)).toEqual(['Bob lead', 'Ann ']);
  });
});

describe('a relation to records of several classes', () => {
  test('leads back from a record of either class, and does not mix the two', () => {
    const store = new Store();
    store.write(
      [Remark],
      [
        { id: '1', about: { type: 'user', id: '7' }, mentions: [{ type: 'team', id: '7' }] },
        { id: '2', about: { type: 'team', id: '7' } },
      ],
    );
    const [user, team] = [store.get(User, '7') as User, store.get(Team, '7') as Team];
    expect(idsOf(store.get(User.remarks, user))).toEqual(['1']);
    expect(idsOf(store.get(Team.remarks, team))).toEqual(['2']);
    expect(idsOf(store.get(Team.mentions, team))).toEqual(['1']);
    expect(idsOf(store.get(from(Remark).where({ about: user })))).toEqual(['1']);
    store.write(Remark, { id: '2', about: { type: 'user', id: '7' } });
    expect(idsOf(store.get(User.remarks, user))).toEqual(['1', '2']);
    expect(idsOf(store.get(Team.remarks, team))).toEqual([]);
    expect(() => store.get(User.remarks, '7')).toThrow(
      'A relation that finds Remark records by about was read for 7. Pass a record of user or team: a pk does not tell the class.',
    );
  });
});

describe('a relation by several fields', () => {
  test('has the records that are equal in all of them', () => {
    const store = new Store();
    store.write(Order, { id: '1', region: 'eu', itemIds: [2, 9] });
    store.write(
      [Line],
      [
        { id: 'a', orderId: '1', region: 'eu' },
        { id: 'b', orderId: '1', region: 'us' },
        { id: 'c', orderId: '2', region: 'eu' },
      ],
    );
    const order = (): Order => store.get(Order, '1') as Order;
    const whole = from(Order).with({ lines: Order.lines });
    expect(idsOf(store.get(Order.lines, order()))).toEqual(['a']);
    expect(idsOf(store.get(whole)?.[0]?.lines)).toEqual(['a']);
    store.write(Order, { id: '1', region: 'us' });
    expect(idsOf(store.get(Order.lines, order()))).toEqual(['b']);
    expect(idsOf(store.get(whole)?.[0]?.lines)).toEqual(['b']);
    expect(() => store.get(Order.lines, '1' as never)).toThrow(
      'A relation that finds Line records by orderId and region was read for 1. Pass the record itself.',
    );
  });

  test('has the records of a list of pks', () => {
    const store = new Store();
    store.write([Item], [{ id: 1 }, { id: 2 }]);
    store.write(Order, { id: '1', itemIds: [2, 9] });
    expect(idsOf(store.get(Order.items, store.get(Order, '1') as Order))).toEqual([2]);
    expect(idsOf(store.get(Order.items, { itemIds: null }))).toEqual([]);
  });
});

describe('a relation by a function', () => {
  test('has the records for which it returns the pk, or a list with it', () => {
    const store = new Store();
    store.write(
      [Line],
      [
        { id: 'a', orderId: '1' },
        { id: 'b', orderId: '2', region: 'x' },
      ],
    );
    expect(idsOf(store.get(Order.related, '1'))).toEqual(['a']);
    expect(idsOf(store.get(Order.related, '2-x'))).toEqual(['b']);
    store.write(Line, { id: 'a', orderId: '2' });
    expect(idsOf(store.get(Order.related, '1'))).toEqual([]);
    expect(idsOf(store.get(Order.related, '2'))).toEqual(['a', 'b']);
  });

  test('that returns a record compares its class and its pk', () => {
    const about = hasMany(
      () => Remark,
      (remark: Remark) => remark.about,
    );
    const mentions = hasMany(
      () => Remark,
      (remark: Remark) => remark.mentions,
    );
    const store = new Store();
    store.write(
      [Remark],
      [
        { id: '1', about: { type: 'user', id: '7' }, mentions: [{ type: 'team', id: '7' }] },
        { id: '2', about: { type: 'team', id: '7' } },
      ],
    );
    const [user, team] = [store.get(User, '7') as User, store.get(Team, '7') as Team];
    expect([about, mentions].map((relation) => idsOf(store.get(relation, user)))).toEqual([['1'], []]);
    expect([about, mentions].map((relation) => idsOf(store.get(relation, team)))).toEqual([['2'], ['1']]);
    expect(idsOf(store.get(about, '7'))).toEqual(['1', '2']);
  });
});

describe('a value that is not an entity class', () => {
  test('is an error where the relation is read', () => {
    const store = new Store();
    const wrong = hasMany(() => all as never, through(() => all as never, 'a' as never, 'b' as never) as never);
    expect(() => store.get(wrong, '1' as never)).toThrow('hasMany() or through() of a query was given {');
    expect(() => store.get(wrong, '1' as never)).toThrow('Pass an entity class, or a function that returns one');
  });
});

describe('a tree', () => {
  function storeOf(): Store {
    const store = new Store();
    store.write(
      [Category],
      [
        { id: 'leaf', parentId: 'left' },
        { id: 'root' },
        { id: 'left', parentId: 'root' },
        { id: 'right', parentId: 'root' },
      ],
    );
    return store;
  }

  test('is read upwards, nearest first, and downwards, level by level', () => {
    const store = storeOf();
    expect(idsOf(store.get(Category.ancestors, 'leaf'))).toEqual(['left', 'root']);
    expect(idsOf(store.get(Category.descendants, 'root'))).toEqual(['left', 'right', 'leaf']);
    expect(idsOf(store.get(Category.ancestors, 'root'))).toEqual([]);
    expect(idsOf(store.get(Category.descendants, 'leaf'))).toEqual([]);
  });

  test('follows a branch that moves, a name that changes, and a record that is added late or removed', () => {
    const store = storeOf();
    const before = store.get(Category.descendants, 'root');
    store.write(Category, { id: 'right', name: 'new' });
    expect(store.get(Category.descendants, 'root')?.[1]?.name).toBe('new');
    expect(store.get(Category.descendants, 'root')?.[0]).toBe(before?.[0]);
    store.write(Category, { id: 'left', parentId: 'right' });
    expect(idsOf(store.get(Category.ancestors, 'leaf'))).toEqual(['left', 'right', 'root']);
    expect(idsOf(store.get(Category.descendants, 'root'))).toEqual(['right', 'left', 'leaf']);
    store.write(Category, { id: 'root', parentId: 'top' });
    expect(idsOf(store.get(Category.ancestors, 'leaf'))).toEqual(['left', 'right', 'root']);
    store.write(Category, { id: 'top' });
    expect(idsOf(store.get(Category.ancestors, 'leaf'))).toEqual(['left', 'right', 'root', 'top']);
    store.invalidate(Category, 'right');
    expect(idsOf(store.get(Category.ancestors, 'leaf'))).toEqual(['left']);
    expect(idsOf(store.get(Category.descendants, 'root'))).toEqual([]);
    store.write(Category, { id: 'right', parentId: 'root' });
    expect(idsOf(store.get(Category.descendants, 'root'))).toEqual(['right', 'left', 'leaf']);
  });

  test('ends at a cycle in the data', () => {
    const store = storeOf();
    store.write(Category, { id: 'root', parentId: 'leaf' });
    expect(idsOf(store.get(Category.ancestors, 'leaf'))).toEqual(['left', 'root']);
    expect(idsOf(store.get(Category.descendants, 'root'))).toEqual(['left', 'right', 'leaf']);
    store.write(Category, { id: 'own', parentId: 'own' });
    expect(idsOf(store.get(Category.ancestors, 'own'))).toEqual([]);
    expect(idsOf(store.get(Category.descendants, 'own'))).toEqual([]);
  });

  test('is filtered and sorted as any relation is', () => {
    const store = storeOf();
    const named = Category.descendants.where({ name: arg('name') }).orderBy('id', 'desc');
    expect(idsOf(store.get(named, 'root', { name: '' }))).toEqual(['right', 'left', 'leaf']);
    expect(store.get(Category.descendants.count(), 'root')).toBe(3);
  });
});

describe('a record that is being created', () => {
  class Letter extends Entity {
    id = '';
    author: User | undefined = undefined;
    team: Team | undefined = undefined;
    static override key = 'Letter';
    static override schema = { author: User, team: Team };
  }
  let asked = new Store();

  test('is found by its temporary pk and by its pk of the server', () => {
    const store = new Store();
    const layer = addGuess(store, () => ({ schema: all.push, response: { name: 'new' }, args: [{}] }));
    const mine = (): User => store.get(from(User))?.[0] as User;
    const temporary = mine();
    store.write(Letter, { id: '1', author: temporary.id });
    const byUser = (user: User): unknown => idsOf(store.get(from(Letter).where({ author: user })));
    expect(byUser(temporary)).toEqual(['1']);
    layer.confirm(all.push, { id: 'u9', name: 'new' }, { args: [{}] });
    store.write(Letter, { id: '2', author: 'u9' });
    expect(mine().id).toBe('u9');
    expect(byUser(mine())).toEqual(['1', '2']);
    expect(idsOf(store.get(from(Letter).where({ author: { in: [mine()] } })))).toEqual(['1', '2']);
    expect(idsOf(store.get(hasMany(Letter, 'author'), mine()))).toEqual(['1', '2']);
  });

  test('has all the records that refer to it by a temporary pk, if the server answers several creates with one pk', () => {
    const store = new Store();
    const create = (name: string) => addGuess(store, () => ({ schema: all.push, response: { name }, args: [{}] }));
    const layers = [create('one'), create('two')];
    const temporary = store.get(from(User))?.map(({ id }) => id) ?? [];
    temporary.forEach((author, at) => store.write(Letter, { id: String(at), author }));
    for (const layer of layers) layer.confirm(all.push, { id: 'u9', name: 'new' }, { args: [{}] });
    const user = store.get(User, 'u9') as User;
    expect(['0', '1'].map((id) => store.get(Letter, id)?.author)).toEqual([user, user]);
    expect(idsOf(store.get(hasMany(Letter, 'author'), user))).toEqual(['0', '1']);
    expect(idsOf(store.get(from(Letter).where({ author: user })))).toEqual(['0', '1']);
    expect(keyOf(user)).toBe(temporary[0]);
  });

  test('is still beside the records that refer to it by its temporary pk when the server has assigned another', () => {
    class Note extends Entity {
      id = '';
      userId = '';
      static override key = 'Note';
      static user = belongsTo(() => User, 'userId');
    }
    const store = new Store();
    const layer = addGuess(store, () => ({ schema: all.push, response: { name: 'new' }, args: [{}] }));
    const temporary = store.get(from(User))?.[0] as User;
    store.write(Note, { id: '1', userId: temporary.id });
    const notes = from(Note).with({ user: Note.user });
    expect(store.get(notes)?.[0]?.user).toBe(temporary);
    layer.confirm(all.push, { id: 'u9', name: 'new' }, { args: [{}] });
    expect(store.get(notes)?.[0]?.user).toBe(store.get(User, 'u9'));
  });

  const runUndone = (store: Store, run: () => void): void =>
    expect(() =>
      store.batch(() => {
        run();
        throw new Error('undone');
      }),
    ).toThrow('undone');

  test('is found by both pks after an undone batch that has reset the store', () => {
    const { store, temporary, confirm } = creating(Letter, 'author');
    const lettersOf = (pk: string): unknown => idsOf(store.get(hasMany(Letter, 'author'), pk));
    confirm();
    expect([lettersOf('u9'), lettersOf(temporary)]).toEqual([['1'], ['1']]);
    runUndone(store, () => store.reset());
    expect([lettersOf('u9'), lettersOf(temporary)]).toEqual([['1'], ['1']]);
    store.write(Letter, { id: '2', author: 'u9' });
    expect([lettersOf('u9'), lettersOf(temporary)]).toEqual([
      ['1', '2'],
      ['1', '2'],
    ]);
  });

  test('is found only by its temporary pk after an undone batch that has restored its pk', () => {
    const { store, temporary } = creating(Letter, 'author');
    const lettersOf = (pk: string): unknown => idsOf(store.get(hasMany(Letter, 'author'), pk));
    const shown = (): unknown => [lettersOf('u9'), lettersOf(temporary)];
    expect(shown()).toEqual([[], ['1']]);
    runUndone(store, () => {
      hydrate(store, { ...dehydrate(new Store()), aliases: [['User', temporary, 'u9']] });
      expect(shown()).toEqual([['1'], ['1']]);
    });
    expect(shown()).toEqual([[], ['1']]);
  });

  test('is joined by its temporary pk also if a function returns its pk', () => {
    class Note extends Entity {
      id = '';
      userId = '';
      static override key = 'Note';
    }
    const store = new Store();
    const layer = addGuess(store, () => ({ schema: all.push, response: { name: 'new' }, args: [{}] }));
    store.write(Note, { id: '1', userId: store.get(from(User))?.[0]?.id });
    store.write(Note, { id: '2', userId: 'new' });
    const byPk = from(Note).join(
      'user',
      User,
      on('userId', (user) => user.id),
    );
    const byName = from(Note).join(
      'user',
      User,
      on('userId', (user) => user.name),
    );
    layer.confirm(all.push, { id: 'u9', name: 'new' }, { args: [{}] });
    const user = store.get(User, 'u9');
    expect(store.get(byPk)?.map((pair) => [pair.id, pair.user])).toEqual([['1', user]]);
    expect(store.get(byName)?.map((pair) => [pair.id, pair.user])).toEqual([['2', user]]);
  });

  test('is found by its temporary pk also if a relation by fields names its field', () => {
    class Note extends Entity {
      id = '';
      userId = '';
      name = '';
      static override key = 'Note';
    }
    const store = new Store();
    const layer = addGuess(store, () => ({ schema: all.push, response: { name: 'new' }, args: [{}] }));
    const same = hasMany(() => Note, { userId: 'id', name: 'name' });
    const read = (): unknown => idsOf(store.get(same, store.get(from(User))?.[0] as User));
    store.write(Note, { id: '1', userId: store.get(from(User))?.[0]?.id, name: 'new' });
    expect(read()).toEqual(['1']);
    layer.confirm(all.push, { id: 'u9', name: 'new' }, { args: [{}] });
    store.write(Note, { id: '2', userId: 'u9', name: 'new' });
    expect(read()).toEqual(['1', '2']);
  });

  /** A user that is being created, and a record with its temporary pk in a field. */
  function creating(entity: typeof Entity, field: string) {
    const store = new Store();
    const layer = addGuess(store, () => ({ schema: all.push, response: { name: 'new' }, args: [{}] }));
    const temporary = store.get(from(User))?.[0]?.id as string;
    store.write(entity, { id: '1', [field]: temporary });
    return { store, temporary, confirm: () => layer.confirm(all.push, { id: 'u9', name: 'new' }, { args: [{}] }) };
  }

  test.each<[string, (pk: string) => unknown]>([
    ['a relation', (pk) => idsOf(asked.get(hasMany(Letter, 'author'), pk))],
    ['a relation that is counted', (pk) => asked.get(hasMany(Letter, 'author').count(), pk)],
    ['a condition', (pk) => idsOf(asked.get(from(Letter).where({ author: pk as never })))],
    [
      'a condition of a part',
      (pk) =>
        idsOf(
          asked.get(
            from(Letter)
              .where({ author: pk as never })
              .limit(5),
          ),
        ),
    ],
    ['the items of another query', (pk) => idsOf(asked.get(from(from(Letter)).where({ author: pk as never })))],
    ['a relation through another', (pk) => idsOf(asked.get(hasMany(Team, through(Letter, 'author', 'team')), pk))],
  ])('is found by a pk alone in %s, whichever pk the records have', (_, read) => {
    const { store, temporary, confirm } = creating(Letter, 'author');
    asked = store;
    store.write([Team], [{ id: 't1' }, { id: 't2' }]);
    store.write(Letter, { id: '1', team: 't1' });
    const values = (): readonly unknown[] => ['u9', temporary].map((pk) => read(pk));
    const [none, one] = values();
    expect(JSON.stringify([none, one])).toMatch(/^\[\[\],\["t?1"\]\]$|^\[0,1\]$/);
    confirm();
    expect(values()).toEqual([one, one]);
    store.write(Letter, { id: '2', author: 'u9', team: 't2' });
    const two =
      store.get(from(Letter).count()) === 2 && typeof one === 'number'
        ? 2
        : [one, one].map((ids, at) => String(ids).replace('1', String(at + 1)));
    expect(values()).toEqual([two, two]);
    store.write(Letter, { id: '1', author: 'u1', team: 't1' });
    store.write(Letter, { id: '2', author: 'u1', team: 't2' });
    expect(values()).toEqual([none, none]);
  });

  test('is joined with the records that have its temporary pk', () => {
    class Note extends Entity {
      id = '';
      userId = '';
      static override key = 'Note';
    }
    const { store, confirm } = creating(Note, 'userId');
    const joined = (): unknown => [
      store.get(from(Note).join('user', User, on('userId', 'id')))?.map(({ id, user }) => [id, user.id]),
      store.get(from(User).join('note', Note, on('id', 'userId')))?.map(({ id, note }) => [note.id, id]),
    ];
    joined();
    confirm();
    expect(joined()).toEqual([[['1', 'u9']], [['1', 'u9']]]);
    store.write(Note, { id: '2', userId: 'u9' });
    expect(joined()).toEqual([
      [
        ['1', 'u9'],
        ['2', 'u9'],
      ],
      [
        ['1', 'u9'],
        ['2', 'u9'],
      ],
    ]);
    store.invalidate(Note, '1');
    expect(joined()).toEqual([[['2', 'u9']], [['2', 'u9']]]);
  });

  class Reply extends Entity {
    id = '';
    userId = '';
    stars = 0;
    static override key = 'Reply';
    static ofUser = hasMany(
      () => Reply,
      ({ userId }) => userId,
    );
  }

  class Profile extends Entity {
    id = '';
    userId = '';
    static override key = 'Profile';
  }

  const profiles = from(Reply)
    .join('profile', Profile, on('userId', 'userId'))
    .select(({ id, profile }) => id + profile.id);
  const others = from(Letter).where({ author: { not: 'u9' } });
  const byField = hasMany(() => Reply, 'userId');
  const looked = from(Reply).where({ stars: arg('stars'), userId: arg('user') });
  const byTwo = hasMany(() => Reply, { stars: 'rating', userId: 'id' });
  const unrated = { stars: 0, user: 'u9' };
  const groups = from(Reply).groupBy('userId', { replies: count() });
  const groupsOfTwo = from(Reply).groupBy(({ userId }) => [userId, 'x'], { replies: count() });
  const values = distinct(from(Reply).select(({ userId }) => userId));
  const sizes = (found: readonly { readonly replies: number }[] | undefined): unknown =>
    found?.map(({ replies }) => replies);

  test.each<[string, (store: Pick<Store, 'get'>) => unknown, readonly unknown[]]>([
    ['in a relation by a function', (store) => idsOf(store.get(Reply.ofUser, 'u9')), [['2'], ['1', '2']]],
    ['in a count by a function', (store) => store.get(Reply.ofUser.count(), 'u9'), [1, 2]],
    ['in a relation by a field', (store) => idsOf(store.get(byField, 'u9')), [['2'], ['1', '2']]],
    ['in a list that two lookups find', (store) => idsOf(store.get(looked, unrated)), [['2'], ['1', '2']]],
    ['in a count of what two lookups find', (store) => store.get(looked.count(), unrated), [1, 2]],
    ['in a relation by two fields', (store) => idsOf(store.get(byTwo, { id: 'u9', rating: 0 })), [['2'], ['1', '2']]],
    ['in groups by a field', (store) => sizes(store.get(groups)), [[1, 1], [2]]],
    ['in a group that is filtered', (store) => sizes(store.get(groups.where({ userId: 'u9' }))), [[1], [2]]],
    ['in groups by several values', (store) => sizes(store.get(groupsOfTwo)), [[1, 1], [2]]],
    ['in distinct values', (store) => store.get(values)?.filter((pk) => pk === 'u9'), [['u9'], ['u9']]],
    ['in a number of values', (store) => store.get(values.count()), [2, 1]],
    [
      'in a join of two plain fields',
      (store) => store.get(profiles),
      [
        ['11', '22'],
        ['11', '12', '21', '22'],
      ],
    ],
    ['in a count of others', (store) => store.get(others.count()), [1, 0]],
    ['in a list of others', (store) => idsOf(store.get(others)), [['1'], []]],
    ['in the first of others', (store) => store.get(others.orderBy('id').one())?.id, ['1', undefined]],
  ])(
    'is the same record under both pks %s, also after an undo, in snapshots and in earlier states',
    (_, read, dues) => {
      const { store, temporary, confirm } = creating(Reply, 'userId');
      store.write(Reply, { id: '2', userId: 'u9' });
      store.write([Profile], [{ id: '1', userId: temporary }, { id: '2', userId: 'u9' }]); // prettier-ignore
      store.write([Letter], [{ id: '1', author: temporary }, { id: '2', author: 'u9' }]); // prettier-ignore
      const [before, after] = dues;
      expect(read(store)).toEqual(before);
      const early = takeSnapshot(store);
      const undone = (): void =>
        store.batch(() => {
          confirm();
          expect(read(store)).toEqual(after);
          throw new Error('undo');
        });
      expect(undone).toThrow('undo');
      expect(read(store)).toEqual(before);
      const rows = new Map<string, Map<string, Commit['shown'][number]['before']>>();
      store.onCommit(({ shown }) => {
        for (const { table, pk, before: was } of shown) memo(rows, table, () => new Map()).set(pk, was);
      });
      confirm();
      expect(read(store)).toEqual(after);
      expect(read(early)).toEqual(before);
      const earlier = new EarlierStore(store.writer.core, rows, new Map());
      const get = (query: never, ...args: unknown[]): unknown => {
        const { isPresent, value } = earlier.get(query, args);
        expect(isPresent).toBe(false);
        return value;
      };
      expect(read({ get: get as Store['get'] })).toEqual(before);
      const late = takeSnapshot(store);
      store.reset();
      expect(read(late)).toEqual(after);
    },
  );

  test('keeps the empty list of its relation while the create of another record is answered', () => {
    const { store, temporary, confirm } = creating(Letter, 'author');
    addGuess(store, () => ({ schema: all.push, response: { name: 'other' }, args: [{}] }));
    const letters = from(User)
      .orderBy('id')
      .with({ letters: hasMany(() => Letter, 'author') });
    const lettersOf = (): unknown => store.get(letters)?.find(({ id }) => id !== temporary && id !== 'u9')?.letters;
    const before = lettersOf();
    expect(before).toEqual([]);
    confirm();
    // The record of the other user is built again.
    store.write(User, { id: store.get(letters)?.find(({ id }) => id !== 'u9')?.id, type: 'changed' });
    expect(lettersOf()).toBe(before);
  });

  test('has one group by a field of numbers, whichever pk the records have', () => {
    class Vote extends Entity {
      id = '';
      userId = 0;
      static override key = 'Vote';
    }
    const store = new Store();
    const layer = addGuess(store, () => ({ schema: all.push, response: { name: 'new' }, args: [{}] }));
    const userId = store.get(from(User))?.[0]?.id;
    store.write([Vote], [{ id: '1', userId }, { id: '2', userId: 9 }]); // prettier-ignore
    const votes = from(Vote).groupBy('userId', { votes: count() });
    expect(store.get(votes)?.map(({ votes: size }) => size)).toEqual([1, 1]);
    layer.confirm(all.push, { id: 9, name: 'new' }, { args: [{}] });
    expect(store.get(votes)).toEqual([{ userId: 9, votes: 2 }]);
  });

  test('is found as before if the answer of its create is undone', () => {
    const { store, temporary, confirm } = creating(Letter, 'author');
    store.write(Letter, { id: '2', author: 'u9' });
    const read = (): unknown =>
      ['u9', temporary].map((pk) => String(idsOf(store.get(hasMany(Letter, 'author').orderBy('id'), pk))));
    const before = read();
    expect(before).toEqual(['2', '1']);
    const undone = (): void =>
      store.batch(() => {
        confirm();
        expect(read()).toEqual(['1,2', '1,2']);
        throw new Error('undo');
      });
    expect(undone).toThrow('undo');
    expect(read()).toEqual(before);
    confirm();
    expect(read()).toEqual(['1,2', '1,2']);
  });

  test('is found by its pk of the server in a snapshot, in a store with an earlier state, and in one that follows the answer', () => {
    const { store, confirm } = creating(Letter, 'author');
    const commits: Commit[] = [];
    store.onCommit((commit) => commits.push(commit));
    const letters = hasMany(Letter, 'author');
    const following = new EarlierStore(store.writer.core, new Map(), new Map());
    const followed = (): unknown => idsOf(following.get(letters, ['u9']).value as readonly Letter[]);
    expect(followed()).toEqual([]);
    confirm();
    for (const commit of commits.splice(0)) following.apply(commit);
    expect(followed()).toEqual(['1']);
    const snapshot = takeSnapshot(store);
    const earlier = new EarlierStore(store.writer.core, new Map(), new Map());
    store.write(Letter, { id: '2', author: 'u9' });
    expect(idsOf(snapshot.get(letters, 'u9'))).toEqual(['1']);
    expect(idsOf(earlier.get(letters, ['u9']).value as readonly Letter[])).toEqual(['1', '2']);
  });

  test('is not found by a temporary pk of before a reset', () => {
    const { store, temporary, confirm } = creating(Letter, 'author');
    const letters = hasMany(Letter, 'author');
    const stop = store.query(letters, ['u9'] as never).subscribe(() => {});
    confirm();
    expect(idsOf(store.get(letters, 'u9'))).toEqual(['1']);
    const undone = (): void =>
      store.batch(() => {
        store.reset();
        store.write(Letter, { id: '2', author: temporary });
        expect([store.get(letters, 'u9'), store.get(Letter, '2')?.author]).toEqual([[], undefined]);
        throw new Error('undo');
      });
    expect(undone).toThrow('undo');
    expect(idsOf(store.get(letters, 'u9'))).toEqual(['1']);
    store.reset();
    store.write(Letter, { id: '2', author: temporary });
    expect([store.get(letters, 'u9'), store.get(Letter, '2')?.author]).toEqual([[], undefined]);
    stop();
  });

  test('is shown by the records that refer to it, also by those of a class that hot reload has replaced', () => {
    class Later extends User {}
    class LaterLetter extends Letter {
      static override schema = { author: Later, team: Team };
      static writer = belongsTo(() => Later, 'author');
    }
    const { store, temporary, confirm } = creating(Letter, 'author');
    class Note extends Entity {
      id = '';
      userId = '';
      static override key = 'Note';
      static user = belongsTo(() => Later, 'userId');
    }
    store.write(Note, { id: 'n', userId: temporary });
    const notes = from(Note).with({ user: Note.user });
    const later = new All(Later);
    const read = (): readonly unknown[] => [
      store.get(LaterLetter, '1')?.author,
      store.get(notes)?.[0]?.user,
      store.get(later)?.at(-1),
    ];
    for (const user of read()) expect(user).toMatchObject({ id: temporary, name: 'new' });
    confirm();
    const user = store.get(Later, 'u9') as User;
    expect(user).toBeInstanceOf(Later);
    expect(keyOf(user)).toBe(temporary);
    for (const one of read()) expect(one).toBe(user);
  });

  test('is found beside one that is still being created, and in a table with an order', () => {
    class Note extends Entity {
      id = '';
      userId = '';
      static override key = 'Note';
      static override indexes = ['userId'] as const;
    }
    const { store, confirm } = creating(Note, 'userId');
    addGuess(store, () => ({ schema: all.push, response: { name: 'other' }, args: [{}] }));
    const pending = store.get(from(User))?.[1]?.id as string;
    store.write(Note, { id: '2', userId: pending });
    const sorted = from(Note).orderBy('userId').limit(5);
    const read = (pk: string): unknown => idsOf(store.get(hasMany(Note, 'userId'), pk));
    expect([read('u9'), read(pending), store.get(sorted)?.length]).toEqual([[], ['2'], 2]);
    confirm();
    expect([read('u9'), read(pending), store.get(sorted)?.length]).toEqual([['1'], ['2'], 2]);
  });

  test('is found by its index of several fields', () => {
    class Seat extends Entity {
      id = '';
      userId = '';
      place = '';
      static override key = 'Seat';
      static override indexes = [{ unique: ['userId', 'place'] }] as const;
    }
    const { store, confirm } = creating(Seat, 'userId');
    store.write(Seat, { id: '1', place: 'a' });
    const read = (): unknown => store.get(Seat, { userId: 'u9', place: 'a' });
    expect(read()).toBeUndefined();
    confirm();
    expect(read()).toBe(store.get(Seat, '1'));
  });

  test('has the descendants that refer to it by either pk, also if it is read by its pk before the answer', () => {
    const store = new Store();
    const categories: Collection = new Collection([Category]);
    const layer = addGuess(store, () => ({ schema: categories.push, response: {}, args: [{}] }));
    const temporary = store.get(from(Category))?.[0]?.id as string;
    store.write(Category, { id: 'below', parentId: temporary });
    expect(idsOf(store.get(Category.descendants, 'c9'))).toEqual([]);
    layer.confirm(categories.push, { id: 'c9' }, { args: [{}] });
    expect(idsOf(store.get(Category.descendants, 'c9'))).toEqual(['below']);
    store.write(Category, { id: 'deep', parentId: 'below' });
    expect(idsOf(store.get(Category.descendants, 'c9'))).toEqual(['below', 'deep']);
  });

  test('has the descendants that refer to it by either pk', () => {
    const store = new Store();
    const categories: Collection = new Collection([Category]);
    store.write(Category, { id: 'root' });
    const layer = addGuess(store, () => ({ schema: categories.push, response: { parentId: 'root' }, args: [{}] }));
    const [made] = store.get(Category.descendants, 'root') ?? [];
    store.write(Category, { id: 'below', parentId: made?.id as string });
    layer.confirm(categories.push, { id: 'c9', parentId: 'root' }, { args: [{}] });
    store.write(Category, { id: 'later', parentId: 'c9' });
    expect(idsOf(store.get(Category.descendants, 'root'))).toEqual(['c9', 'below', 'later']);
    expect(idsOf(store.get(Category.ancestors, 'below'))).toEqual(['c9', 'root']);
  });
});

test('nothing refers to a record without a pk', () => {
  expect(valueNames(User.fromJS({ id: '1' }))).toEqual(['1']);
  expect(valueNames(User.fromJS())).toEqual([]);
});

test('a list in lists has the names of all of its values, however deep', () => {
  const nested = Array.from({ length: 20_000 }).reduce((inner) => [inner, 'b'], 'a');
  expect(valueNames(nested)).toEqual(['a', 'b']);
});

describe('a number that was rounded refers to no record', () => {
  class Sender extends Entity {
    id = '';
    code = 0;
    static override key = 'Sender';
    static items = hasMany(() => Parcel, 'ownerId');
    static coded = hasMany(() => Parcel, { ownerId: 'code' });
    static linked = hasMany(
      () => Parcel,
      through(() => Label, 'ownerId', 'itemId'),
    );
  }
  class Parcel extends Entity {
    id = '';
    ownerId = 0;
    static override key = 'Parcel';
    static owner = belongsTo(() => Sender, 'ownerId');
    static below = descendants(() => Parcel, 'ownerId');
  }
  class Label extends Entity {
    id = '';
    ownerId = 0;
    itemId = '';
    static override key = 'Label';
  }

  test.each([2 ** 53, Infinity])('%s', (rounded) => {
    const store = new Store();
    const pk = String(rounded);
    store.write(Sender, { id: pk, code: rounded });
    store.write(Parcel, { id: '1', ownerId: rounded });
    store.write(Parcel, { id: pk, ownerId: 5 });
    store.write(Label, { id: 'l', ownerId: rounded, itemId: '1' });
    store.write(Label, { id: 'm', ownerId: 5, itemId: rounded });

    const owner = store.get(Sender, { id: pk }) as Sender;
    expect(store.get(Sender.items, owner)).toEqual([]);
    expect(store.get(Sender.coded, owner)).toEqual([]);
    expect(store.get(Sender.linked, owner)).toEqual([]);
    expect(store.get(Sender.linked, 5)).toEqual([]);
    expect(store.get(Parcel.below, pk)).toEqual([]);
    expect(store.get(Parcel.owner, store.get(Parcel, { id: '1' }) as Parcel)).toBeUndefined();
    expect(store.get(from(Parcel).join('owner', Sender, on('ownerId', 'id')))).toEqual([]);
    // As a value it is what it is.
    expect(store.get(from(Parcel).where({ ownerId: rounded }))).toHaveLength(1);
    expect(store.get(from(Parcel).where({ ownerId: arg('ownerId') }), { ownerId: rounded })).toHaveLength(1);
  });
});

test('a field with a list of refs refers to each of them, and an empty text or false to none', () => {
  expect(referredPks(['1', '', 2, ['3', false]])).toEqual(['1', '2', '3']);
  expect(referredPks('')).toEqual([]);
});
