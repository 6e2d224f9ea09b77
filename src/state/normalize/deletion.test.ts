import { describe, expect, it } from 'vitest';
import { User } from '../../../tests/model.ts';
import { Collection, Entity, INVALID, Invalidate, Store, Union, Values } from '../../index.ts';
import { addGuess } from '../store/layer.ts';
import { restore } from '../store/restore.ts';
class Post extends Entity {
  id = '';
  kind = 'post';
  author: User | undefined = undefined;
  static override key = 'Post';
  static override schema = { author: User };
}
class Video extends Entity {
  id = '';
  kind = 'video';
  static override key = 'Video';
}
class Feed extends Entity {
  id = '';
  posts: Post[] = [];
  static override key = 'Feed';
  static override schema = { posts: new Collection([Post], { nestKey: (feed: Feed) => ({ feed: feed.id }) }) };
}
const posts: Collection = new Collection([Post]);
const byName: Collection = new Collection(new Values(Post));
const media: Collection = new Collection([new Union({ post: Post, video: Video }, 'kind')]);
const all = { args: [{}] };

describe('a deleted record', () => {
  it('reads as invalid until a later answer restores it', () => {
    const store = new Store();
    store.write(User, { id: 'u1', name: 'a' });
    store.invalidate(User, 'u1');
    expect(store.row('User', 'u1')).toBe(INVALID);
    expect(store.get(User, 'u1')).toBeUndefined();
    expect(store.query(User, ['u1']).current()).toBe(INVALID);
    store.write(User, { id: 'u1', name: 'b' });
    expect(store.get(User, 'u1')).toMatchObject({ name: 'b' });
  });

  it('may refer to itself', () => {
    class Node extends Entity {
      id = '';
      next: unknown = undefined;
      static override key = 'Node';
      static override schema: Record<string, unknown> = {};
    }
    Node.schema = { next: Node };
    const store = new Store();
    store.write(Node, { id: '1', next: '1' });
    store.get(Node, '1');
    store.invalidate(Node, '1');
    expect(store.get(Node, '1')).toBeUndefined();
  });

  it('may refer to itself and be read as two classes', () => {
    class Person extends Entity {
      id = '';
      best: unknown = undefined;
      static override key = 'Person';
      static override schema: Record<string, unknown> = {};
    }
    class Summary extends Entity {
      id = '';
      static override key = 'Person';
    }
    Person.schema = { best: Person };
    const store = new Store();
    store.write(Summary, { id: '1', best: '1' });
    store.get(Summary, { id: '1' });
    store.get(Person, { id: '1' });
    store.invalidate(Person, '1');
    expect(store.get(Person, { id: '1' })).toBeUndefined();
  });

  it('does not remove a record of another table with the same pk', () => {
    const users: Collection = new Collection([User]);
    const store = new Store();
    store.write(users, [{ id: '1' }], all);
    store.write({ posts, users, gone: new Invalidate(Post) }, { posts: ['1'], users: ['1', '2'], gone: '1' }, all);
    expect(store.row('[User]', '{}')).toEqual(['1', '2']);
    expect(store.row('[Post]', '{}')).toEqual([]);
    store.write(Post, { id: '1' });
    const guess = addGuess(store, () => ({ schema: users.push, response: { id: '3' }, ...all }));
    store.invalidate(Post, '1');
    guess.drop();
    expect(store.row('[User]', '{}')).toEqual(['1', '2']);
  });

  it('that was never stored is known to be deleted', () => {
    const store = new Store();
    store.invalidate(User, 7);
    expect(store.row('User', '7')).toBe(INVALID);
    expect(store.stats()).toMatchObject({ rows: 0, tables: 1 });
  });

  it('without a pk is an error', () => {
    const store = new Store();
    expect(() => store.invalidate(User, '')).toThrow(expect.objectContaining({ code: 'pk-missing', entity: 'User' }));
    expect(() => store.invalidate(User, Number.NaN)).toThrow(expect.objectContaining({ code: 'pk-invalid' }));
  });

  it('leaves every stored list and map that holds it, and no other', () => {
    const store = new Store();
    store.write(posts, [{ id: 'p1' }, { id: 'p2' }], all);
    store.write(posts, ['p2'], { args: [{ page: 1 }] });
    store.write(byName, { first: { id: 'p1' }, second: { id: 'p2' } }, all);
    store.write(Feed, { id: 'f', posts: ['p2', 'p1'] });
    const other = store.row(posts.key, '{"page":"1"}');

    store.write(new Invalidate(Post), { id: 'p1' });

    expect(store.row(posts.key, '{}')).toEqual(['p2']);
    expect(store.row(byName.key, '{}')).toEqual({ second: 'p2' });
    expect(store.row(posts.key, '{"feed":"f"}')).toEqual(['p2']);
    expect(store.row(posts.key, '{"page":"1"}')).toBe(other);
  });

  it('is in none of these lists after it is restored', () => {
    const store = new Store();
    store.write(posts, [{ id: 'p1' }, { id: 'p2' }], all);
    store.invalidate(Post, 'p1');
    store.write(Post, { id: 'p1' });
    expect(store.get(posts, {})).toEqual([store.get(Post, 'p2')]);
  });

  it('stays a reference in other rows, whose records read undefined there', () => {
    const store = new Store();
    store.write(Post, { id: 'p1', author: { id: 'u1' } });
    store.invalidate(User, 'u1');
    expect(store.row('Post', 'p1')).toEqual({ id: 'p1', author: 'u1' });
    expect(store.get(Post, 'p1')).toMatchObject({ author: undefined });
  });

  it('leaves lists that were read, changed since, and read in other variants', () => {
    const store = new Store();
    store.write(posts, [{ id: 'p1' }, { id: 'p2' }, { id: 'p3' }], all);
    store.get(posts, {});
    store.write(posts, ['p3', 'p2', 'p1'], all);
    store.invalidate(Post, 'p2');
    expect(store.get(posts, {})).toEqual([store.get(Post, 'p3'), store.get(Post, 'p1')]);
  });

  it('that is in a list twice is removed from both places', () => {
    const store = new Store();
    store.write(posts, [{ id: 'p1' }, { id: 'p2' }, { id: 'p1' }], all);
    store.invalidate(Post, 'p1');
    expect(store.row(posts.key, '{}')).toEqual(['p2']);
  });

  it('leaves a list of which another member was deleted in the same batch, and a deleted list stays as it is', () => {
    const store = new Store();
    store.write(posts, [{ id: 'p1' }, { id: 'p2' }], all);
    store.batch(() => {
      store.invalidate(Post, 'p1');
      store.invalidate(Post, 'p2');
    });
    expect(store.row(posts.key, '{}')).toEqual([]);
    store.write(posts, [{ id: 'p1' }], all);
    store.invalidate(posts, '{}');
    store.invalidate(Post, 'p1');
    expect(store.row(posts.key, '{}')).toBe(INVALID);
  });
});

describe('a list of several classes', () => {
  it('is left by the record of the deleted class, and by no other with its pk', () => {
    const store = new Store();
    store.write(
      media,
      [
        { kind: 'post', id: '1' },
        { kind: 'video', id: '1' },
        { kind: 'advert', id: '1' },
        { kind: 'video', id: '2' },
      ],
      all,
    );
    store.get(media, {});
    store.write(new Invalidate(Video), { id: '1' });
    expect(store.row(media.key, '{}')).toEqual([
      { id: '1', schema: 'post' },
      { kind: 'advert', id: '1' },
      { id: '2', schema: 'video' },
    ]);
  });

  it('that arrives late is taken as it is', () => {
    const store = new Store();
    const request = store.begin();
    store.invalidate(Video, '9');
    store.write(media, [{ kind: 'video', id: '2' }], { ...all, request });
    expect(store.row(media.key, '{}')).toEqual([{ id: '2', schema: 'video' }]);
  });
});

describe('a map', () => {
  it('that arrives late is taken as it is', () => {
    const store = new Store();
    const request = store.begin();
    store.write(User, { id: 'u1' });
    store.write(byName, { first: { id: 'p1' } }, { ...all, request });
    expect(store.row(byName.key, '{}')).toEqual({ first: 'p1' });
  });
});

describe('a restored list', () => {
  const stamp = { issue: 0, fetchedAt: 0, date: 0, expiresAt: 0 };

  it('loses deleted members before it was read', () => {
    const store = new Store();
    restore(store.writer, [{ table: posts.key, pk: '{}', row: ['p1', null, 'p2'], stamp }], []);
    restore(store.writer, [{ table: byName.key, pk: '{}', row: { a: 'p1' }, stamp }], []);
    store.invalidate(Post, 'p1');
    expect(store.row(posts.key, '{}')).toEqual([null, 'p2']);
    expect(store.row(byName.key, '{}')).toEqual({});
    restore(store.writer, [{ table: posts.key, pk: '{"page":"1"}', row: ['p3', null, 5, 'p3'], stamp }], []);
    store.invalidate(Post, 'p3');
    expect(store.row(posts.key, '{"page":"1"}')).toEqual([null, 5]);
  });

  it('loses deleted members when a schema knows its class by now, although it was never read', () => {
    const store = new Store();
    restore(store.writer, [{ table: posts.key, pk: '{}', row: ['p1', 'p2'], stamp }], []);
    store.write(posts, [{ id: 'p3' }], { args: [{ page: 1 }] });
    store.invalidate(Post, 'p1');
    expect(store.row(posts.key, '{}')).toEqual(['p2']);
  });

  it('may hold values that no schema of the library makes', () => {
    const store = new Store();
    const odd = [{ id: '1' }, { id: '1', schema: 'toString' }, { id: '1', schema: 5 }, 7, null];
    restore(store.writer, [{ table: media.key, pk: '{}', row: odd, stamp }], []);
    store.write(Post, { id: '1' });
    store.get(media, {});
    store.invalidate(Post, '1');
    expect(store.row(media.key, '{}')).toEqual(odd);
  });
});

it('a record that arrives unchanged with a deletion stays the same object', () => {
  const store = new Store();
  store.write(posts, [{ id: '1' }, { id: '2' }], { args: [{}] });
  const before = store.get(Post, '2');
  store.write({ gone: new Invalidate(Post), same: Post }, { gone: '1', same: { id: '2' } });
  expect(store.get(Post, '2')).toBe(before);
  expect(store.get(posts, {})).toEqual([before]);
});

it('a deleted record leaves lists that show it as another class of its key', () => {
  class Summary extends Entity {
    id = '';
    static override key = 'Post';
  }
  const store = new Store();
  store.write(Post, { id: '1' });
  const summaries = new Collection([Summary]);
  store.write(summaries, [{ id: '1' }, { id: '2' }], all);
  expect(store.get(summaries, {})).toEqual([expect.any(Summary), expect.any(Summary)]);
  store.invalidate(Post, '1');
  expect(store.row(summaries.key, '{}')).toEqual(['2']);
});

describe('a deletion', () => {
  const stamp = { issue: 0, fetchedAt: 0, date: 0, expiresAt: 0 };

  it('removes a record from a list under each of its pks', () => {
    const store = new Store();
    const lists = [
      { table: posts.key, pk: '{}', row: ['temporary', '5', '6'], stamp },
      { table: posts.key, pk: '{"page":"2"}', row: ['5', '7', 'temporary'], stamp },
    ];
    restore(store.writer, lists, [], { aliases: [{ table: 'Post', temporary: 'temporary', pk: '5' }] });
    store.invalidate(Post, '5');
    expect(lists.map(({ pk }) => store.row(posts.key, pk))).toEqual([['6'], ['7']]);

    restore(store.writer, [{ table: posts.key, pk: '{"page":"3"}', row: ['temporary', '6', '8'], stamp }], []);
    store.batch(() => {
      store.invalidate(Post, '5');
      store.invalidate(Post, '6');
    });
    expect(store.row(posts.key, '{"page":"3"}')).toEqual(['8']);
  });

  it('leaves the fields of other records as they are, also of a class that nothing has read', () => {
    const store = new Store();
    restore(store.writer, [{ table: 'Note', pk: '1', row: { id: '1', post: 'p1' }, stamp }], []);
    store.write(User, { id: 'u1', name: 'p1' });
    const guess = addGuess(store, () => ({ schema: User, response: { id: 'u1', name: 'guessed' } }));
    store.invalidate(Post, 'p1');
    guess.drop();
    expect(store.row('Note', '1')).toEqual({ id: '1', post: 'p1' });
    expect(store.row('User', 'u1')).toEqual({ id: 'u1', name: 'p1' });
  });

  it('in a guess does not take the record from the list for a later guess that restores it', () => {
    const store = new Store();
    store.write(posts, [{ id: '1' }, { id: '2' }, { id: '3' }], all);
    const read = (): unknown => (store.get(posts, {}) as Post[]).map(({ id }) => id);
    addGuess(store, (snapshot) => {
      snapshot.get(posts, {});
      return { schema: new Invalidate(Post), response: '2' };
    });
    expect(read()).toEqual(['1', '3']);
    addGuess(store, () => ({ schema: Post, response: { id: '2' } }));
    expect(read()).toEqual(['1', '2', '3']);
    addGuess(store, (snapshot) => {
      snapshot.get(posts, {});
      return { schema: { gone: new Invalidate(Post), again: Post }, response: { gone: '3', again: { id: '3' } } };
    });
    expect(read()).toEqual(['1', '2', '3']);
  });

  it('is complete after a write with a deletion from the same list has failed', () => {
    const store = new Store();
    store.write(posts, [{ id: '1' }], all);
    class Refused extends Entity {
      id = '';
      static override key = 'Refused';
      static override validate(): string {
        return 'refused';
      }
    }
    const schema = { posts, gone: new Invalidate(Post), refused: Refused };
    const input = { posts: [{ id: '2' }, { id: '3' }], gone: '2', refused: { id: '1' } };
    expect(() => store.write(schema, input, all)).toThrow('refused');
    store.invalidate(Post, '1');
    store.write(Post, { id: '1' });
    expect(store.row(posts.key, '{}')).toEqual([]);
  });

  it('does not take a record that has changed since from a list that arrives late', () => {
    const store = new Store();
    const request = store.begin();
    store.write(Post, { id: '1' });
    store.invalidate(Post, '2');
    store.write(posts, [{ id: '1' }, { id: '2' }], { ...all, request });
    expect(store.row(posts.key, '{}')).toEqual(['1']);
  });

  it('that arrives late removes the fields of its own answer, and keeps later ones', () => {
    const store = new Store();
    const request = store.begin();
    store.write(Post, { id: '1', kind: 'later' });
    const answer = { post: { id: '1', author: { id: 'u1' } }, gone: '1' };
    store.write({ post: Post, gone: new Invalidate(Post) }, answer, { request });
    expect(store.row('Post', '1')).toEqual({ id: '1', kind: 'later' });
  });
});
