import { describe, expect, it } from 'vitest';
import { DataError } from '../../std/data-error.ts';
import { Entity } from '../../define/schema/entity.ts';
import { Query } from '../../define/schema/query.ts';
import { Store } from './store.ts';

let fails = false;

class Author extends Entity {
  id = '';
  name = '';
  posts: Post[] = [];
  static override schema = {};
}

class Post extends Entity {
  id = '';
  title = '';
  author = Author.fromJS();
  static override schema = { author: Author };

  static override validate(): undefined {
    if (fails) throw new RangeError('The hook throws.');
  }
}
Author.schema = { posts: [Post] };

function failing<T>(run: () => T): T {
  fails = true;
  try {
    return run();
  } finally {
    fails = false;
  }
}

const circle = { id: 'a', name: 'Ann', posts: [{ id: '1', author: 'a' }, { id: '2', author: 'a' }, { id: '3', author: 'a' }] }; // prettier-ignore

describe('a value that cannot be built', () => {
  it('leaves nothing partly built in a cycle: the next read returns all members', () => {
    const store = new Store();
    store.write(Author, circle);
    expect(() => failing(() => store.get(Author, 'a'))).toThrow('The hook throws.');
    const author = store.get(Author, 'a');
    expect(author?.posts.map(({ id }) => id)).toEqual(['1', '2', '3']);
    expect(author?.posts.every((post) => post.author === author)).toBe(true);
  });

  it('leaves nothing partly built in a cycle that was read before', () => {
    const store = new Store();
    store.write(Author, circle);
    store.get(Author, 'a');
    store.write(Post, { id: '2', title: 'changed' });
    expect(() => failing(() => store.get(Author, 'a'))).toThrow('The hook throws.');
    const author = store.get(Author, 'a');
    expect(author?.posts.map(({ id, title }) => [id, title])).toEqual([['1', ''], ['2', 'changed'], ['3', '']]); // prettier-ignore
    expect(store.get(Post, '1')?.author).toBe(author);
  });

  it('notifies its observers when it may be built again', () => {
    const store = new Store();
    store.write([Post], [{ id: '1', title: '' }], { resultKey: 'k' });
    const titles = new Query([Post], (posts: readonly Post[]) => {
      if (posts.some(({ title }) => title === '')) throw new RangeError('no title');
      return posts.length;
    });
    const view = store.resultView('k', titles);
    let calls = 0;
    const stop = view.subscribe(() => calls++);
    expect(() => view.current()).toThrow('no title');
    store.write(Post, { id: '1', title: 'good' });
    expect(calls).toBe(1);
    expect(view.current()).toBe(1);
    store.write(Post, { id: '1', title: '' });
    store.write(Post, { id: '1', title: '' });
    expect(calls).toBe(2);
    expect(() => view.current()).toThrow(DataError);
    store.write(Post, { id: '1', title: 'again' });
    expect(calls).toBe(3);
    expect(view.current()).toBe(1);
    stop();
  });

  it('is built when the function that finds the record stops throwing, and its observers are notified', () => {
    let isBad = true;
    class Odd extends Entity {
      id = '';
      static override queryKey(...[args, , delegate]: Parameters<typeof Entity.queryKey>): string | undefined {
        const found = delegate.getEntity('Odd', String(args[0]));
        if (isBad) throw new RangeError('odd');
        return found && String(args[0]);
      }
    }
    const store = new Store();
    const view = store.query(Odd, ['1']);
    let calls = 0;
    view.subscribe(() => calls++);
    expect(() => view.current()).toThrow('odd');
    isBad = false;
    store.write(Odd, { id: '1' });
    expect(calls).toBe(1);
    expect(view.current()).toBe(store.get(Odd, '1'));
  });

  it('does not notify a view that was unsubscribed', () => {
    const store = new Store();
    store.write(Post, { id: '1' });
    let calls = 0;
    const stop = failing(() => store.query(Post, ['1']).subscribe(() => calls++));
    stop();
    store.write(Post, { id: '1', title: 'b' });
    expect(calls).toBe(0);
    expect(store.get(Post, '1')?.title).toBe('b');
  });

  it('does not keep other records from being read', () => {
    const store = new Store();
    class Strict extends Entity {
      id = '';
      static override createIfValid(props: Partial<Strict>): unknown {
        if (props.id === 'bad') throw new RangeError('bad');
        return this.fromJS(props);
      }
    }
    store.write([Strict], [{ id: 'good' }, { id: 'bad' }]);
    expect(() => store.read([Strict], ['good', 'bad'])).toThrow('bad');
    const { cells } = store.writer.core.reading.space.table('Strict');
    expect([...cells.values()].every(({ parents }) => parents === undefined)).toBe(true);
    expect(store.get(Strict, 'good')).toBe(store.get(Strict, 'good'));
    expect(() => store.get(Strict, 'bad')).toThrow('bad');
  });
});

describe('an object of several parts, one of which is invalid for a while', () => {
  class Node extends Entity {
    id = '';
    pair: { first: Node; second: Node } | undefined;
    static override schema = {};
  }
  Node.schema = { pair: { first: Node, second: Node } };

  it('has all of its parts again, and the cycle leads back to the same object', () => {
    const store = new Store();
    store.write(Node, {
      id: 'a',
      pair: { first: { id: 'x' }, second: { id: 'b', pair: { first: 'x', second: 'a' } } },
    });
    expect(store.get(Node, 'a')?.pair?.second.id).toBe('b');
    store.invalidate(Node, 'x');
    expect(store.get(Node, 'a')?.pair).toBeUndefined();
    store.write(Node, { id: 'x' });
    const a = store.get(Node, 'a');
    expect(a?.pair?.second.pair?.second).toBe(a);
    expect(store.get(Node, 'b')).toBe(a?.pair?.second);
  });

  it('has a cycle that leads back to the same object, also if a schema of the application reads its parts one after the other', () => {
    const store = new Store();
    class Item extends Entity {
      id = '';
      other: { next: Item } | undefined;
      static override schema = {};
    }
    const second = {
      normalize: (input: unknown) => input,
      queryKey: () => undefined,
      denormalize: (stored: unknown, delegate: { unvisit(schema: unknown, stored: unknown): unknown }) => {
        const [guard, next] = stored as [string, string];
        return delegate.unvisit(Item, guard) instanceof Item ? { next: delegate.unvisit(Item, next) } : undefined;
      },
    };
    Item.schema = { other: second };
    store.write(
      [Item],
      [
        { id: 'a', other: ['x', 'b'] },
        { id: 'b', other: ['x', 'a'] },
      ],
    );
    expect(store.get(Item, 'a')?.other).toBeUndefined();
    store.write(Item, { id: 'x' });
    const a = store.get(Item, 'a');
    const b = store.get(Item, 'b');
    expect(a?.other?.next).toBe(b);
    expect(b?.other?.next).toBe(a);
  });
});

it('a record has all of its parts again after a change of a part that could not be built', () => {
  class Part extends Entity {
    id = '';
    size = 0;
    static override key = 'Part';
    static override validate(): undefined {
      if (fails) throw new RangeError('The hook throws.');
    }
  }
  class Whole extends Entity {
    id = '';
    part: Part | undefined = undefined;
    static override key = 'Whole';
    static override schema = { part: Part };
  }
  const store = new Store();
  store.write(Whole, { id: '1', part: { id: 'p', size: 1 } });
  expect(store.get(Whole, '1')?.part?.size).toBe(1);
  store.write(Part, { id: 'p', size: 2 });
  expect(() => failing(() => store.get(Whole, '1'))).toThrow('The hook throws.');
  store.write(Part, { id: 'p', size: 3 });
  expect(store.get(Whole, '1')?.part).toBe(store.get(Part, 'p'));
  expect(store.get(Part, 'p')?.size).toBe(3);
});
