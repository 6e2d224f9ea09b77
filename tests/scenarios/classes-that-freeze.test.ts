import { describe, expect, test } from 'vitest';
import { Entity, Store } from '../../src/index.ts';
import { User } from '../model.ts';
const input = () => ({ id: '1', title: 'a', createdAt: '2020-01-01T00:00:00.000Z', author: { id: 'u', name: 'me' } });

abstract class Base extends Entity {
  id = '';
  title = '';
  createdAt: Date | undefined = undefined;
  author: User | undefined = undefined;
  static override key = 'Post';
  static override schema = { author: User, createdAt: (text: string) => new Date(text) };
  get heading(): string {
    return `${this.title} by ${this.author?.name}`;
  }
}

class FreezesInFromJS extends Base {
  static override fromJS = ((props: object) =>
    Object.freeze(Object.assign(Reflect.construct(FreezesInFromJS, []) as object, props))) as never;
}
class FreezesInCreate extends Base {
  static override createIfValid(props: object): unknown {
    return Object.freeze(super.createIfValid(props));
  }
}
class FreezesInConstructor extends Base {
  constructor() {
    super();
    Object.freeze(this);
  }
}
class SealsInConstructor extends Base {
  constructor() {
    super();
    Object.seal(this);
  }
}
class StopsInConstructor extends Base {
  constructor() {
    super();
    Object.preventExtensions(this);
  }
}

describe.each([true, false])('values that are frozen: %s', (frozen) => {
  test.each([FreezesInFromJS, FreezesInCreate, FreezesInConstructor, SealsInConstructor, StopsInConstructor])(
    'an instance that its class has frozen gets its relations (%o)',
    (Post) => {
      const store = new Store({ frozen });
      store.write(Post, input());
      const post = store.get(Post, '1') as Base;
      expect(post).toBeInstanceOf(Post);
      expect(post.author).toBe(store.get(User, 'u'));
      expect(post.createdAt).toEqual(new Date('2020-01-01'));
      expect(post.heading).toBe('a by me');
      store.write(User, { id: 'u', name: 'you' });
      expect((store.get(Post, '1') as Base).heading).toBe('a by you');
      expect(Object.isFrozen(store.get(Post, '1'))).toBe(frozen);
    },
  );

  test('a getter in place of a relation is an error that names the class and the field', () => {
    class Post extends Entity {
      id = '';
      get author(): unknown {
        return 'mine';
      }
      static override key = 'Post';
      static override schema = { author: User };
    }
    const store = new Store({ frozen });
    store.write(Post, input());
    const read = (): unknown => store.get(Post, '1');
    for (let times = 0; times < 2; times++)
      expect(read).toThrow(expect.objectContaining({ code: 'field-readonly', entity: 'Post', path: 'author' }));
    expect(store.get(User, 'u')).toMatchObject({ name: 'me' });
  });

  test('a getter in place of a converted field is an error that names the class and the field', () => {
    class Post extends Entity {
      id = '';
      get createdAt(): unknown {
        return 'mine';
      }
      static override key = 'Post';
      static override schema = { createdAt: (text: string) => new Date(text) };
    }
    const store = new Store({ frozen });
    store.write(Post, input());
    expect(() => store.get(Post, '1')).toThrow(
      expect.objectContaining({ code: 'field-readonly', entity: 'Post', path: 'createdAt' }),
    );
  });

  test('a field with a getter and a setter is set', () => {
    class Post extends Entity {
      id = '';
      writer: User | undefined = undefined;
      get author(): User | undefined {
        return this.writer;
      }
      set author(user: User | undefined) {
        this.writer = user;
      }
      static override key = 'Post';
      static override schema = { author: User };
    }
    const store = new Store({ frozen });
    store.write(Post, input());
    expect(store.get(Post, '1')?.author).toBe(store.get(User, 'u'));
  });
});
