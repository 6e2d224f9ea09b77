import { describe, expect, it } from 'vitest';
import { DataError, Entity, INVALID, type Schema, Store, Union } from '../../index.ts';

class User extends Entity {
  id = '';
  name = 'nobody';
  static override key = 'User';
  get initial(): string {
    return this.name.charAt(0);
  }
}
class Post extends Entity {
  id = '';
  title = '';
  author: User | undefined = undefined;
  static override key = 'Post';
  static override schema = { author: User };
}

describe('a record', () => {
  it('is an instance of its class, with the defaults for what the response does not have', () => {
    const store = new Store();
    store.write(User, { id: 'u1' });
    const user = store.get(User, 'u1') as User;
    expect(user).toBeInstanceOf(User);
    expect(user.name).toBe('nobody');
    expect(user.initial).toBe('n');
  });

  it.each([0, '', false])('whose reference becomes %j refers to no record', (nothing) => {
    class Known extends Entity {
      id = '';
      author: User | undefined = undefined;
      static override key = 'Post';
    }
    const store = new Store();
    const either = new Union({ user: User }, () => 'user' as const);
    class Note extends Entity {
      id = '';
      title = '';
      author: User | undefined = undefined;
      about: User | undefined = undefined;
      static override key = 'Note';
      static override schema = { author: User, about: either };
    }
    store.write(Note, { id: 'n1', author: { id: 'u1' }, about: { id: 'u2' } });
    expect(store.get(Note, 'n1')).toMatchObject({ author: { id: 'u1' }, about: { id: 'u2' } });
    store.write(Note, { id: 'n1', title: 'x', author: nothing, about: nothing });
    expect(store.get(Note, 'n1')).toMatchObject({ title: 'x', author: undefined, about: undefined });
    // A class that does not declare the field has the value as it arrived.
    store.write(Post, { id: 'p1', author: nothing });
    expect(store.get(Post, 'p1')?.author).toBeUndefined();
    expect(store.get(Known, 'p1')?.author).toBe(nothing);
  });

  it('is the same object until something changes from which it is built', () => {
    const store = new Store();
    store.write(Post, { id: 'p1', author: { id: 'u1', name: 'a' } });
    const post = store.get(Post, 'p1') as Post;
    store.write(User, { id: 'u2', name: 'b' });
    store.write(Post, { id: 'p2', title: 'x' });
    expect(store.get(Post, 'p1')).toBe(post);
    store.write(User, { id: 'u1', name: 'c' });
    const changed = store.get(Post, 'p1') as Post;
    expect(changed).not.toBe(post);
    expect(changed.author).toBe(store.get(User, 'u1'));
    expect(post.author?.name).toBe('a');
  });

  it('keeps its object and its parts when an answer has equal data', () => {
    const store = new Store();
    const response = () => ({ id: 'p1', title: 'a', tags: [{ x: 1 }], author: { id: 'u1', name: 'a' } });
    store.write(Post, response());
    const post = store.get(Post, 'p1');
    store.write(Post, response());
    expect(store.get(Post, 'p1')).toBe(post);
  });

  it('keeps its object when its data is restored between two reads', () => {
    const store = new Store();
    store.write(Post, { id: 'p1', title: 'a', author: { id: 'u1' } });
    const post = store.get(Post, 'p1');
    store.write(Post, { id: 'p1', title: 'b', author: { id: 'u2' } });
    store.write(Post, { id: 'p1', title: 'a', author: 'u1' });
    expect(store.get(Post, 'p1')).toBe(post);
    store.write(User, { id: 'u1', name: 'z' });
    store.write(User, { id: 'u1', name: undefined });
    expect((store.get(Post, 'p1') as Post).author).toBe(store.get(User, 'u1'));
  });

  it('keeps its object when its parts were linked again and its data was restored', () => {
    const store = new Store();
    store.write(Post, { id: 'p1', author: { id: 'u1' } });
    const post = store.get(Post, 'p1') as Post;
    store.write(Post, { id: 'p1', author: { id: 'u2' } });
    expect((store.get(Post, 'p1') as Post).author?.id).toBe('u2');
    store.write(Post, { id: 'p1', author: 'u1' });
    expect(store.get(Post, 'p1')).toEqual(post);
    expect((store.get(Post, 'p1') as Post).author).toBe(post.author);
  });

  it('shows a part that is stored later, removed, or deleted', () => {
    const store = new Store();
    store.write(Post, { id: 'p1', author: 'u1' });
    const author = (): unknown => (store.get(Post, 'p1') as Post).author;
    expect(author()).toBeUndefined();
    store.write(User, { id: 'u1' });
    expect(author()).toBe(store.get(User, 'u1'));
    store.invalidate(User, 'u1');
    expect(author()).toBeUndefined();
    store.write(Post, { id: 'p1', author: null });
    expect(author()).toBeNull();
  });

  it('reads as undefined while it is missing, as its instance when it is stored, and as INVALID when it is deleted', () => {
    const store = new Store();
    const live = store.query(User, ['u1']);
    const read = (): unknown => store.read(User, 'u1');
    expect([live.current(), read()]).toEqual([undefined, undefined]);
    store.write(User, { id: 'u1' });
    expect(live.current()).toBeInstanceOf(User);
    expect(read()).toBe(live.current());
    store.invalidate(User, 'u1');
    expect([live.current(), read()]).toEqual([INVALID, INVALID]);
  });

  it('shows no record for 0, and that of any other number, if the class declares the relation once the row is stored', () => {
    class Early extends Entity {
      id = '';
      author: unknown = undefined;
      static override key = 'Post';
    }
    const store = new Store();
    store.write([User], [{ id: '0' }, { id: '5' }]);
    store.write(
      [Early],
      [
        { id: '1', author: 0 },
        { id: '2', author: 5 },
      ],
    );
    store.get(Early, '1');
    const authors = ['1', '2'].map((id) => (store.get(Post, id) as Post).author);
    expect(authors[0]).toBeUndefined();
    expect(authors[1]).toBe(store.get(User, '5'));
  });

  it.each([[null], [undefined], [''], [5], [{}]])(
    'that is read by %j, which is not a pk, reads as that value',
    (stored) => {
      expect(new Store().read(User, stored)).toBe(stored);
    },
  );
});

describe('values are frozen', () => {
  const response = { id: 'p1', settings: { tags: [] }, author: { id: 'u1' } };
  const read = (store: Store): Post & { settings: object } => {
    store.write(Post, response);
    return store.get(Post, 'p1') as Post & { settings: object };
  };

  it('all the way down, while the application is developed', () => {
    const post = read(new Store());
    expect([post, post.author, post.settings].map(Object.isFrozen)).toEqual([true, true, true]);
    expect(Object.isFrozen(response.settings)).toBe(false);
  });

  it('unless the store has frozen: false', () => {
    const post = read(new Store({ frozen: false }));
    expect([post, post.author, post.settings].map(Object.isFrozen)).toEqual([false, false, false]);
  });
});

describe('a required part', () => {
  class Line extends Entity {
    id = '';
    owner: User = User.fromJS();
    static override key = 'Line';
    static override schema = { owner: User };
  }
  class Invoice extends Entity {
    id = '';
    line: Line = Line.fromJS();
    static override key = 'Invoice';
    static override schema = { line: Line };
  }
  const filled = (): Store => {
    const store = new Store();
    store.write(Invoice, { id: 'i', line: { id: 'l', owner: { id: 'u1', name: 'a' } } });
    return store;
  };

  it('that is deleted makes everything that requires it invalid, until it is restored', () => {
    const store = filled();
    const live = store.query(Invoice, ['i']);
    expect(live.current()).toBeInstanceOf(Invoice);
    store.invalidate(User, 'u1');
    expect(live.current()).toBe(INVALID);
    expect(store.read(Line, 'l')).toBe(INVALID);
    store.write(User, { id: 'u1', name: 'b' });
    expect((live.current() as Invoice).line.owner.name).toBe('b');
  });

  it('that is deleted keeps the record invalid, whatever its other parts become', () => {
    class Order extends Entity {
      id = '';
      line: Line = Line.fromJS();
      buyer: User | undefined = undefined;
      static override key = 'Order';
      static override schema = { line: Line, buyer: User };
    }
    const store = new Store();
    store.write(Order, { id: 'o', line: { id: 'l' }, buyer: { id: 'u2', name: 'a' } });
    const live = store.query(Order, ['o']);
    store.invalidate(Line, 'l');
    expect(live.current()).toBe(INVALID);
    store.write(User, { id: 'u2', name: 'b' });
    expect(live.current()).toBe(INVALID);
  });

  it('that is deleted again and again is seen each time', () => {
    const store = filled();
    for (const name of ['b', 'c']) {
      store.invalidate(User, 'u1');
      expect(store.get(Invoice, 'i')).toBeUndefined();
      expect(store.get(Invoice, 'i')).toBeUndefined();
      store.write(User, { id: 'u1', name });
      expect((store.get(Invoice, 'i') as Invoice).line.owner.name).toBe(name);
    }
  });

  it('that is missing is not shown; the class has a default for it', () => {
    const store = new Store();
    store.write(Line, { id: 'l', owner: 'u9' });
    expect(store.get(Line, 'l')).toMatchObject({ owner: undefined });
    store.write(Line, { id: 'm' });
    expect((store.get(Line, 'm') as Line).owner).toBeInstanceOf(User);
  });

  it('that was missing and is now deleted makes the record invalid', () => {
    const store = new Store();
    store.write(Line, { id: 'l', owner: 'u9' });
    expect(store.get(Line, 'l')).toBeInstanceOf(Line);
    store.invalidate(User, 'u9');
    expect(store.get(Line, 'l')).toBeUndefined();
  });

  it('a record stays invalid while another of its fields changes', () => {
    const store = filled();
    store.invalidate(User, 'u1');
    expect(store.get(Line, 'l')).toBeUndefined();
    store.write(Line, { id: 'l', note: 'x' });
    expect(store.get(Line, 'l')).toBeUndefined();
    store.write(Line, { id: 'l', owner: { id: 'u2' } });
    expect(store.get(Line, 'l')).toMatchObject({ note: 'x', owner: { id: 'u2' } });
  });
});

describe('hooks on read', () => {
  it('validate() hides rows that were stored before it became strict', () => {
    class Strict extends Entity {
      id = '';
      name = '';
      static override key = 'User';
      static override validate(row: { name?: string }): string | undefined {
        return row.name === undefined ? 'no name' : undefined;
      }
    }
    const store = new Store();
    store.write(User, { id: 'u1' });
    expect(store.read(Strict, 'u1')).toBe(INVALID);
    expect(store.get(User, 'u1')).toBeInstanceOf(User);
    store.write(User, { id: 'u1', name: 'a' });
    expect(store.get(Strict, 'u1')).toBeInstanceOf(Strict);
  });

  it('createIfValid() makes the instance, and may reject the row', () => {
    class Made extends Entity {
      id = '';
      static override key = 'Made';
      static override createIfValid(props: { ok?: unknown }): unknown {
        return props.ok === true ? this.fromJS({ ...props, id: 'made' }) : props.ok && null;
      }
    }
    const store = new Store();
    store.write(Made, { id: 'm', ok: true });
    expect(store.get(Made, 'm')).toMatchObject({ id: 'made' });
    for (const ok of [false, undefined, 'no']) {
      store.write(Made, { id: 'm', ok });
      expect(store.read(Made, 'm')).toBe(INVALID);
    }
    store.write(Made, { id: 'm', ok: true });
    expect(store.get(Made, 'm')).toMatchObject({ ok: true });
  });

  it('fromJS() makes the instance from a copy of the row', () => {
    class Boxed extends Entity {
      id = '';
      static override key = 'Boxed';
      static override fromJS(props: object = {}): never {
        Object.assign(props, { seen: true });
        return Object.assign(Reflect.construct(this, []), props) as never;
      }
    }
    const store = new Store();
    store.write(Boxed, { id: 'b' });
    expect(store.get(Boxed, 'b')).toMatchObject({ id: 'b', seen: true });
    expect(store.row('Boxed', 'b')).toEqual({ id: 'b' });
  });

  it('what fromJS() returns gets related records and converted fields, also if it is frozen', () => {
    const frozen = (made: object, props: object): never => Object.freeze(Object.assign(made, props)) as never;
    class Related extends Entity {
      id = '';
      owner: User | undefined = undefined;
      static override key = 'Related';
      static override schema = { owner: User };
      static override fromJS(props: object = {}): never {
        return frozen(Reflect.construct(this, []), props);
      }
    }
    class Dated extends Entity {
      id = '';
      at: Date | undefined = undefined;
      static override key = 'Dated';
      static override schema = { at: (text: unknown) => new Date(String(text)) };
      static override fromJS(props: object = {}): never {
        return frozen(Reflect.construct(this, []), props);
      }
    }
    const store = new Store();
    store.write(Related, { id: 'r', owner: { id: 'u' } });
    store.write(Dated, { id: 'd', at: '2026-05-01' });
    expect(store.get(Related, 'r')).toMatchObject({ id: 'r', owner: store.get(User, 'u') });
    expect(store.get(Dated, 'd')).toMatchObject({ id: 'd', at: new Date('2026-05-01') });
  });

  it('fromJS() is called after validate()', () => {
    class Both extends Entity {
      id = '';
      static override key = 'Both';
      static override validate(row: { bad?: boolean }): string | undefined {
        return row.bad === true ? 'bad' : undefined;
      }
      static override fromJS(props: object): never {
        return Object.assign(Reflect.construct(this, []), props, { made: true }) as never;
      }
    }
    const store = new Store();
    store.write(Both, { id: 'b' });
    expect(store.get(Both, 'b')).toMatchObject({ made: true });
  });

  it('a constructor that throws is an error that names the class, at each read', () => {
    class Failing extends Entity {
      id = '';
      static override key = 'Failing';
      constructor(props?: object) {
        super();
        if (props !== undefined) throw new RangeError('mine');
      }
    }
    const store = new Store();
    store.write(Failing, { id: 'f' });
    for (let time = 0; time < 2; time++)
      expect(() => store.get(Failing, 'f')).toThrow(
        expect.objectContaining({ code: 'hook-failed', entity: 'Failing', cause: expect.any(RangeError) }),
      );
  });

  it('a hook that throws when a record becomes valid again is called again at the next read', () => {
    let isFailing = false;
    class Moody extends Entity {
      id = '';
      owner: User = User.fromJS();
      static override key = 'Moody';
      static override schema = { owner: User };
      constructor() {
        super();
        if (isFailing) throw new RangeError('mine');
      }
    }
    const store = new Store();
    store.write(Moody, { id: 'm', owner: { id: 'u' } });
    store.invalidate(User, 'u');
    expect(store.get(Moody, 'm')).toBeUndefined();
    store.write(User, { id: 'u' });
    isFailing = true;
    expect(() => store.get(Moody, 'm')).toThrow('mine');
    isFailing = false;
    expect(store.get(Moody, 'm')).toBeInstanceOf(Moody);
  });

  it('the constructor gets the row', () => {
    class Seeing extends Entity {
      id = '';
      static override key = 'Seeing';
      readonly seen: unknown;
      constructor(props?: { id: string }) {
        super();
        this.seen = props?.id;
      }
    }
    const store = new Store();
    store.write(Seeing, { id: 's' });
    expect(store.get(Seeing, 's')).toMatchObject({ seen: 's' });
  });
});

describe('functions in a schema', () => {
  const parse = (value: unknown): Date => {
    const date = new Date(String(value));
    if (Number.isNaN(date.getTime())) throw new RangeError('no date');
    return date;
  };
  class Event extends Entity {
    id = '';
    at: Date | undefined = undefined;
    made: unknown = 'never';
    static override key = 'Event';
    static override schema = { at: parse, made: parse, place: undefined, organizer: User };
  }

  it('convert values; null and absent fields stay as they are', () => {
    const store = new Store();
    store.write(Event, { id: 'e', at: '2026-05-01', made: null });
    expect(store.get(Event, 'e')).toMatchObject({ at: new Date('2026-05-01'), made: null });
  });

  it('that throw for a value of the server leave the error in the field', () => {
    const store = new Store();
    store.write(Event, { id: 'e', at: 'soon' });
    const { at } = store.get(Event, 'e') as { at: unknown };
    expect(at).toBeInstanceOf(DataError);
    expect(at).toMatchObject({ code: 'field-invalid', entity: 'Event', path: 'at' });
    expect(String(at)).toContain('no date');
  });

  it('that throw for a default leave the default', () => {
    const store = new Store();
    store.write(Event, { id: 'e' });
    expect(store.get(Event, 'e')).toMatchObject({ made: 'never', at: undefined });
  });

  it('that throw a value that is not an error quote it', () => {
    class Odd extends Entity {
      id = '';
      at: unknown = undefined;
      static override key = 'Odd';
      static override schema = {
        at: () => {
          throw 'oh'; // oxlint-disable-line no-throw-literal
        },
      };
    }
    const store = new Store();
    store.write(Odd, { id: 'o', at: 1 });
    expect(String(store.get(Odd, 'o')?.at)).toContain('oh');
  });
});

describe('several classes over one table', () => {
  class Named extends Entity {
    id = '';
    name = '';
    static override key = 'User';
    static override schema = { friend: User };
  }

  it('read the same rows, each as its own instances', () => {
    const store = new Store();
    store.write(User, { id: 'u1', name: 'a' });
    store.write(Named, { id: 'u1', friend: { id: 'u2', name: 'b' } });
    expect(store.get(User, 'u1')).toMatchObject({ name: 'a', friend: store.get(User, 'u2') });
    const named = store.get(Named, 'u1') as Named & { friend: User };
    expect(named).toBeInstanceOf(Named);
    expect(named.friend).toBe(store.get(User, 'u2'));
  });

  it('keep their objects, and see changes by the other class', () => {
    const store = new Store();
    store.write(User, { id: 'u1', name: 'a' });
    const before = store.get(Named, 'u1');
    expect(store.get(Named, 'u1')).toBe(before);
    store.write(User, { id: 'u1', name: 'b' });
    expect(store.get(Named, 'u1')).toMatchObject({ name: 'b' });
    expect(before).toMatchObject({ name: 'a' });
    store.invalidate(Named, 'u1');
    expect(store.get(User, 'u1')).toBeUndefined();
    expect(store.read(Named, 'u1')).toBe(INVALID);
  });
});

it('a schema that is assigned later applies from then on', () => {
  class Late extends Entity {
    id = '';
    author: unknown = undefined;
    static override key = 'Late';
    static override schema: Record<string, unknown> = {};
  }
  const store = new Store();
  store.write(User, { id: 'u1' });
  store.write(Late, { id: 'a', author: 'u1' });
  expect(store.get(Late, 'a')).toMatchObject({ author: 'u1' });
  Late.schema = { author: User };
  store.write(Late, { id: 'b', author: { id: 'u1' } });
  expect((store.get(Late, 'b') as Late).author).toBe(store.get(User, 'u1'));
});

it('a schema that is assigned again applies from the next write on, also for values that were read before', () => {
  class Author extends Entity {
    id = '';
    static override key = 'Author';
  }
  class Book extends Entity {
    id = '';
    author: unknown = undefined;
    static override key = 'Book';
    static override schema: Record<string, Schema> = {};
  }
  const store = new Store();
  store.write(Book, { id: '1', author: 'a' });
  expect(store.get(Book, '1')?.author).toBe('a');
  Book.schema = { author: Author };
  store.write(Author, { id: 'a' });
  store.write(Book, { id: '2', author: 'a' });
  expect(store.get(Book, '1')?.author).toBe(store.get(Author, 'a'));
  expect(store.get(Book, '2')?.author).toBe(store.get(Author, 'a'));
});

describe('a schema that is assigned after rows were stored', () => {
  function written(schema: Record<string, unknown>) {
    class Author extends Entity {
      id = '';
      name = '';
      static override key = 'Author';
    }
    class Book extends Entity {
      id = '';
      author: unknown = undefined;
      static override key = 'Book';
      static override schema: Record<string, unknown> = {};
    }
    const store = new Store();
    store.write(Book, { id: '1', author: { id: 'a', name: 'Ann' } });
    Book.schema = 'author' in schema ? schema : { author: Author };
    return { store, Author, Book };
  }

  it('applies to the first read', () => {
    const { store, Author, Book } = written({});
    expect(store.get(Book, '1')?.author).toBeInstanceOf(Author);
    expect(store.get(Book, '1')?.author).toBe(store.get(Author, 'a'));
  });

  it('applies to records that are read through other classes', () => {
    const { store, Author, Book } = written({});
    class Shelf extends Entity {
      id = '';
      book: unknown = undefined;
      static override key = 'Shelf';
      static override schema = { book: Book };
    }
    store.query(Shelf, ['s']).current();
    expect(store.get(Author, 'a')).toMatchObject({ name: 'Ann' });
  });

  it('is an error for readers of the class alone if it is invalid', () => {
    const { store, Author, Book } = written({ author: [User, User] });
    expect(store.get(Author, 'a')).toBe(undefined);
    expect(() => store.get(Book, '1')).toThrow(expect.objectContaining({ code: 'array-shorthand-invalid' }) as Error);
  });
});
