import { describe, expect, it } from 'vitest';
import { User } from '../../../tests/model.ts';
import { All, Collection, Entity, Query, Scalar, Store, Union } from '../../index.ts';
import { addGuess } from './layer.ts';
class Post extends Entity {
  id = '';
  author: User | undefined = undefined;
  share: number | undefined = undefined;
  static override key = 'Post';
  static override schema = {
    author: User,
    share: new Scalar({ key: 'share', lens: (args: readonly { readonly in?: string }[]) => args[0]?.in }),
  };
}
const posts: Collection = new Collection([Post], { argsKey: () => ({}) });

function filled(): Store {
  const store = new Store();
  store.write(User, { id: 'u' }, { expiresAt: 10 });
  store.write(posts, [{ id: '1', author: 'u' }], { args: [{}], expiresAt: 50 });
  store.write(Post, { id: '2' }, { expiresAt: 30 });
  return store;
}

describe('the value of rows is fresh', () => {
  it('as long as the record is, independent of nested records', () => {
    const store = filled();
    expect([store.expiresAt(User, 'u'), store.expiresAt(Post, '1'), store.expiresAt(Post, { id: 2 })]).toEqual([
      10, 50, 30,
    ]);
    expect(store.expiresAt(Post, { id: '2', in: 'a' })).toBe(30);
  });

  it('no more if its time of expiry is no number, or before all times', () => {
    const store = new Store();
    for (const expiresAt of [Number.NaN, Number.NEGATIVE_INFINITY, -1]) {
      store.write(User, { id: 'u' }, { expiresAt });
      expect(store.expiresAt(User, 'u')).toBe(1);
    }
  });

  it('as long as the list is, and every record in it', () => {
    const store = filled();
    expect(store.expiresAt(posts, {})).toBe(50);
    store.write(Post, { id: '1' }, { expiresAt: 40 });
    expect(store.expiresAt(posts, {})).toBe(40);
    expect(store.expiresAt(posts, { in: 'a' })).toBe(40);
    store.write(posts.push, { id: '3' }, { args: [{}], expiresAt: 60 });
    store.write(Post, { id: '1' }, { expiresAt: 70 });
    expect(store.expiresAt(posts, {})).toBe(60);
  });

  it('as long as everything that a query, a union or a join has read', () => {
    const store = filled();
    expect(store.expiresAt(new All(Post))).toBe(30);
    expect(store.expiresAt(new Query(new All(Post), (all) => all.length))).toBe(30);
    expect(store.expiresAt(new All(new Union({ p: Post, u: User }, () => 'p') as never))).toBe(10);
  });

  it('as long as those members that are records', () => {
    const store = filled();
    store.write(posts, ['1', null, '9'], { args: [{}], expiresAt: 80 });
    expect(store.expiresAt(posts, {})).toBe(50);
  });

  it('not at all after the clock was set back', () => {
    let now = 100;
    const store = new Store({ now: () => now });
    store.write(Post, { id: '1' }, { expiresAt: 200 });
    expect(store.expiresAt(Post, '1')).toBe(200);
    now = 50;
    expect(store.expiresAt(Post, '1')).toBe(0);
  });

  it('for ever if there is no record, or only an optimistic one', () => {
    const store = filled();
    expect([store.expiresAt(Post, '9'), store.expiresAt(new All(Post))]).toEqual([Number.POSITIVE_INFINITY, 30]);
    addGuess(store, () => ({ schema: Post, response: { id: '9' } }));
    addGuess(store, () => ({ schema: Post, response: { id: '2' } }));
    expect([store.expiresAt(Post, '9'), store.expiresAt(Post, '2')]).toEqual([Number.POSITIVE_INFINITY, 30]);
  });

  it('as long as the last answer says, although it changed nothing', () => {
    const store = filled();
    const before = store.get(Post, '2');
    store.write(Post, { id: '2' }, { expiresAt: 90 });
    expect(store.get(Post, '2')).toBe(before);
    expect(store.expiresAt(Post, '2')).toBe(90);
  });
});
