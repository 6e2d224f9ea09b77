import { describe, expect, it } from 'vitest';
import { Post, User } from '../../../tests/model.ts';
import { Collection, Entity, Store } from '../../index.ts';
import { takeSnapshot } from '../store/store-snapshot.ts';

/** Another class of the table of posts, which does not declare the author, and has this default for it. */
function summaryWith(given: unknown): typeof Entity {
  class Summary extends Entity {
    id = '';
    title = '';
    author: unknown = given;
    static override key = 'Post';
  }
  return Summary;
}
const authorIn = (store: Store, entity: typeof Entity): unknown => (store.get(entity, '1') as Post | undefined)?.author;
const response = { id: '1', author: { id: '7', name: 'Ann' } };

describe('a field of a class that does not declare the relation of another class of its table', () => {
  it.each([[null], [undefined], [{}], [[]]])(
    'shows the record if its default is %o, whichever class is written or read first',
    (given) => {
      const Summary = summaryWith(given);
      const orders: readonly (readonly (typeof Entity)[])[] = [
        [Post, Summary],
        [Summary, Post],
      ];
      for (const order of orders)
        for (const written of order) {
          const store = new Store();
          for (const entity of order) store.get(entity, '1');
          store.write(written, response);
          const user = store.get(User, '7');
          expect(user?.name).toBe('Ann');
          expect(authorIn(store, Post)).toBe(user);
          expect(authorIn(store, Summary)).toBe(user);
        }
    },
  );

  it.each([[''], ['none'], [0], [false]])('stays as it arrived if its default is %o', (given) => {
    const Summary = summaryWith(given);
    const store = new Store();
    store.get(Post, '1');
    store.write(Summary, { id: '1', author: '7' });
    store.write(Post, { id: '2', author: { id: '7', name: 'Ann' } });
    expect(authorIn(store, Summary)).toBe('7');
    expect(authorIn(store, Post)).toBe(store.get(User, '7'));
  });
});

/** Two classes of the table of posts. Each declares a relation that the other one does not. */
class Article extends Entity {
  id = '';
  author: User | undefined = undefined;
  editor: unknown = undefined;
  static override key = 'Post';
  static override schema = { author: User };
}
class Review extends Entity {
  id = '';
  editor: User | undefined = undefined;
  static override key = 'Post';
  static override schema: Record<string, unknown> = { editor: User };
}

describe('when another class of a table declares a relation', () => {
  it('records without this field stay the same objects, and others are built again', () => {
    const store = new Store();
    store.write(
      [Article],
      [
        { id: '1', author: { id: '7' } },
        { id: '2', author: { id: '7' }, editor: { id: '8' } },
      ],
    );
    const [one, two] = ['1', '2'].map((id) => store.get(Article, id));
    expect(two?.editor).not.toBeInstanceOf(User);
    expect(store.get(Review, '2')?.editor).toBe(store.get(User, '8'));
    expect(store.get(Article, '1')).toBe(one);
    expect(store.get(Article, '2')?.editor).toBe(store.get(User, '8'));
  });

  it('and responses nest records in it from then on, a class with relations of its own shows them too', () => {
    const store = new Store();
    store.write(Article, { id: '1', author: { id: '7' }, editor: '8' });
    expect(store.get(Article, '1')?.editor).toBe('8');
    store.write(Review, { id: '2', editor: { id: '8' } });
    expect(store.get(Article, '1')?.editor).toBe(store.get(User, '8'));
  });

  it('a snapshot from before still returns the objects of records with other relations of this class', () => {
    class Draft extends Entity {
      id = '';
      reviewer: User | undefined = undefined;
      static override key = 'Post';
      static override schema = { reviewer: User };
    }
    const store = new Store();
    store.write(Review, { id: '1', editor: { id: '8' } });
    store.write(Article, { id: '2', author: { id: '7' }, editor: '8' });
    const article = store.get(Article, '2');
    const snapshot = takeSnapshot(store);
    store.write(Draft, { id: '3', reviewer: { id: '9' } });
    expect(snapshot.get(Article, '2')).toBe(article);
    expect(store.get(Article, '2')).toBe(article);
  });
});

describe('a static schema that is a getter', () => {
  class Member extends Entity {
    id = '';
    name = '';
    books: readonly Book[] = [];
    static override key = 'Member';
    static override get schema(): Record<string, unknown> {
      return { books: [Book] };
    }
  }
  class Book extends Entity {
    id = '';
    owner = Member.fromJS();
    static override key = 'Book';
    static override get schema(): Record<string, unknown> {
      return { owner: Member };
    }
  }

  it('may belong to a frozen class', () => {
    class Fixed extends Entity {
      id = '';
      static override key = 'Fixed';
      static override get schema(): Record<string, unknown> {
        return { book: Book };
      }
    }
    Object.freeze(Fixed);
    const store = new Store();
    store.write(Fixed, { id: '1', book: { id: 'b' } });
    expect(store.get(Fixed, '1')).toMatchObject({ book: { id: 'b' } });
  });

  it('is read once, so that a record stays one object in all lists', () => {
    const books = new Collection([Book]);
    const store = new Store();
    const owner = { id: '7', name: 'Ann', books: ['1'] };
    store.write(books, [
      { id: '1', owner },
      { id: '2', owner: '7' },
    ]);
    store.get(books);
    store.write(Member, { id: '7', name: 'Bob' });
    const [first, second] = store.get(books) ?? [];
    const member = store.get(Member, '7');
    expect(member?.name).toBe('Bob');
    expect(first?.owner).toBe(member);
    expect(second?.owner).toBe(member);
    expect(member?.books[0]).toBe(first);
    expect(store.get(books)?.[0]).toBe(first);
  });
});

describe('a static schema that is not valid', () => {
  it('throws at each use of its class, until another one is assigned', () => {
    class Draft extends Entity {
      id = '';
      author = User.fromJS();
      editors: readonly User[] = [];
      static override key = 'Draft';
      static override schema: Record<string, unknown> = { editors: [User, User], author: User };
    }
    const store = new Store();
    const draft = { id: '1', author: { id: '7', name: 'Ann' } };
    const write = (): unknown => store.write(Draft, draft);
    for (const use of [write, write, () => store.get(Draft, '1')])
      expect(use).toThrow(expect.objectContaining({ code: 'array-shorthand-invalid' }));
    Draft.schema = { editors: [User], author: User };
    write();
    expect(store.get(Draft, '1')?.author).toBe(store.get(User, '7'));
    Draft.schema = { editors: [User, User], author: User };
    for (const use of [write, write]) expect(use).toThrow(expect.objectContaining({ code: 'array-shorthand-invalid' }));
  });
});
