import { describe, expect, test } from 'vitest';
import { hasMany } from '../../index.ts';
import { Entity } from '../../define/schema/entity.ts';
import { Collection } from '../../define/schema/collection.ts';
import type { Row } from '../../define/schema/row.ts';
import type { Commit } from '../store/commit.ts';
import { EarlierStore } from '../store/earlier-store.ts';
import type { KeptRows } from '../store/kept-states.ts';
import { Store } from '../store/store.ts';

class User extends Entity {
  id = '';
  name = '';
  best: Post | undefined = undefined;
  static override key = 'User';
  static override schema: Record<string, unknown> = {};
}
class Tag extends Entity {
  id = '';
  label = '';
  static override key = 'Tag';
}
class Post extends Entity {
  id = '';
  title = '';
  author: User | undefined = undefined;
  tags: readonly Tag[] = [];
  static override key = 'Post';
  static override schema = { author: User, tags: [Tag] };
}
User.schema = { best: Post };
const posts = new Collection([Post]);

/** A store, and the same store with some rows as they were. */
function scene(rows: Readonly<Record<string, Readonly<Record<string, Row>>>> = {}) {
  const store = new Store();
  const commits: Commit[] = [];
  const [ann, bob] = [
    { id: 'u', name: 'Ann' },
    { id: 'v', name: 'Bob' },
  ];
  store.write(posts, [
    { id: '1', title: 'a', author: ann, tags: [{ id: 't' }, { id: 's' }] },
    { id: '2', title: 'b', author: bob, tags: [{ id: 't' }] },
    { id: '3', title: 'c', author: bob },
  ]);
  store.onCommit((commit) => commits.push(commit));
  const present = (id: string): Post | undefined => store.get(Post, { id });
  const kept: KeptRows = new Map(Object.entries(rows).map(([table, pks]) => [table, new Map(Object.entries(pks))]));
  const list = store.get(posts);
  const earlierStore = new EarlierStore(store.writer.core, kept, new Map());
  const earlier = (id: string, of: typeof Post = Post): Post | undefined =>
    earlierStore.get(of, [{ id }]).value as Post | undefined;
  const write = (schema: typeof User | typeof Post, record: object): void => {
    store.write(schema, record);
    present('1');
    present('2');
    earlierStore.apply(commits.at(-1) as Commit);
  };
  return { store, list, earlierStore, present, earlier, write };
}

describe('a store with some rows in an earlier state', () => {
  test('has the objects of the store for records and lists that do not differ', () => {
    const { earlierStore, list, present, earlier } = scene();
    expect(earlier('1')).toBe(present('1'));
    expect(earlierStore.get(posts, []).value).toBe(list);
  });

  test('has other objects for the records that differ and for those that contain them', () => {
    const { earlierStore, present, earlier } = scene({ User: { u: { id: 'u', name: 'before' } } });
    expect(earlier('1')?.author?.name).toBe('before');
    expect(earlier('1')).not.toBe(present('1'));
    expect(earlier('1')?.tags[0]).toBe(present('1')?.tags[0]);
    expect(earlier('2')).toBe(present('2'));
    const list = earlierStore.get(posts, []).value as readonly Post[];
    expect(list[1]).toBe(present('2'));
    expect(list[0]).toBe(earlier('1'));
  });

  test('has the objects of the store again after later changes, and keeps its own where they differ', () => {
    const { present, earlier, write } = scene({ User: { u: { id: 'u', name: 'before' } } });
    const [first, last] = [earlier('1'), earlier('2')];
    write(User, { id: 'v', name: 'Bea' });
    expect(earlier('2')?.author?.name).toBe('Bea');
    expect(earlier('2')).toBe(present('2'));
    expect(earlier('2')).not.toBe(last);
    expect(earlier('1')).toBe(first);
    write(Post, { id: '1', title: 'new' });
    expect(earlier('1')).toMatchObject({ title: 'new', author: { name: 'before' } });
    expect(earlier('1')?.author).toBe(first?.author);
  });

  test('has the objects of the store in a circle, unless a record of the circle differs', () => {
    const circle = { id: 'u', name: 'Ann', best: '1' };
    const whole = scene();
    whole.write(User, circle);
    expect(whole.earlier('1')).toBe(whole.present('1'));
    expect(whole.earlier('1')?.author?.best).toBe(whole.present('1'));
    const { earlier, present } = scene({ User: { u: { id: 'u', name: 'before', best: '1' } } });
    expect(earlier('1')?.author?.best).toBe(earlier('1'));
    expect(earlier('1')?.author?.name).toBe('before');
    expect(present('1')?.author?.best).toBeUndefined();
  });

  test('builds its own values for another class of the table', () => {
    class Summary extends Entity {
      id = '';
      title = '';
      static override key = 'Post';
    }
    const { earlier, earlierStore, present } = scene();
    const summary = earlierStore.get(Summary, [{ id: '1' }]).value;
    expect(summary).toBeInstanceOf(Summary);
    expect(summary).not.toBeInstanceOf(Post);
    expect(earlier('1')).toBeInstanceOf(Post);
    expect(earlier('1')).toEqual(present('1'));
  });

  test('builds values that the store cannot build at present', () => {
    class Strict extends Entity {
      id = '';
      static override key = 'Strict';
      static override fromJS<T extends typeof Entity>(this: T, props: object = {}): InstanceType<T> {
        if ('isBroken' in props) throw new Error('broken');
        return super.fromJS(props) as InstanceType<T>;
      }
    }
    class Holder extends Entity {
      id = '';
      strict = Strict.fromJS();
      static override key = 'Holder';
      static override schema = { strict: Strict };
    }
    const store = new Store();
    store.write(Holder, { id: '1', strict: { id: 's' } });
    store.write(Holder, { id: '2', strict: { id: 'gone' } });
    const [one, two] = [store.get(Holder, { id: '1' }), store.get(Holder, { id: '2' })];
    store.write(Strict, { id: 's', isBroken: true });
    store.invalidate(Strict, 'gone');
    expect(() => store.get(Holder, { id: '1' })).toThrow('broken');
    expect(store.get(Holder, { id: '2' })).toBeUndefined();
    const rows = new Map(['s', 'gone'].map((id) => [id, { id }]));
    const earlier = new EarlierStore(store.writer.core, new Map([['Strict', rows]]), new Map());
    expect(earlier.get(Holder, [{ id: '1' }]).value).toEqual(one);
    expect(earlier.get(Holder, [{ id: '2' }]).value).toEqual(two);
  });

  test('reads the relations of a record in the earlier state', () => {
    class Book extends Entity {
      id = '';
      authorId = '';
      static override key = 'Book';
    }
    class Author extends Entity {
      id = '';
      books: readonly Book[] = [];
      static override key = 'Author';
      static override schema = { books: hasMany(() => Book, 'authorId') };
    }
    for (const isRead of [true, false]) {
      const store = new Store();
      store.write(
        [Book],
        [
          { id: '1', authorId: '7' },
          { id: '2', authorId: '7' },
        ],
      );
      store.write(Author, { id: '7' });
      const present = store.get(Author, { id: '7' });
      if (isRead) expect(present?.books).toHaveLength(2);
      const rows = new Map([['2', { id: '2', authorId: '8' }]]);
      const earlier = new EarlierStore(store.writer.core, new Map([['Book', rows]]), new Map());
      expect((earlier.get(Author, [{ id: '7' }]).value as Author).books).toHaveLength(1);
      expect(present?.books).toHaveLength(2);
    }
  });
});
