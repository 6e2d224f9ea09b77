import { describe, expect, it } from 'vitest';
import { keepsTheSchemaLaws } from '../../../tests/laws/schema-laws.ts';
import { User } from '../../../tests/model.ts';
import { from } from '../../state/query/live-query.ts';
import { Store } from '../../state/store/store.ts';
import { arrayForEntity, Entity, isEntity } from './entity.ts';
import { INVALID } from './row.ts';
import type { QueryDelegate } from './delegate.ts';
import type { Stamp } from './stamp.ts';
class Post extends Entity {
  id = '';
  name = '';
  author = User.fromJS();
  editor?: User | undefined = undefined;
  static override key = 'Post';
  static override schema = { author: User, editor: User };
}

keepsTheSchemaLaws({
  schema: () => Post,
  response: () => ({ id: '1', name: 'Hi', author: { id: '7', name: 'Ann' }, editor: { id: '8', name: 'Bob' } }),
  part: { entity: User, pk: '7', record: { id: '7', name: 'Ann' } },
  withoutPart: INVALID,
  wrong: [[], [{ id: '1' }], {}, { id: null }, { id: {} }, Number.NaN, { id: '2', author: [] }],
});

const earlier: Stamp = { issue: 1, fetchedAt: 9, date: 9, expiresAt: 9 };
const later: Stamp = { issue: 2, fetchedAt: 1, date: 1, expiresAt: 1 };

describe('pk', () => {
  it('is the field id, always as text', () => {
    expect(User.pk({ id: '5' })).toBe('5');
    expect(User.pk({ id: 5 })).toBe('5');
    expect(User.fromJS({ id: 5 as unknown as string }).pk()).toBe('5');
  });

  it('is none where the id is absent, empty, or the text undefined', () => {
    expect(User.pk({})).toBeUndefined();
    expect(User.pk({ id: '' })).toBeUndefined();
    expect(User.pk({ id: 'undefined' })).toBeUndefined();
  });

  it('returns an invalid value as it is, for the write to report', () => {
    expect(User.pk({ id: null })).toBeNull();
    expect(User.pk({ id: Number.NaN })).toBeNaN();
  });

  it('is what the class returns, on instances and on plain records', () => {
    class Stream extends Entity {
      username = '';
      override pk(): string {
        return this.username;
      }
    }
    expect(Stream.pk({ username: 'ann' })).toBe('ann');
    expect(Stream.fromJS({ username: 'ann' }).pk()).toBe('ann');
  });
});

describe('key', () => {
  it('is the name of the class unless the class says otherwise', () => {
    class Comment extends Entity {}
    expect(Comment.key).toBe('Comment');
    expect(User.key).toBe('User');
  });

  it('can be assigned, as compilers do that do not define static fields', () => {
    class Comment extends Entity {}
    Comment.key = 'Remark';
    expect(Comment.key).toBe('Remark');
    expect(Entity.key).toBe('Entity');
  });

  it('is an error for a class without a name', () => {
    const nameless = (() => class extends Entity {})();
    expect(() => nameless.key).toThrow(expect.objectContaining({ code: 'key-missing' }));
  });
});

describe('defaults', () => {
  it('are one instance for each class', () => {
    class Admin extends User {
      level = 1;
    }
    expect(User.defaults).toBe(User.defaults);
    expect(User.defaults).toBeInstanceOf(User);
    expect(Admin.defaults).toEqual({ id: '', name: '', level: 1 });
  });
});

describe('schema', () => {
  it('is empty by default, and cannot be changed for all entities at once', () => {
    class Comment extends Entity {}
    expect(Comment.schema).toEqual({});
    expect(() => Object.assign(Comment.schema, { author: User })).toThrow(TypeError);
  });

  it('can be assigned after both classes of a cycle are defined', () => {
    class Author extends Entity {
      id = '';
      books: Book[] = [];
      static override key = 'Author';
    }
    class Book extends Entity {
      id = '';
      author = Author.fromJS();
      static override key = 'Book';
      static override schema = { author: Author };
    }
    Author.schema = { ...Author.schema, books: [Book] };
    const store = new Store();
    store.write(Author, { id: '1', books: [{ id: '2', author: '1' }] });
    const author = store.get(Author, '1') as Author;
    expect(author.books[0]?.author).toBe(author);
  });
});

describe('fromJS', () => {
  it('puts fields over the defaults, also if a constructor sets them', () => {
    expect(User.fromJS({ name: 'Ann' })).toEqual({ id: '', name: 'Ann' });
    expect(User.fromJS()).toBeInstanceOf(User);
  });

  it('gives the fields to the constructor too', () => {
    class Sized extends Entity {
      id = '';
      size: number;
      constructor(props: { readonly id?: string } = {}) {
        super();
        this.size = props.id?.length ?? 0;
      }
    }
    expect(Sized.fromJS({ id: 'abc' }).size).toBe(3);
  });

  it('never lets data replace a method', () => {
    const user = User.fromJS(JSON.parse('{"id":"1","pk":"x","toString":"x","__proto__":{"admin":true}}') as object);
    expect(user.pk()).toBe('1');
    expect(`${user}`).toBe('[object Object]');
    expect('admin' in user).toBe(false);
  });
});

describe('process', () => {
  it('copies by default, and refuses a list', () => {
    const input = { id: '1' };
    const processed: unknown = User.process(input, undefined, undefined, []);
    expect(processed).toEqual(input);
    expect(processed).not.toBe(input);
    expect(() => User.process([input], undefined, undefined, [])).toThrow(arrayForEntity('User').message);
  });

  it('that returns undefined marks the record invalid', () => {
    class Job extends Entity {
      id = '';
      static override key = 'Job';
      static override process(input: { readonly gone?: boolean }): unknown {
        return input.gone === true ? undefined : { ...input };
      }
    }
    const store = new Store();
    store.write(Job, { id: '1' });
    store.write(Job, { id: '1', gone: true });
    expect(store.row('Job', '1')).toBe(INVALID);
  });
});

describe('validate and createIfValid', () => {
  class Named extends Entity {
    id = '';
    name = '';
    static override key = 'Named';
    static override validate(processed: { readonly name?: string }): string | undefined {
      return processed.name === undefined ? 'no name' : undefined;
    }
  }

  it('make an instance of a valid record only', () => {
    expect(User.validate({})).toBeUndefined();
    expect(Named.createIfValid({ id: '1', name: 'Ann' })).toBeInstanceOf(Named);
    expect(Named.createIfValid({ id: '1' })).toBeUndefined();
  });

  it('fail a write that is not valid', () => {
    expect(() => new Store().write(Named, { id: '1' })).toThrow('no name');
  });
});

describe('merge', () => {
  it('puts incoming fields over the stored ones', () => {
    expect(User.merge({ id: '1', name: 'Ann' }, { id: '1', age: 3 })).toEqual({ id: '1', name: 'Ann', age: 3 });
  });

  it('does not change the prototype when a field is named __proto__', () => {
    const merged: unknown = User.merge({ id: '1' }, JSON.parse('{"__proto__":{"admin":true}}'));
    expect((merged as Record<string, unknown>)['admin']).toBeUndefined();
  });

  it('orders versions by the time at which their requests were issued', () => {
    const [old, young] = [{ name: 'old', age: 1 }, { name: 'young' }];
    expect(User.mergeWithStore(earlier, later, old, young)).toEqual({ name: 'young', age: 1 });
    expect(User.mergeWithStore(later, earlier, young, old)).toEqual({ name: 'young', age: 1 });
    expect(User.mergeMetaWithStore(earlier, later, old, young)).toBe(later);
    expect(User.mergeMetaWithStore(later, earlier, young, old)).toBe(later);
  });

  it('prefers the incoming version if both are of the same request', () => {
    expect(User.mergeWithStore(later, later, { name: 'first' }, { name: 'second' })).toEqual({ name: 'second' });
  });

  it('replaces a deleted row without calling the class', () => {
    class Never extends User {
      static override merge(): unknown {
        throw new Error('asked');
      }
    }
    expect(Never.mergeWithStore(earlier, later, INVALID, { id: '1' })).toEqual({ id: '1' });
  });

  it('keeps the stored version if shouldUpdate returns false', () => {
    class Fixed extends User {
      static override shouldUpdate(): boolean {
        return false;
      }
    }
    const stored = { id: '1' };
    expect(Fixed.mergeWithStore(earlier, later, stored, { id: '1', name: 'x' })).toBe(stored);
  });
});

describe('queryKey', () => {
  class Indexed extends Entity {
    id = '';
    slug = '';
    static override key = 'Indexed';
    static override indexes = ['slug'] as const;
  }
  const delegate: QueryDelegate = {
    INVALID,
    hasEntity: (_table, pk) => pk === '1' || pk === 'gone',
    getEntity: (_table, pk) => (pk === '1' ? {} : pk === 'gone' ? INVALID : undefined),
    getEntities: () => undefined,
    getPks: () => undefined,
    hasTable: () => false,
    getIndex: (table, field, value) => (`${table}.${field}.${String(value)}` === 'Indexed.slug.hi' ? '1' : undefined),
  };
  const ask = (...args: unknown[]): string | undefined => Indexed.queryKey(args, () => undefined, delegate);

  it('takes a pk, or an object with the fields of one', () => {
    expect(ask('1')).toBe('1');
    expect(ask(1)).toBe('1');
    expect(ask({ id: 1 })).toBe('1');
  });

  it('takes the pk 0', () => {
    const store = new Store();
    store.write(Indexed, { id: 0 });
    expect(store.get(Indexed, 0)).toBe(store.get(Indexed, '0'));
    expect(store.get(Indexed, 0)).toBeInstanceOf(Indexed);
  });

  it('finds nothing without an argument, or if there is no such row', () => {
    expect([ask(), ask(''), ask(0), ask(null), ask('2'), ask({ id: 2 }), ask({})]).toEqual(Array(7).fill(undefined));
    expect([ask({ id: null }), ask(true), ask({ other: 1 })]).toEqual(Array(3).fill(undefined));
  });

  it('finds a deleted row', () => {
    expect(ask('gone')).toBe('gone');
  });

  it('looks an indexed field up', () => {
    expect(ask({ slug: 'hi' })).toBe('1');
    expect(ask({ slug: 'ho' })).toBeUndefined();
    expect(User.queryKey([{ slug: 'hi' }], () => undefined, delegate)).toBeUndefined();
  });

  it('finds a record by an indexed field if its pk() throws without the others', () => {
    class Repository extends Entity {
      owner = { login: '' };
      name = '';
      override pk(): string {
        return `${this.owner.login}/${this.name}`;
      }
      static override key = 'Repository';
      static override indexes = ['name'] as const;
    }
    const store = new Store();
    const owner = { login: 'ann' };
    store.write(Repository, { owner, name: 'joins' });
    const found = store.get(Repository, { owner, name: 'joins' });
    expect(found).toBeInstanceOf(Repository);
    expect(store.get(Repository, { name: 'joins' })).toBe(found);
    expect(store.get(Repository, { name: 'tables' })).toBeUndefined();
    expect(store.get(from(Repository).where({ name: 'joins' }).one())).toBe(found);
  });

  it('finds records in the store', () => {
    const store = new Store();
    store.write(Indexed, { id: '1', slug: 'hi' });
    expect(store.get(Indexed, { slug: 'hi' })).toBe(store.get(Indexed, '1'));
    expect(store.get(Indexed, { slug: 'toString' })).toBeUndefined();
  });

  it('finds a record by an index of which the arguments have all fields', () => {
    class Page extends Entity {
      id = '';
      site = '';
      slug = '';
      url = '';
      static override key = 'Page';
      static override indexes = [['site', 'slug'], 'url'] as const;
    }
    const store = new Store();
    store.write(
      [Page],
      [
        { id: '1', site: 'a', slug: 'x', url: '/1' },
        { id: '2', site: 'a', slug: 'y', url: '/2' },
      ],
    );
    expect(store.get(Page, { site: 'a', url: '/2' })).toBe(store.get(Page, '2'));
    expect(store.get(Page, { site: 'a', slug: 'y' })).toBe(store.get(Page, '2'));
    expect(store.get(Page, { site: 'a' })).toBeUndefined();
  });
});

describe('isEntity', () => {
  it('returns true for entity classes only', () => {
    expect(isEntity(User)).toBe(true);
    expect(isEntity(Number)).toBe(false);
    expect(isEntity({ pk: () => '', process: () => '', key: '' })).toBe(false);
    expect(isEntity(Object.assign(() => 1, { pk: () => '', process: 1, key: '' }))).toBe(false);
    expect(isEntity(undefined)).toBe(false);
  });
});

describe('a missing reference', () => {
  it('leaves a required field undefined if the record to which it refers was never stored', () => {
    const store = new Store();
    store.write(Post, { id: '1', author: '404' });
    expect((store.get(Post, '1') as Post).author).toBeUndefined();
  });

  it('leaves an optional field undefined if the record to which it refers was deleted', () => {
    const store = new Store();
    store.write(Post, { id: '1', author: { id: '7' }, editor: { id: '8' } });
    store.invalidate(User, '8');
    expect(store.get(Post, '1')).toMatchObject({ id: '1', author: { id: '7' }, editor: undefined });
  });

  it('keeps the default of a field that the record does not have', () => {
    const store = new Store();
    store.write(Post, { id: '1' });
    expect((store.get(Post, '1') as Post).author).toEqual({ id: '', name: '' });
  });
});
