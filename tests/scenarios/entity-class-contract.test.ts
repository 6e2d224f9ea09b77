import { describe, expect, test } from 'vitest';
import { Entity, Store } from '../../src/index.ts';
import { respond } from './respond.ts';

type Rec = Record<string, unknown>;

class Author extends Entity {
  id = '';
  name = 'anonymous';
  static override key = 'Author';
}

class Article extends Entity {
  id = '';
  title = '';
  author = Author.fromJS();
  tags: readonly string[] = [];
  static override key = 'Article';
  static override schema = { author: Author };
}

describe('Entity class contract', () => {
  test('instance fields: every field that the response lacks has its default', () => {
    const article = respond<Article>(new Store(), Article, { id: '1' });

    expect(article).toBeInstanceOf(Article);
    expect(article.title).toBe('');
    expect(article.tags).toEqual([]);
  });

  test('instance fields: a related entity that is not loaded is an empty instance of its class', () => {
    const article = respond<Article>(new Store(), Article, { id: '1' });

    expect(article.author).toBeInstanceOf(Author);
    expect(article.author.name).toBe('anonymous');
  });

  test('pk(): if it is not overridden, the key comes from a field named id, as a string', () => {
    const store = new Store();
    const article = respond<Article>(store, Article, { id: 7, title: 'Numbered' });

    expect(article.pk()).toBe('7');
    expect(store.get(Article, { id: '7' })).toBe(article);
    expect(store.get(Article, 7)).toBe(article);
    expect(store.row('Article', '7')).toEqual({ id: 7, title: 'Numbered' });
  });

  test('pk(): an overridden one may combine several fields', () => {
    class Seat extends Entity {
      row = '';
      place = 0;
      override pk(): string {
        return `${this.row}-${this.place}`;
      }
      static override key = 'Seat';
    }
    const store = new Store();
    const seats = respond<Seat[]>(
      store,
      [Seat],
      [
        { row: 'A', place: 1 },
        { row: 'A', place: 2 },
      ],
    );

    expect(seats.map((seat) => seat.pk())).toEqual(['A-1', 'A-2']);
    expect(store.get(Seat, { row: 'A', place: 2 })).toBe(seats[1]);
  });

  test('static key: names the entity table, and two classes of one key share the table', () => {
    class Short extends Entity {
      id = '';
      title = '';
      static override key = 'Article';
    }
    const store = new Store();
    store.write(Article, { id: '1', title: 'Shared' });

    expect(store.row('Article', '1')).toEqual({ id: '1', title: 'Shared' });
    const short = store.get(Short, { id: '1' }) as Short;
    expect(short).toBeInstanceOf(Short);
    expect(short.title).toBe('Shared');
  });

  test('static key: if it is not given, it is the name of the class', () => {
    class Nameless extends Entity {
      id = '';
    }
    const store = new Store();
    store.write(Nameless, { id: '1' });

    expect(store.row('Nameless', '1')).toEqual({ id: '1' });
  });

  test('static process: gets the value, the enclosing record and the field name, and returns the record to store', () => {
    const seen: unknown[] = [];
    class Line extends Entity {
      id = '';
      orderId = '';
      static override key = 'Line';
      static override process(value: Rec, parent: Rec, key: string | undefined): Rec {
        seen.push([parent['id'], key]);
        return { ...value, orderId: parent['id'] };
      }
    }
    class Order extends Entity {
      id = '';
      lines: Line[] = [];
      first?: Line;
      static override key = 'Order';
      static override schema = { lines: [Line], first: Line };
    }
    const store = new Store();
    const order = respond<Order>(store, Order, { id: 'o1', lines: [{ id: 'l1' }, { id: 'l2' }], first: { id: 'l1' } });

    expect(order.lines.map((line) => line.orderId)).toEqual(['o1', 'o1']);
    expect(order.first).toBe(order.lines[0]);
    expect(seen).toEqual([
      ['o1', 'lines'],
      ['o1', 'lines'],
      ['o1', 'first'],
    ]);
  });

  test('static process: the response itself is never changed', () => {
    const response = { id: '1', author: { id: '2', name: 'Ann' } };
    const before = structuredClone(response);

    new Store().write(Article, response);

    expect(response).toEqual(before);
  });

  test('static merge: the default is shallow, the incoming fields win and the others stay', () => {
    const store = new Store();
    store.write(Article, { id: '1', title: 'Old', tags: ['a', 'b'] });

    store.write(Article, { id: '1', tags: ['c'] });

    const article = store.get(Article, { id: '1' }) as Article;
    expect(article.title).toBe('Old');
    expect(article.tags).toEqual(['c']);
  });

  test('static merge: an overridden one can accumulate arrays, across responses and inside one', () => {
    class Room extends Entity {
      id = '';
      lines: readonly string[] = [];
      static override key = 'Room';
      static override merge(existing: { lines: string[] }, incoming: { lines: string[] }): object {
        return { ...existing, ...incoming, lines: [...existing.lines, ...incoming.lines] };
      }
    }
    const store = new Store();
    store.write(Room, { id: '1', lines: ['a'] });

    store.write(
      [Room],
      [
        { id: '1', lines: ['b'] },
        { id: '1', lines: ['c'] },
      ],
    );

    expect((store.get(Room, { id: '1' }) as Room).lines).toEqual(['a', 'b', 'c']);
  });

  test('static validate: a refused record is not stored, and the error says why', () => {
    class Strict extends Entity {
      id = '';
      name = '';
      static override key = 'Strict';
      static override validate(value: Rec): string | undefined {
        return typeof value['name'] === 'string' ? undefined : 'a name is missing';
      }
    }
    const store = new Store();

    expect(() => store.write(Strict, { id: '1' })).toThrow(/a name is missing/);
    expect(store.stats().rows).toBe(0);
  });

  test('Entity.fromJS() builds an instance with default values, and with given ones over them', () => {
    const empty = Article.fromJS();
    const given = Article.fromJS({ id: '5', title: 'Given' });

    expect(empty).toBeInstanceOf(Article);
    expect(empty.id).toBe('');
    expect(given.title).toBe('Given');
    expect(given.author).toBeInstanceOf(Author);
    expect(given.pk()).toBe('5');
  });
});
