import { describe, expect, it } from 'vitest';
import { keepsTheSchemaLaws } from '../../../tests/laws/schema-laws.ts';
import { Store } from '../../state/store/store.ts';
import { ArraySchema } from './array.ts';
import { Collection } from './collection.ts';
import { Entity } from './entity.ts';
import { Query } from './query.ts';
import type { Stamp } from './stamp.ts';
import { Union } from './union.ts';
import { Values } from './values.ts';

class Comment extends Entity {
  id = '';
  name = '';
  static override key = 'Comment';
}
class Post extends Entity {
  id = '';
  title = '';
  comments: Comment[] = [];
  static override key = 'Post';
  static override schema = {
    comments: new Collection([Comment], { nestKey: (parent: Post) => ({ postId: parent.id }) }),
  };
}
class Photo extends Entity {
  id = '';
  kind = 'photo';
  static override key = 'Photo';
}
const comments = new Collection([Comment], { argsKey: (params: { readonly postId: string }) => ({ ...params }) });

describe('a list', () => {
  keepsTheSchemaLaws({
    schema: () => new Collection([Comment]),
    response: () => [
      { id: '1', name: 'a' },
      { id: '2', name: 'b' },
    ],
    args: [{ postId: '7' }],
    part: { entity: Comment, pk: '1', record: { id: '1', name: 'a' } },
    withoutPart: [{ id: '2', name: 'b' }],
    wrong: ['text', 5, true, [{}], [[]]],
  });
});

describe('a list that is read by its arguments', () => {
  keepsTheSchemaLaws({
    schema: () => comments,
    response: () => [{ id: '1', name: 'a' }],
    args: [{ postId: '7' }],
    isQueried: true,
    part: { entity: Comment, pk: '1', record: { id: '1', name: 'a' } },
    withoutPart: [],
    wrong: ['text', [{ id: null }]],
  });
});

describe('a map', () => {
  keepsTheSchemaLaws({
    schema: () => new Collection(new Values(Comment)),
    response: () => ({ first: { id: '1', name: 'a' }, second: { id: '2', name: 'b' } }),
    args: [{}],
    part: { entity: Comment, pk: '1', record: { id: '1', name: 'a' } },
    withoutPart: { second: { id: '2', name: 'b' } },
    wrong: ['text', 5, { first: {} }],
  });
});

describe('the table', () => {
  it('is named after the schema of the collection', () => {
    expect(new Collection([Comment]).key).toBe('[Comment]');
    expect(new Collection(new ArraySchema(Comment)).key).toBe('[Comment]');
    expect(new Collection(new Values(Comment)).key).toBe('{Comment}');
    expect(new Collection([new Union({ photo: Photo, comment: Comment }, () => 'photo')]).key).toBe(
      '[photo=Photo;comment=Comment]',
    );
  });

  it('needs entities', () => {
    for (const schema of [[{ comment: Comment }], [null], { comment: Comment }, Comment, [Number]]) {
      expect(() => new Collection(schema as unknown as (typeof Comment)[])).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/^(collection-schema-invalid|schema-missing)$/) }),
      );
    }
    expect(() => new Collection(Comment as unknown as (typeof Comment)[])).toThrow('it is no list and no map');
    expect(() => new Collection([Number])).toThrow('its item is not an entity');
    const inner = new Union({ photo: Photo }, () => 'photo');
    const outer = new Union({ inner, comment: Comment }, (() => 'inner') as never);
    expect(() => new Collection([outer])).toThrow('inner is a Union inside a Union');
    expect(() => new Collection([Comment, Photo])).toThrow(
      expect.objectContaining({ code: 'array-shorthand-invalid' }),
    );
  });
});

describe('the pk', () => {
  it('comes from the first argument by default', () => {
    const store = new Store();
    const list = new Collection([Comment]);
    expect(store.write(list, [], { args: [{ postId: 1, done: false }] })).toBe('{"done":"false","postId":"1"}');
    expect(store.write(list, [], { args: [] })).toBe('{}');
    expect(store.write(list, [], { args: [undefined] })).toBe('{}');
  });

  it('comes from argsKey where it is given', () => {
    const list = new Collection([Comment], { argsKey: (params: { id: string; page: number }) => ({ id: params.id }) });
    expect(new Store().write(list, [], { args: [{ id: '1', page: 2 }] })).toBe('{"id":"1"}');
  });

  it('comes from nestKey inside an entity, and from the arguments elsewhere', () => {
    const store = new Store();
    const both = new Collection([Comment], {
      argsKey: (params: { readonly from: string }) => ({ from: params.from }),
      nestKey: (parent: { readonly id: string }, key) => ({ [key]: parent.id }),
    });
    class Page extends Entity {
      id = '';
      list: Comment[] = [];
      static override key = 'Page';
      static override schema = { list: both };
    }
    store.write(Page, { id: '1', list: [] }, { args: [{ from: 'a' }] });
    expect(store.row('Page', '1')).toEqual({ id: '1', list: '{"list":"1"}' });
    expect(store.write({ list: both }, { list: [] }, { args: [{ from: 'a' }] })).toEqual({ list: '{"from":"a"}' });
  });

  it('comes from the arguments inside an entity without nestKey', () => {
    class Page extends Entity {
      id = '';
      static override key = 'Page';
      static override schema = { list: new Collection([Comment]) };
    }
    const store = new Store();
    store.write(Page, { id: '1', list: [] }, { args: [{ a: 1 }] });
    expect(store.row('Page', '1')).toEqual({ id: '1', list: '{"a":"1"}' });
  });

  it('is undefined for a list of a record that has no id yet, so that it does not become the list of all records', () => {
    const { comments: nested } = Post.schema;
    expect(nested.pk([], {}, 'comments', [], Post)).toBeUndefined();
    const store = new Store();
    const posts = new Collection([Post]);
    store.write(new Collection([Comment]), [{ id: '1' }], { args: [{}] });
    store.write(posts, [], { args: [{}] });
    store.write(posts.push, { title: 'Draft', comments: [] }, { args: [{}] });
    expect(store.row('[Comment]', '{}')).toEqual(['1']);
  });
});

describe('a list in an entity', () => {
  it('is the same object as the list that is read by arguments of the same shape', () => {
    const store = new Store();
    store.write(Post, { id: '5', comments: [{ id: '1' }] });
    const post = store.get(Post, '5') as Post;
    expect(post.comments).toEqual([{ id: '1', name: '' }]);
    expect(store.get(comments, { postId: '5' })).toBe(post.comments);
  });

  it('passes the entity to `process` of its records as the parent, and the field as the key', () => {
    const seen: unknown[] = [];
    class Reply extends Entity {
      id = '';
      static override process(input: object, parent: { readonly id: string }, key: string | undefined): object {
        seen.push(parent.id, key);
        return { ...input };
      }
    }
    class Thread extends Entity {
      id = '';
      static override schema = {
        replies: new Collection([Reply], { nestKey: (parent: Thread) => ({ thread: parent.id }) }),
      };
    }
    new Store().write(Thread, { id: '9', replies: [{ id: '1' }, { id: '2' }] });
    expect(seen).toEqual(['9', 'replies', '9', 'replies']);
  });

  it('is missing if nestKey returns no value, so that the list is not stored, but its members are', () => {
    class Shop extends Entity {
      id = '';
      owner?: string;
      comments: readonly Comment[] = [];
      static override key = 'Shop';
      static override schema = {
        comments: new Collection([Comment], { nestKey: ({ owner }: Shop) => ({ owner }) }),
      };
    }
    const store = new Store();
    store.write(Shop, { id: '1', comments: [{ id: '2' }] });
    expect(store.row('Shop', '1')).toEqual({ id: '1' });
    expect(store.row('Comment', '2')).toEqual({ id: '2' });
  });

  it.each([7, null, undefined, '7'])('must be an object: %o', (key) => {
    class Stall extends Entity {
      id = '';
      comments: readonly Comment[] = [];
      static override key = 'Stall';
      static override schema = { comments: new Collection([Comment], { nestKey: () => key as never }) };
    }
    expect(() => new Store().write(Stall, { id: '1', comments: [] })).toThrow(
      expect.objectContaining({ code: 'collection-key-invalid', path: 'comments' }),
    );
  });
});

describe('a value that is not a list', () => {
  it.each(['text', 5, true])('is refused: %o', (input) => {
    expect(() => new Store().write(comments, input, { args: [{ postId: '1' }] })).toThrow(
      expect.objectContaining({ code: 'input-invalid', entity: '[Comment]' }),
    );
  });
});

describe('a list that arrives again', () => {
  it('replaces the stored list', () => {
    const store = new Store();
    const options = { args: [{ postId: '1' }] };
    store.write(comments, [{ id: '1' }, { id: '2' }], options);
    store.write(comments, [{ id: '3' }], options);
    expect(store.row('[Comment]', '{"postId":"1"}')).toEqual(['3']);
  });

  it('does not replace a list that was requested later', () => {
    const store = new Store();
    const options = { args: [{ postId: '1' }] };
    const request = store.begin();
    store.write(comments, [{ id: '1' }], options);
    store.write(comments, [{ id: '2' }], { ...options, request });
    expect(store.row('[Comment]', '{"postId":"1"}')).toEqual(['1']);
  });

  it('orders its versions as an entity does', () => {
    const [early, late] = [1, 2].map((issue) => ({ issue, fetchedAt: 0, date: 0, expiresAt: 0 })) as [Stamp, Stamp];
    expect(comments.mergeWithStore(early, late, ['1'], ['2'])).toEqual(['2']);
    expect(comments.mergeWithStore(late, early, ['1'], ['2'])).toEqual(['1']);
    expect(comments.shouldUpdate(early, late, ['1'], ['2'])).toBe(true);
  });
});

describe('a read by arguments', () => {
  it('finds a list that is stored, even an empty one', () => {
    const store = new Store();
    expect(store.get(comments, { postId: '1' })).toBeUndefined();
    store.write(comments, [], { args: [{ postId: '1' }] });
    expect(store.get(comments, { postId: 1 as unknown as string })).toEqual([]);
    expect(store.get(comments, { postId: '2' })).toBeUndefined();
  });

  it('passes undefined to a query of a list that is not stored', () => {
    const count = new Query(comments, (list) => list.length);
    const store = new Store();
    expect(store.get(count, { postId: '1' })).toBeUndefined();
    store.write(comments, [], { args: [{ postId: '1' }] });
    expect(store.get(count, { postId: '1' })).toBe(0);
  });
});

describe('inside of another schema', () => {
  it('is read by its pk', () => {
    const asked: unknown[] = [];
    const delegate = { args: [], unvisit: (...what: unknown[]) => asked.push(what) } as never;
    comments.denormalize('{}', delegate);
    expect(asked).toEqual([[comments, '{}']]);
  });
});

describe('a subclass', () => {
  it('may override methods in place of options', () => {
    class ByOwner extends Collection<(typeof Comment)[], [{ readonly owner: string; readonly sort?: string }]> {
      override argsKey(params: { readonly owner: string }): Record<string, unknown> {
        return { owner: params.owner };
      }
      override nestKey(_parent: unknown, key: string): Record<string, unknown> {
        return { key };
      }
      override nonFilterArgumentKeys(key: string): boolean {
        return key === 'owner';
      }
    }
    const list = new ByOwner([Comment]);
    expect(list.pk([], {}, 'field', [{ owner: 'ann', sort: 'name' }])).toBe('{"owner":"ann"}');
    expect(list.pk([], {}, 'field', [], Post)).toBe('{"key":"field"}');
    expect(list.createCollectionFilter({ owner: 'ann' })({ owner: 'bob' })).toBe(true);
  });
});

describe('the filter of the lists that a request selects', () => {
  const isMeant = (list: Collection, key: Record<string, unknown>, ...args: Record<string, unknown>[]): boolean =>
    list.createCollectionFilter(...(args as []))(key as Record<string, string>);
  const list = new Collection([Comment]) as Collection;

  it('checks every member of their key, in the params or else in the body', () => {
    expect(isMeant(list, { userId: '1' }, { userId: 1 })).toBe(true);
    expect(isMeant(list, { userId: '1' }, {}, { userId: 1 })).toBe(true);
    expect(isMeant(list, { userId: '1', group: 'a' }, { userId: 1 }, { group: 'a' })).toBe(true);
    expect(isMeant(list, { userId: '1', group: 'a' }, { userId: 1 })).toBe(false);
    expect(isMeant(list, {}, { userId: 1 })).toBe(true);
    expect(isMeant(list, { userId: '1' })).toBe(false);
  });

  it('ignores arguments that do not filter, such as the order', () => {
    expect(isMeant(list, { orderBy: 'name' }, {})).toBe(true);
    expect(isMeant(list, { sort: 'name', include: 'author' }, {})).toBe(true);
    expect(isMeant(list, { kind: 'name' }, {})).toBe(false);
  });

  it.each([
    ['a function', (key: string) => key === 'sort'],
    ['an expression', /^sort$/],
    ['a global expression', /sort/g],
    ['a list', ['sort']],
  ])('ignores the arguments that %s selects as nonFilterArgumentKeys', (_, nonFilterArgumentKeys) => {
    const sorted = new Collection([Comment], { nonFilterArgumentKeys }) as Collection;
    for (let round = 0; round < 3; round++) expect(isMeant(sorted, { sort: 'name' }, {})).toBe(true);
    expect(isMeant(sorted, { orderBy: 'name' }, {})).toBe(false);
    expect(new Collection([Comment], { nonFilterArgumentKeys }).pk([], {}, '', [{ sort: 'x' }])).toBe('{"sort":"x"}');
  });

  it('is createCollectionFilter, if it is given', () => {
    const own = new Collection([Comment], {
      createCollectionFilter: (params: { readonly all?: boolean }) => (key) => params.all === true || key['a'] === 'b',
    }) as Collection;
    expect(isMeant(own, { x: 'y' }, { all: true })).toBe(true);
    expect(isMeant(own, { x: 'y' }, {})).toBe(false);
    expect(isMeant(own, { a: 'b' }, {})).toBe(true);
  });

  it('ignores options that are undefined', () => {
    const options = { argsKey: undefined, nonFilterArgumentKeys: undefined } as unknown as { argsKey: () => object };
    const plain = new Collection([Comment], options as { argsKey: () => Record<string, unknown> });
    expect(plain.pk([], {}, '', [{ a: 1 }] as never)).toBe('{"a":"1"}');
  });
});
