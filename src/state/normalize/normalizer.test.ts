import { describe, expect, it } from 'vitest';
import { Comment, User } from '../../../tests/model.ts';
import {
  All,
  Collection,
  DataError,
  type DenormalizeDelegate,
  Entity,
  INVALID,
  Invalidate,
  type NormalizeDelegate,
  type SchemaSimple,
  Store,
  Union,
  Values,
  schema,
} from '../../index.ts';
import { takeSnapshot } from '../store/store-snapshot.ts';
import { addGuess } from '../store/layer.ts';
import { restore } from '../store/restore.ts';
class Post extends Entity {
  id = '';
  title = '';
  author: User | undefined = undefined;
  comments: Comment[] = [];
  related: Post | undefined = undefined;
  static override key = 'Post';
  static override schema: Record<string, unknown> = { author: User, comments: [Comment] };
}
Post.schema = { ...Post.schema, related: Post };

const comments: Collection = new Collection([Comment]);

/** A schema with the given functions to normalize and denormalize. Default: the value itself. */
function custom(parts: Partial<SchemaSimple>): SchemaSimple {
  return {
    normalize: (input) => input,
    denormalize: (stored) => stored,
    queryKey: () => undefined,
    ...parts,
  };
}

function errorOf(run: () => unknown): DataError {
  try {
    run();
  } catch (error) {
    if (error instanceof DataError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

const response = () => ({
  id: 'p1',
  title: 'Hello',
  author: { id: 'u1', name: 'Ann' },
  comments: [
    { id: 'c1', text: 'Hi', commenter: { id: 'u2', name: 'Bob' } },
    { id: 'c2', text: 'Ho', commenter: { id: 'u1', name: 'Ann' } },
  ],
});

describe('a nested response', () => {
  it('is stored row by row, with refs in place of records', () => {
    const store = new Store();
    expect(store.write(Post, response())).toBe('p1');
    expect(store.row('Post', 'p1')).toEqual({ id: 'p1', title: 'Hello', author: 'u1', comments: ['c1', 'c2'] });
    expect(store.row('Comment', 'c1')).toEqual({ id: 'c1', text: 'Hi', commenter: 'u2' });
    expect(store.row('User', 'u1')).toEqual({ id: 'u1', name: 'Ann' });
    expect(store.stats()).toMatchObject({ rows: 5, tables: 3 });
  });

  it('is neither changed nor shared', () => {
    const store = new Store();
    const input = { id: 'u1', name: 'Ann', settings: { tags: ['a'] } };
    store.write(User, input);
    expect(input).toEqual({ id: 'u1', name: 'Ann', settings: { tags: ['a'] } });
    input.settings.tags.push('b');
    expect(store.row('User', 'u1')).toEqual({ id: 'u1', name: 'Ann', settings: { tags: ['a'] } });
  });

  it('is not shared if a field has no schema, nor inside schemas that keep their input', () => {
    const store = new Store();
    const media = new schema.Array({ post: Post }, ({ kind }: { kind: string }) => kind as 'post');
    const raw = { list: [{ kind: 'ad' }], plain: { tags: ['a'] } };
    const stored = store.write({ list: media }, raw) as typeof raw;
    expect(stored).toEqual(raw);
    expect(stored.list[0]).not.toBe(raw.list[0]);
    expect(stored.plain).not.toBe(raw.plain);
    expect(store.write(undefined, raw)).toEqual(raw);
    expect(store.write(undefined, raw)).not.toBe(raw);
  });

  it('with numbers as pks and refs has text in the store', () => {
    const store = new Store();
    expect(store.write(Post, { id: 1, author: 2, comments: [{ id: 3 }, 4, 5n] })).toBe('1');
    expect(store.row('Post', '1')).toEqual({ id: 1, author: '2', comments: ['3', '4', '5'] });
  });

  it.each([[null], [undefined], ['']])('keeps %j in the row, and reads it as a reference to nothing', (author) => {
    const store = new Store();
    store.write(Post, { id: 'p1', author, comments: [author] });
    expect(store.row('Post', 'p1')).toEqual({ id: 'p1', author, comments: author === undefined ? [] : [author] });
    expect(store.get(Post, 'p1')).toBeInstanceOf(Post);
  });

  it.each([[null], [undefined]])('may have %j instead of a list', (list) => {
    const store = new Store();
    store.write(Post, { id: 'p1', comments: list });
    expect(store.row('Post', 'p1')).toEqual({ id: 'p1', comments: list });
  });

  it('may have an object in place of a list, and gaps in lists', () => {
    const store = new Store();
    store.write(Post, { id: 'p1', comments: { first: { id: 'c1' }, second: { id: 'c2' } } });
    expect(store.row('Post', 'p1')).toMatchObject({ comments: ['c1', 'c2'] });
    store.write(Post, { id: 'p1', comments: [{ id: 'c1' }, null, undefined, 'c2'] });
    expect(store.row('Post', 'p1')).toMatchObject({ comments: ['c1', null, 'c2'] });
  });

  it('that arrives unchanged changes nothing', () => {
    const store = new Store();
    store.write(Post, response());
    const rows = ['p1'].map((pk) => store.row('Post', pk));
    store.write(Post, response());
    expect(store.row('Post', 'p1')).toBe(rows[0]);
  });

  it.each([
    [{ author: 'u2' }],
    [{ comments: ['c1'] }],
    [{ title: 'Other' }],
    [{ title: undefined }],
    [{ extra: undefined }],
    [{ extra: 1 }],
    [{ extra: { a: 1 } }],
    [{ author: undefined }],
  ])('that also contains %j makes another row', (change) => {
    const store = new Store();
    store.write(Post, response());
    const before = store.row('Post', 'p1');
    store.write(Post, { ...response(), ...change });
    expect(store.row('Post', 'p1')).not.toBe(before);
    expect(store.row('Post', 'p1')).toEqual(Object.assign({}, before, change));
  });

  it('fields that arrive unchanged keep their data', () => {
    const store = new Store();
    store.write(User, { id: 'u1', name: 'a', settings: { tags: ['a'] } });
    const { settings } = store.row('User', 'u1') as { settings: object };
    store.write(User, { id: 'u1', name: 'b', settings: { tags: ['a'] } });
    expect((store.row('User', 'u1') as { settings: object }).settings).toBe(settings);
  });

  it('may have fields with the names of members of Object.prototype', () => {
    class Odd extends Entity {
      id = '';
      static override key = 'Odd';
      static override schema = { valueOf: User, constructor: User, own: User };
    }
    const store = new Store();
    store.write(Odd, { id: 'o', own: undefined });
    expect(store.row('Odd', 'o')).toEqual({ id: 'o', own: undefined });
    store.write(Odd, { id: 'o', valueOf: { id: 'u1' } });
    expect(store.row('Odd', 'o')).toEqual({ id: 'o', own: undefined, valueOf: 'u1' });
  });

  it('a field called __proto__ stays data', () => {
    const store = new Store();
    store.write(User, JSON.parse('{"id":"u1","name":"a","__proto__":{"admin":true}}'));
    const row = store.row('User', 'u1') as object;
    expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
    expect(Object.keys(row)).toContain('__proto__');
    expect((store.get(User, 'u1') as { admin?: unknown }).admin).toBeUndefined();
  });
});

describe('a record that a response has several times', () => {
  it('is one row, made from all its occurrences', () => {
    const store = new Store();
    store.write(
      [User],
      [
        { id: 'u1', name: 'a' },
        { id: 'u1', age: 3 },
        { id: 'u1', name: 'b' },
      ],
    );
    expect(store.row('User', 'u1')).toEqual({ id: 'u1', name: 'b', age: 3 });
  });

  it('in several versions keeps its former row if the last is equal', () => {
    const store = new Store();
    const versions = () => [
      { id: 'u1', name: 'a' },
      { id: 'u1', name: 'b' },
    ];
    store.write([User], versions());
    const row = store.row('User', 'u1');
    store.write([User], versions());
    expect(store.row('User', 'u1')).toBe(row);
  });

  it('may contain itself', () => {
    const store = new Store();
    const post: Record<string, unknown> = { id: 'p1' };
    post['related'] = post;
    store.write(Post, post);
    expect(store.row('Post', 'p1')).toEqual({ id: 'p1', related: 'p1' });
    const read = store.get(Post, 'p1') as Post;
    expect(read.related).toBe(read);
  });

  it('may contain other versions of itself that lead back to it', () => {
    const store = new Store();
    const first: Record<string, unknown> = { id: 'p1', title: 'a' };
    const third = { id: 'p1', text: 'c', related: first };
    first['related'] = { id: 'p1', title: 'b', related: third };
    store.write(Post, first);
    expect(store.row('Post', 'p1')).toEqual({ id: 'p1', title: 'a', text: 'c', related: 'p1' });
  });
});

describe('deep data', () => {
  class Link extends Entity {
    id = '';
    name = '';
    next: Link | undefined = undefined;
    static override key = 'Link';
    static override schema: Record<string, unknown> = {};
  }
  Link.schema = { next: Link };
  const chain = (length: number, end: object): object => {
    let link = end;
    for (let at = length - 1; at >= 0; at--) link = { id: `l${at}`, name: `n${at}`, next: link };
    return link;
  };

  it('a chain of 100,000 records is written and read', () => {
    const store = new Store({ frozen: false });
    store.write(Link, chain(100_000, { id: 'end' }));
    let link = store.get(Link, 'l0') as Link;
    let length = 0;
    for (; link.next !== undefined; link = link.next) length++;
    expect(length).toBe(100_000);
    expect(link.id).toBe('end');
  });

  it('an error deep in the data is named by the end of its path, and nothing is written', () => {
    const store = new Store();
    const { code, entity, path } = errorOf(() => store.write(Link, chain(1000, { name: 'no id' })));
    expect({ code, entity }).toEqual({ code: 'pk-missing', entity: 'Link' });
    expect(path).toMatch(/^….*\.next\.next$/);
    expect(store.stats().rows).toBe(0);
  });

  it('plain data nested too deep is an error that names the record and the field', () => {
    let deep: unknown = 'end';
    for (let level = 0; level < 1100; level++) deep = [deep];
    const store = new Store();
    expect(errorOf(() => store.write([User], [{ id: 'u1' }, { id: 'u2', settings: deep }]))).toMatchObject({
      code: 'too-deep',
      entity: 'User',
      path: '[1].settings',
      message: expect.stringMatching(
        /Plain data is nested deeper than \d+ levels\. Flatten it, or give the records in it a schema\./,
      ),
    });
    expect(errorOf(() => store.write(undefined, deep))).toMatchObject({ code: 'too-deep', path: 'the top' });
    expect(store.stats().rows).toBe(0);
  });

  const kinds = [
    ['lists', (inner: unknown) => [inner], (inner: unknown) => [inner]],
    ['collections', (inner: unknown) => new Collection([inner]), (inner: unknown) => [inner]],
    ['maps', (inner: unknown) => new Values(inner), (inner: unknown) => ({ a: inner })],
  ] as const;
  it.each([410, 1300, 20_000].flatMap((levels) => kinds.map((kind) => [levels, ...kind] as const)))(
    'schemas that are nested %d deep are refused: %s in each other',
    (levels, _name, wrapSchema, wrapInput) => {
      let nested: unknown = User;
      let input: unknown = { id: 'u1' };
      for (let level = 0; level < levels; level++) {
        nested = wrapSchema(nested);
        input = wrapInput(input);
      }
      expect(errorOf(() => new Store().write(nested, input)).code).toBe('too-deep');
    },
  );

  it('a schema that is nested too deep is refused also if the schemas inside of it were used before', () => {
    const store = new Store();
    let nested: unknown = User;
    let input: unknown = { id: 'u1' };
    for (let level = 1; level <= 410; level++) {
      nested = [nested];
      input = [input];
      if (level % 300 === 0) store.write(nested, input);
    }
    expect(errorOf(() => store.write(nested, input)).code).toBe('too-deep');
  });

  it('data that is nested too deep is refused if its schema contains itself', () => {
    const node: Record<string, unknown> = {};
    node['next'] = node;
    let input: object = {};
    for (let level = 0; level < 500; level++) input = { next: input };
    expect(errorOf(() => new Store().write(node, input)).code).toBe('too-deep');
  });

  it('a getter that throws while plain data is copied is the error hook-failed', () => {
    const settings = {
      get secret(): never {
        throw new RangeError('locked');
      },
    };
    expect(errorOf(() => new Store().write(User, { id: 'u1', settings }))).toMatchObject({
      code: 'hook-failed',
      path: 'the top',
    });
  });
});

describe('an input that cannot be stored', () => {
  it.each([
    ['a record without a pk', [User], [{ id: 'u1' }, { name: 'b' }], 'pk-missing', 'User', '[1]'],
    ['a nested record without a pk', Post, { id: 'p1', author: { name: 'b' } }, 'pk-missing', 'User', 'author'],
    ['a list for a record', Post, { id: 'p1', author: [{ id: 'u1' }] }, 'input-invalid', 'User', 'author'],
    ['text for a list', Post, { id: 'p1', comments: 'c1' }, 'input-invalid', '[Comment]', 'comments'],
    ['text for a list of lists', { lists: [[Comment]] }, { lists: 'c1' }, 'input-invalid', undefined, 'lists'],
    ['a pk that is none', User, { id: null }, 'pk-invalid', 'User', 'the top'],
    ['true for a ref', Post, { id: 'p1', comments: ['c1', true] }, 'ref-invalid', 'Comment', 'comments[1]'],
    ['NaN for a ref', Post, { id: 'p1', author: Number.NaN }, 'ref-invalid', 'User', 'author'],
    [
      'inside a record of a list',
      [Post],
      [{ id: 'p1', comments: [{ id: 'c1', commenter: {} }] }],
      'pk-missing',
      'User',
      '[0].comments[0].commenter',
    ],
    ['inside a map', new Values(User), { a: {} }, 'pk-missing', 'User', 'a'],
    ['inside all records', new All(User), [{ id: 'u1' }, {}], 'pk-missing', 'User', '[1]'],
  ])('%s', (_name, given, input, code, entity, path) => {
    const store = new Store();
    store.write(Post, response());
    const before = store.row('Post', 'p1');
    expect(errorOf(() => store.write(given, input))).toMatchObject({ code, entity, path });
    expect(store.row('Post', 'p1')).toBe(before);
    expect(store.stats()).toMatchObject({ rows: 5 });
  });

  it.each([2 ** 53, -(2 ** 53), 1e21, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN])(
    'the number %d is not a reference, as it is not a pk: it would refer to another record',
    (inexact) => {
      const store = new Store();
      store.write(comments, [], { args: [{}] });
      const refused = {
        code: 'ref-invalid',
        message: expect.stringContaining(
          `but the response has the number ${inexact}. A pk is a string or an exact number.`,
        ),
      };
      expect(errorOf(() => store.write(Post, { id: 'p1', author: inexact }))).toMatchObject(refused);
      expect(errorOf(() => store.write(Post, { id: 'p1', comments: [inexact] }))).toMatchObject(refused);
      expect(errorOf(() => store.write(User, inexact))).toMatchObject(refused);
      expect(errorOf(() => store.write(new Values(User), { a: inexact }))).toMatchObject(refused);
      expect(errorOf(() => store.write(comments, [inexact], { args: [{}] }))).toMatchObject(refused);
      expect(errorOf(() => store.write(comments.push, inexact, { args: [{}] }))).toMatchObject(refused);
      expect(errorOf(() => store.write(comments.remove, [inexact], { args: [{}] }))).toMatchObject(refused);
      expect(errorOf(() => store.write(comments.move, inexact, { args: [{}] }))).toMatchObject(refused);
      const deleted = errorOf(() => store.write(new Invalidate(User), inexact));
      expect(deleted).toMatchObject({ code: 'pk-invalid' });
      expect(store.get(User, inexact as unknown as string)).toBeUndefined();
      expect(store.get(User, { id: inexact as unknown as string })).toBeUndefined();
      expect(store.stats().rows).toBe(1);
    },
  );

  it('a reference may be any exact number, and a bigint', () => {
    const store = new Store();
    const largest = Number.MAX_SAFE_INTEGER;
    for (const id of [largest, 1.5, 2n ** 53n + 1n]) {
      store.write(User, { id: String(id) });
      store.write(Post, { id: 'p1', author: id });
      expect(store.get(Post, 'p1')?.author).toBe(store.get(User, String(id)));
    }
    store.write(new Invalidate(User), 2n ** 53n + 1n);
    expect(store.get(User, String(2n ** 53n + 1n))).toBeUndefined();
  });

  it('0 and false refer to nothing', () => {
    const store = new Store();
    store.write(Post, { id: 'p1', author: false, related: 0 });
    expect(store.get(Post, 'p1')).toMatchObject({ author: undefined, related: undefined });
  });
});

describe('hooks', () => {
  it('process() makes the record to store, and undefined deletes it', () => {
    class Shouting extends Entity {
      id = '';
      name = '';
      static override key = 'Shouting';
      static override process(input: { gone?: boolean; name: string }, parent: unknown, key: unknown): unknown {
        return input.gone ? undefined : { ...input, name: `${input.name}!`, key: key ?? null, hasParent: !!parent };
      }
    }
    class Holder extends Entity {
      id = '';
      static override key = 'Holder';
      static override schema = { shout: Shouting };
    }
    const store = new Store();
    store.write(Holder, { id: 'h', shout: { id: 's', name: 'a' } });
    expect(store.row('Shouting', 's')).toEqual({ id: 's', name: 'a!', key: 'shout', hasParent: true });
    store.write(Holder, { id: 'h', shout: { id: 's', gone: true } });
    expect(store.row('Shouting', 's')).toBe(INVALID);
    expect(store.row('Holder', 'h')).toEqual({ id: 'h', shout: 's' });
  });

  it.each([['text'], [5], [null]])('process() that returns %j is an error', (given) => {
    class Broken extends Entity {
      id = '';
      static override key = 'Broken';
      static override process(): unknown {
        return given;
      }
    }
    expect(errorOf(() => new Store().write([Broken], [{ id: 'b' }]))).toMatchObject({
      code: 'input-invalid',
      entity: 'Broken',
      path: '[0]',
    });
  });

  it('process() that returns a list is an error', () => {
    class Listing extends Entity {
      id = '';
      static override key = 'Listing';
      static override process(): unknown {
        return [];
      }
    }
    expect(errorOf(() => new Store().write(Listing, { id: 'l' })).code).toBe('input-invalid');
  });

  it('validate() rejects a record, and the whole write with it', () => {
    class Named extends Entity {
      id = '';
      name = '';
      static override key = 'Named';
      static override validate(record: { name?: string }): string | undefined {
        return record.name ? undefined : 'name is missing';
      }
    }
    const store = new Store();
    const error = errorOf(() => store.write([Named], [{ id: 'n1', name: 'a' }, { id: 'n2' }]));
    expect(error).toMatchObject({ code: 'record-refused', entity: 'Named', path: '[1]' });
    expect(error.message).toContain('name is missing');
    expect(store.row('Named', 'n1')).toBeUndefined();
  });

  it('pk() gets the parent, its key and the arguments', () => {
    class Price extends Entity {
      amount = 0;
      static override key = 'Price';
      override pk(parent: { id: string }, key: string, args: readonly { shop: string }[]): string {
        return `${parent.id}/${key}/${args[0]?.shop}`;
      }
    }
    class Product extends Entity {
      id = '';
      static override key = 'Product';
      static override schema = { price: Price };
    }
    const store = new Store();
    store.write(Product, { id: 'x', price: { amount: 5 } }, { args: [{ shop: 's' }] });
    expect(store.row('Product', 'x')).toEqual({ id: 'x', price: 'x/price/s' });
  });

  it.each([
    ['process', { process: () => { throw new RangeError('mine'); } }], // prettier-ignore
    ['pk', { pk: () => { throw new RangeError('mine'); } }], // prettier-ignore
    ['validate', { validate: () => { throw new RangeError('mine'); } }], // prettier-ignore
  ])('%s() that throws is named, with the place and the cause', (hook, methods) => {
    class Failing extends Entity {
      id = '';
      static override key = 'Failing';
    }
    Object.assign(Failing, methods);
    const store = new Store();
    const error = errorOf(() => store.write({ list: [Failing] }, { list: [{ id: 'f' }] }));
    expect(error).toMatchObject({ code: 'hook-failed', entity: 'Failing', path: 'list[0]' });
    expect(error.message).toContain(`Failing.${hook}() threw`);
    expect(error.cause).toBeInstanceOf(RangeError);
    expect(store.row('Failing', 'f')).toBeUndefined();
  });

  it('a schema that throws is named by the path alone, whatever it throws', () => {
    const failing = custom({
      normalize: () => {
        throw 'no error at all'; // oxlint-disable-line no-throw-literal
      },
    });
    const error = errorOf(() => new Store().write({ part: failing }, { part: 1 }));
    expect(error).toMatchObject({ code: 'hook-failed', path: 'part', cause: 'no error at all' });
    expect(error.message).toContain('At part: A schema threw: no error at all.');
  });

  it.each([
    ['get', (store: Store) => store.get(User, 'u1')],
    ['write', (store: Store) => store.write(User, { id: 'u1' })],
    ['reset', (store: Store) => store.reset()],
    ['restore', (store: Store) => restore(store.writer, [], [])],
    ['guess', (store: Store) => addGuess(store, () => undefined)],
    ['read', (store: Store) => store.read(User, 'u1')],
  ])('a hook may not use the store: %s', (_name, use) => {
    const store = new Store();
    class Curious extends Entity {
      id = '';
      static override key = 'Curious';
      static override process(input: object): object {
        use(store);
        return input;
      }
    }
    const text =
      'The store was used during a write. Hooks such as process() and merge() must use only their arguments.';
    expect(errorOf(() => store.write(Curious, { id: 'c' }))).toMatchObject({
      code: 'store-busy',
      path: 'the top',
      message: expect.stringContaining(text) as unknown,
    });
    expect(store.get(User, 'u1')).toBeUndefined();
    expect(store.row('Curious', 'c')).toBeUndefined();
  });
});

describe('the delegate of a write', () => {
  it('visit stores a part, under the given name', () => {
    const pair = custom({
      normalize: (input, _parent, _key, delegate) => {
        const { left, right } = input as { left: unknown; right: unknown };
        return [delegate.visit(User, left, input, 'left'), delegate.visit(User, right, input, undefined)];
      },
    });
    const store = new Store();
    expect(store.write(pair, { left: { id: 'u1' }, right: { id: 'u2' } })).toEqual(['u1', 'u2']);
    expect(errorOf(() => store.write(pair, { left: {}, right: {} })).path).toBe('left');
  });

  it('has the arguments, and when the write was requested', () => {
    const seen: unknown[] = [];
    const looking = custom({
      normalize: (_input, parent, _key, { args, meta }) => void seen.push(args, meta.issue, meta.expiresAt, parent),
    });
    const store = new Store();
    const request = store.begin();
    store.write(looking, {}, { args: [{ id: 'x' }], request, expiresAt: 5 });
    expect(seen).toEqual([[{ id: 'x' }], 1, 5, {}]);
  });

  it('passes the input as the parent at the top, for schemas, hooks and discriminators', () => {
    const parents: unknown[] = [];
    class Seen extends Entity {
      id = '';
      static override key = 'Seen';
      override pk(parent: unknown): string {
        parents.push(parent);
        return this.id;
      }
      static override process(input: object, parent: unknown): object {
        parents.push(parent);
        return { ...input };
      }
    }
    const kind = (_value: unknown, parent: unknown): 'seen' => {
      parents.push(parent);
      return 'seen';
    };
    const store = new Store();
    const record = { id: '1' };
    const list = [record];
    store.write(Seen, record, { args: [{ id: 'x' }] });
    store.write(new Union({ seen: Seen }, kind), record);
    store.write([Seen], list);
    expect(parents).toEqual([record, record, record, record, record, list, list]);
    for (const [at, parent] of parents.entries()) expect(parent).toBe(at < 5 ? record : list);
  });

  it('leaves out records for which process() returned undefined, if they have no pk either', () => {
    class Job extends Entity {
      id = '';
      static override key = 'Job';
      static override process(input: { readonly id?: string }): unknown {
        return input.id === undefined ? undefined : { ...input };
      }
    }
    const store = new Store();
    const jobOrNone = { list: [Job], map: new Values(Job), one: Job };
    const stored = store.write(jobOrNone, { list: [{}, { id: '1' }], map: { a: {}, b: { id: '1' } }, one: {} });
    expect(stored).toEqual({ list: ['1'], map: { b: '1' } });
    const jobs = new Collection([Job]);
    store.write(jobs, [{ id: '1' }], { args: [{}] });
    store.write(jobs.push, {}, { args: [{}] });
    store.write(jobs.move, {}, { args: [{}] });
    expect(store.row('[Job]', '{}')).toEqual(['1']);
  });

  it('keeps a list without an item schema, such as []', () => {
    class Box extends Entity {
      id = '';
      things: unknown[] = [];
      static override key = 'Box';
      static override schema = { things: [] };
    }
    const store = new Store();
    store.write({ boxes: [Box], others: [] }, { boxes: [{ id: '1', things: [1, { id: 2 }] }], others: [{ id: 3 }] });
    expect(store.get(Box, '1')?.things).toEqual([1, { id: 2 }]);
    expect(store.read({ others: [] }, { others: [{ id: 3 }] })).toEqual({ others: [{ id: 3 }] });
  });

  it('reads rows and tables as they are at this point of the write', () => {
    const seen: unknown[] = [];
    const looking = custom({
      normalize: (input, _parent, _key, delegate) => {
        seen.push(delegate.getEntity('Nothing', 'x'), delegate.getEntity('User', 'u1'));
        delegate.visit(User, input, undefined, undefined);
        seen.push(delegate.getEntity('User', 'u1'));
        delegate.invalidate(User, 'u2');
        seen.push([...delegate.getEntities('User')]);
      },
    });
    const store = new Store();
    store.write([User], [{ id: 'u1', name: 'a' }, { id: 'u2' }]);
    store.get(User, 'not there');
    store.write(looking, { id: 'u1', name: 'b' });
    expect(seen).toEqual([
      undefined,
      { id: 'u1', name: 'a' },
      { id: 'u1', name: 'b' },
      [
        ['u1', { id: 'u1', name: 'b' }],
        ['u2', INVALID],
      ],
    ]);
  });

  it('setEntity replaces a row, mergeEntity merges by the rules of the schema', () => {
    const setting = custom({
      normalize: (input, _parent, _key, delegate: NormalizeDelegate) => {
        delegate.setEntity(User, 'u1', input as object);
        delegate.mergeEntity(User, 'u2', input as object);
        delegate.mergeEntity(User, 'u3', input as object);
      },
    });
    const store = new Store();
    store.write(
      [User],
      [
        { id: 'u1', age: 1 },
        { id: 'u2', age: 2 },
      ],
    );
    store.write(setting, { name: 'a' });
    expect(['u1', 'u2', 'u3'].map((pk) => store.row('User', pk))).toEqual([
      { name: 'a' },
      { id: 'u2', age: 2, name: 'a' },
      { name: 'a' },
    ]);
  });

  it('setEntity can store a collection, which deleted members leave', () => {
    const listing = custom({
      normalize: (input, _parent, _key, delegate) => delegate.setEntity(comments, '{}', input as object),
    });
    const store = new Store();
    store.write(comments, [{ id: 'c1' }, { id: 'c2' }], { args: [{}] });
    store.get(comments, {});
    store.write(listing, ['c2', 'c1']);
    store.invalidate(Comment, 'c1');
    expect(store.row(comments.key, '{}')).toEqual(['c2']);
  });

  it('returns every stored collection of a table, with its key', () => {
    const seen: unknown[] = [];
    const looking = custom({
      normalize: (_input, _parent, _key, delegate) => void seen.push(...delegate.getCollections(comments.key)),
    });
    const store = new Store();
    store.write(comments, ['c1'], { args: [{ post: 1 }] });
    store.write(comments, ['c2'], { args: [{ post: 2 }] });
    const stamp = { issue: 0, fetchedAt: 0, date: 0, expiresAt: 0 };
    const foreign = ['no JSON', '5', 'null'].map((pk) => ({ table: comments.key, pk, row: [], stamp }));
    restore(store.writer, foreign, []);
    store.get(comments, { post: 3 });
    store.write(looking, {});
    expect(seen).toEqual([
      { pk: '{"post":"1"}', row: ['c1'], args: { post: '1' }, issue: 1 },
      { pk: '{"post":"2"}', row: ['c2'], args: { post: '2' }, issue: 2 },
    ]);
    store.write(looking, {});
    expect(seen[2]).toEqual(seen[0]);
  });

  it('create gives a record a pk until the server does', () => {
    const store = new Store();
    store.write(comments, [], { args: [{}] });
    const one = store.write(comments.push, { text: 'a' }, { args: [{}] });
    const two = store.write(comments.push, { id: '', text: 'b' }, { args: [{}] });
    expect(one).not.toBe(two);
    expect(store.row(comments.key, '{}')).toEqual([one, two]);
    expect(store.row('Comment', String(one))).toEqual({ id: one, text: 'a' });
    expect(store.row('Comment', String(two))).toEqual({ id: two, text: 'b' });
  });

  it('create does not give pks to records nested in a record', () => {
    const store = new Store();
    const error = errorOf(() => store.write(comments.push, { text: 'a', commenter: { name: 'b' } }, { args: [{}] }));
    expect(error).toMatchObject({ code: 'pk-missing', entity: 'User', path: 'commenter' });
  });

  it('create of a record with a list of its own stores the list under the temporary pk', () => {
    class Thread extends Entity {
      id = '';
      comments: unknown = undefined;
      static override key = 'Thread';
      static override schema = {
        comments: new Collection([Comment], { nestKey: (thread: { id: string }) => ({ thread: thread.id }) }),
      };
    }
    const threads: Collection = new Collection([Thread]);
    const store = new Store();
    const pk = store.write(threads.push, { title: 'a', comments: [{ id: 'c1' }] }, { args: [{}] });
    expect(store.row('Thread', String(pk))).toEqual({ id: pk, title: 'a', comments: JSON.stringify({ thread: pk }) });
    expect(store.row('Comment', 'c1')).toEqual({ id: 'c1' });
  });

  it('create puts the temporary pk into the field that a pk() of its own returns', () => {
    class Slug extends Entity {
      slug = '';
      static override key = 'Slug';
      override pk(): string {
        return this.slug;
      }
    }
    const slugs: Collection = new Collection([Slug]);
    const store = new Store();
    const pk = store.write(slugs.push, { title: 'a' }, { args: [{}] });
    expect(store.row('Slug', String(pk))).toEqual({ title: 'a', slug: pk });
  });
});

describe('a record that has another pk by now', () => {
  const created = (store: Store): string => {
    const layer = addGuess(store, () => ({ schema: comments.push, response: { text: 'a' }, args: [{}] }));
    const { pk } = [...layerRows(store)][0] as { pk: string };
    layer.confirm(comments.push, { id: 'c1', text: 'a' }, { args: [{}] });
    return pk;
  };
  function* layerRows(store: Store): Generator<{ pk: string }> {
    const seen = takeSnapshot(store).get(new schema.All(Comment)) as Comment[];
    for (const { id } of seen) yield { pk: id };
  }

  it('keeps its own id when it is written by the old one', () => {
    const store = new Store();
    const pk = created(store);
    store.write(Comment, { id: pk, text: 'b' });
    expect(store.row('Comment', 'c1')).toEqual({ id: 'c1', text: 'b' });
  });

  it('keeps its own id when it is written by the old one after it was deleted', () => {
    const store = new Store();
    const pk = created(store);
    store.invalidate(Comment, 'c1');
    store.write(Comment, { id: pk, text: 'b' });
    expect(store.row('Comment', 'c1')).toEqual({ id: 'c1', text: 'b' });
  });

  it('has the new id when its row has none', () => {
    const store = new Store();
    const pk = created(store);
    const setting = custom({
      normalize: (input, _parent, _key, delegate) => delegate.setEntity(Comment, 'c1', input as object),
    });
    store.write(setting, { text: 'x' });
    store.write(Comment, { id: pk, text: 'b' });
    expect(store.row('Comment', 'c1')).toEqual({ id: 'c1', text: 'b' });
  });
});

it('a function in a schema is applied on read and not on write', () => {
  class Event extends Entity {
    id = '';
    at: Date = new Date(0);
    static override key = 'Event';
    static override schema = { at: Date };
  }
  const store = new Store();
  store.write(Event, { id: 'e', at: '2026-01-01T00:00:00.000Z' });
  expect(store.row('Event', 'e')).toEqual({ id: 'e', at: '2026-01-01T00:00:00.000Z' });
  expect((store.get(Event, 'e') as Event).at).toEqual(new Date('2026-01-01'));
});

it('a reference to a record that the same write deletes stays a reference', () => {
  const store = new Store();
  const media = new Union({ post: Post, user: User }, ({ kind }: { kind: string }) => kind as 'post');
  expect(store.write(new Invalidate(media), { kind: 'post', id: 'p1' })).toEqual({ id: 'p1', schema: 'post' });
  expect(store.row('Post', 'p1')).toBe(INVALID);
});

it('a delegate cannot be used after denormalize has returned', () => {
  let late: DenormalizeDelegate | undefined;
  const keeping = custom({
    denormalize: (stored, delegate) => {
      late = delegate;
      return stored;
    },
  });
  new Store().read(keeping, 'x');
  expect(errorOf(() => late?.unvisit(User, 'u1')).code).toBe('delegate-late');
});

it('fields that a class does not declare stay as they arrived, also if another class has relations there', () => {
  class Author extends Entity {
    id = '';
    static override key = 'Author';
  }
  class Detail extends Entity {
    id = '';
    author: Author | undefined = undefined;
    static override key = 'Article';
    static override schema = { author: Author };
  }
  class Summary extends Entity {
    id = '';
    author: unknown = undefined;
    static override key = 'Article';
  }
  const store = new Store();
  store.write(Detail, { id: '1', author: { id: 'a' } });
  store.write(Summary, { id: '2', author: 7 });
  expect(store.row('Article', '2')).toEqual({ id: '2', author: 7 });
});

it('a class with a merge() of its own merges a sent body with the stored record', () => {
  const given: object[] = [];
  class Counter extends Entity {
    id = '';
    count = 0;
    note = '';
    static override key = 'Counter';
    static override merge(existing: object, incoming: object): object {
      given.push(incoming);
      return { ...existing, ...incoming };
    }
  }
  const store = new Store();
  store.write(Counter, { id: '1', count: 1, note: 'a' });

  store.write(Counter, { id: '1', count: 2 }, { isPart: true });

  expect(given).toEqual([{ id: '1', count: 2, note: 'a' }]);
  expect(store.get(Counter, '1')).toMatchObject({ count: 2, note: 'a' });
});

describe('records from the store, which refer to each other,', () => {
  class Person extends Entity {
    id = '';
    name = '';
    friends: readonly Person[] = [];
    static override key = 'Person';
    static override schema: Record<string, unknown> = {};
    static visits = 0;
    static override validate(): string | undefined {
      this.visits++;
      return undefined;
    }
  }
  Person.schema = { friends: [Person] };
  const ids = Array.from({ length: 7 }, (_, at) => `${at}`);
  const friends = (store: Store): Person => {
    store.write(
      [Person],
      ids.map((id) => ({ id, name: id, friends: ids.filter((other) => other !== id) })),
    );
    return store.get(Person, '0') as Person;
  };

  it('are stored once each, however many ways lead from one to another', () => {
    for (const empty of [true, false]) {
      const store = new Store();
      const person = friends(store);
      const target = empty ? new Store() : store;
      Person.visits = 0;
      target.write(Person, { ...(person as object), name: 'changed' });
      expect(Person.visits).toBeLessThan(ids.length * ids.length + ids.length);
      expect(target.get(Person, '0')).toMatchObject({ name: 'changed', friends: { length: 6 } });
      expect(target.get(Person, '6')?.friends[0]?.name).toBe('changed');
    }
  });

  it('are stored again after another version of them, because the last one decides', () => {
    const store = new Store();
    const person = friends(store);
    const other = { id: '3', name: 'other', friends: [] };
    const third = store.get(Person, '3');
    store.write(Person, { id: '9', friends: [third, other, third] });
    expect(store.get(Person, '3')).toBe(third);
    store.write(Person, { id: '9', friends: [third, other] });
    expect(store.get(Person, '3')?.name).toBe('other');
    expect(person.name).toBe('0');
  });

  it('are stored again if their class made another row of them', () => {
    class Visit extends Person {
      from = '';
      static override key = 'Visit';
      static override process(input: object, parent: { readonly id?: string }): object {
        return { ...input, ...(parent.id !== undefined && { from: parent.id }) };
      }
    }
    class Place extends Entity {
      id = '';
      visits: readonly Visit[] = [];
      static override key = 'Place';
      static override schema = { visits: [Visit] };
    }
    const store = new Store();
    const visit = { id: 'v', friends: [] };
    store.write(
      [Place],
      [
        { id: 'a', visits: [visit] },
        { id: 'b', visits: [visit] },
      ],
    );
    expect(store.get(Visit, 'v')?.from).toBe('b');
  });
});
