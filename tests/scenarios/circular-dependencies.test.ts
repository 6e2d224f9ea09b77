import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { Entity, Lazy, Store } from '../../src/index.ts';
import { respond } from './respond.ts';
import { Post, User } from '../seed/circular.ts';

const getUser = () => ({
  id: '23',
  name: 'Ann',
  createdAt: '2024-05-06T07:08:09Z',
  posts: [
    { id: '1', title: 'On relations', author: { id: '23', name: 'Ann', createdAt: '2024-05-06T07:08:09Z' } },
    { id: '2', title: 'On joins', author: '23' },
  ],
});

describe('Circular dependencies', () => {
  test('entities refer to each other once the schema of one is assigned after both are defined', () => {
    const user = respond<User>(new Store(), User, getUser(), [{ id: '23' }]);

    expect(user.posts.map((post) => post.title)).toEqual(['On relations', 'On joins']);
    expect(user.posts[0]?.author).toBe(user);
    expect(user.posts[1]?.author).toBe(user);
  });

  test('entries spread into the assigned schema keep working', () => {
    const user = respond<User>(new Store(), User, getUser(), [{ id: '23' }]);

    expect(user.createdAt).toBeInstanceOf(Temporal.Instant);
    expect(user.createdAt.toString()).toBe('2024-05-06T07:08:09Z');
    expect(User.fromJS().createdAt.epochMilliseconds).toBe(0);
  });

  test('assigning a schema replaces the old one, also for a store that has read the class before', () => {
    class Tag extends Entity {
      id = '';
      since: unknown = undefined;
      top: unknown = undefined;
      static override key = 'Tag';
      static override schema: Record<string, unknown> = { since: Temporal.Instant.from };
    }
    const store = new Store();
    const before = respond<Tag>(store, Tag, { id: 'a', since: '2020-01-01T00:00:00Z' });
    expect(before.since).toBeInstanceOf(Temporal.Instant);

    Tag.schema = { top: Post };
    const after = respond<Tag>(store, Tag, { id: 'b', since: '2020-01-01T00:00:00Z', top: { id: '7', title: 'Top' } });

    expect(after.since).toBe('2020-01-01T00:00:00Z');
    expect(after.top).toBe(store.get(Post, { id: '7' }));
  });

  test('Lazy defers a relation: refs stay in the field, and are resolved on demand', () => {
    class Author extends Entity {
      id = '';
      name = '';
      books: unknown = [];
      static override key = 'Author';
      static override schema: Record<string, unknown> = {};
    }
    class Book extends Entity {
      id = '';
      title = '';
      author = Author.fromJS();
      static override key = 'Book';
      static override schema: Record<string, unknown> = { author: Author };
    }
    const books = new Lazy([Book]);
    Author.schema = { books };
    const store = new Store();
    const author = respond<Author>(store, Author, {
      id: '1',
      name: 'Ann',
      books: [{ id: '7', title: 'Joins', author: '1' }],
    });

    const [book] = store.get(books.query, author.books as string[]) as Book[];

    expect(author.books).toEqual(['7']);
    expect(book).toBe(store.get(Book, { id: '7' }));
    expect(book?.author).toBe(author);
  });

  test('a record with a lazy relation does not change when a related record changes', () => {
    class Leaf extends Entity {
      id = '';
      text = '';
      static override key = 'Leaf';
    }
    class Branch extends Entity {
      id = '';
      leaf: unknown = undefined;
      static override key = 'Branch';
      static override schema = { leaf: new Lazy(Leaf) };
    }
    const store = new Store();
    const branch = respond<Branch>(store, Branch, { id: 'b', leaf: { id: 'l', text: 'green' } });
    const leaf = store.get(Branch.schema.leaf.query, branch.leaf as string) as Leaf;

    store.write(Leaf, { id: 'l', text: 'brown' });

    expect(store.get(Branch, { id: 'b' })).toBe(branch);
    expect(store.get(Branch.schema.leaf.query, branch.leaf as string)).not.toBe(leaf);
  });
});
