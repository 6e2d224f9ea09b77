import { describe, expect, it } from 'vitest';
import {
  on,
  belongsTo,
  Collection,
  Controller,
  dehydrate,
  Endpoint,
  type EndpointInterface,
  Entity,
  from,
  hasMany,
  hydrate,
  Query,
  schema,
  Store,
  Union,
} from '../../src/index.ts';
import { addGuess } from '../../src/state/store/layer.ts';

/** A class without relations, for which nested records are plain data. */
class PostSummary extends Entity {
  id = '';
  title = '';
  tags: readonly { readonly id: string; readonly label: string }[] = [];
  static override key = 'Post';
}

class Tag extends Entity {
  id = '';
  label = '';
}

class Author extends Entity {
  id = '';
  name = '';
}

class Post extends Entity {
  id = '';
  title = '';
  tags: Tag[] = [];
  author: Author | undefined;
  static override key = 'Post';
  static override schema = { tags: [Tag], author: Author };
}

const response = [
  { id: '1', title: 'One', tags: [{ id: 'a', label: 'A' }], author: { id: 'x', name: 'Xaver' } },
  { id: '2', title: 'Two', tags: [{ id: 'a', label: 'A' }, { id: 'b', label: 'B' }], author: { id: 'x', name: 'Xaver' } }, // prettier-ignore
];

type Posts = EndpointInterface<() => Promise<unknown>>;

function endpoints(
  of: typeof PostSummary | typeof Post,
): Record<'list' | 'collection' | 'object' | 'values' | 'query', Posts> {
  const get = async (): Promise<unknown> => response;
  return {
    list: new Endpoint(get, { name: 'list', schema: [of] }),
    collection: new Endpoint(get, { name: 'collection', schema: new Collection([of]) }),
    object: new Endpoint(async () => ({ results: response }), { name: 'object', schema: { results: [of] } }),
    values: new Endpoint(async () => ({ first: response[0] }), { name: 'values', schema: new schema.Values(of) }),
    query: new Endpoint(get, { name: 'query', schema: new Query([of], (posts: readonly unknown[]) => posts) }),
  };
}

const summary = endpoints(PostSummary);
const detail = endpoints(Post);

function postsIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  const object = value as Record<string, unknown>;
  return Array.isArray(object['results']) ? object['results'] : Object.values(object);
}

describe.each(['list', 'collection', 'object', 'values', 'query'] as const)(
  'two classes with one key read %s',
  (kind) => {
    it.each([
      ['summary first', summary[kind], detail[kind]],
      ['detail first', detail[kind], summary[kind]],
    ])('%s: each reads instances of its own class', async (_name, first, second) => {
      const controller = new Controller();
      await controller.fetch(first);
      const [ofSummary, ofDetail] = [summary[kind], detail[kind]].map((endpoint) =>
        postsIn(controller.getResponse(endpoint).data),
      ) as [PostSummary[], Post[]];
      expect(ofSummary.every((post) => post instanceof PostSummary)).toBe(true);
      expect(ofDetail.every((post) => post instanceof Post)).toBe(true);
      expect(ofDetail[0]?.tags[0]).toBeInstanceOf(Tag);
      expect(ofDetail[0]?.tags[0]).toBe(controller.get(Tag, { id: 'a' }));
      expect(ofDetail[0]?.author).toBe(controller.get(Author, { id: 'x' }));
      expect(ofSummary[0]?.tags[0]?.label).toBe('A');
      await controller.fetch(second);
      const again = postsIn(controller.getResponse(detail[kind]).data) as Post[];
      expect(again[0]).toBe(ofDetail[0]);
      expect(again[0]).toBe(controller.get(Post, { id: '1' }));
    });
  },
);

it('records that a class without relations stores later are normalized by the classes with relations', () => {
  const store = new Store();
  store.write([Post], response);
  store.write(PostSummary, { id: '1', tags: [{ id: 'a', label: 'New' }] });
  expect(store.get(Post, '1')?.tags[0]?.label).toBe('New');
  expect(store.get(Post, '2')?.tags[0]).toBe(store.get(Tag, 'a'));
  expect(store.get(Tag, 'a')?.label).toBe('New');
});

it('records that were nested in rows are as old as those rows', () => {
  const store = new Store();
  store.write(PostSummary, { id: '1', tags: [{ id: 'a', label: 'Old' }] });
  store.write(Tag, { id: 'a', label: 'New' });
  expect(store.get(Post, '1')?.tags[0]?.label).toBe('New');
  store.write(PostSummary, { id: '3', tags: [{ id: 'a', label: 'Newest' }] });
  expect(store.get(Post, '1')?.tags[0]?.label).toBe('Newest');
});

it('observers of the plain class are notified when its records have become known, after the read', async () => {
  const store = new Store();
  store.write(PostSummary, { id: '1', title: 'One', tags: [{ id: 'a', label: 'A' }] });
  const view = store.query(PostSummary, ['1']);
  let calls = 0;
  view.subscribe(() => calls++);
  const before = view.current() as PostSummary;
  expect(before.tags[0]?.label).toBe('A');
  store.get(Post, '1');
  expect(calls).toBe(0);
  await Promise.resolve();
  expect(calls).toBe(1);
  store.write(Tag, { id: 'a', label: 'B' });
  store.write(Post, { id: '1', title: 'Two' });
  expect((view.current() as PostSummary).title).toBe('Two');
  expect((view.current() as PostSummary).tags[0]?.label).toBe('B');
});

it('a class without relations reads the nested record of a field whose default is null, and writes it as a record of its own', () => {
  class Nullable extends Entity {
    id = '';
    author: { readonly id: string; readonly name: string } | null = null;
    static override key = 'Post';
  }
  const store = new Store();
  store.write(Post, response[0]);
  store.write(Nullable, { id: '2', author: { id: 'y', name: 'Yvonne' } });
  store.write(Nullable, { id: '3', author: null });

  expect(store.get(Nullable, '1')?.author).toBe(store.get(Author, 'x'));
  expect(store.get(Post, '2')?.author).toBe(store.get(Author, 'y'));
  expect(store.get(Author, 'y')?.name).toBe('Yvonne');
  expect(store.get(Nullable, '2')?.author).toBe(store.get(Author, 'y'));
  expect(store.get(Nullable, '3')?.author).toBeNull();
});

it('if responses contain only pks, a class that does not declare the field reads pks', () => {
  class Flat extends Entity {
    id = '';
    author = '';
    authorId = 0;
    editorId: number | null = null;
    tags: readonly string[] = [];
    static override key = 'Post';
  }
  class Joined extends Entity {
    id = '';
    tags: Tag[] = [];
    author: Author | undefined;
    authorId: Author | undefined;
    editorId: Author | undefined;
    static override key = 'Post';
    static override schema = { tags: [Tag], author: Author, authorId: Author, editorId: Author };
  }
  const store = new Store();
  store.write(Flat, { id: '1', tags: ['a'], author: 'x', authorId: 7, editorId: 7 });
  store.write([Author], [{ id: 'x', name: 'Xaver' }, { id: '7', name: 'Seven' }]); // prettier-ignore
  store.write(Tag, { id: 'a', label: 'A' });
  expect(store.get(Joined, '1')?.tags).toEqual([store.get(Tag, 'a')]);
  expect(store.get(Joined, '1')?.author).toBe(store.get(Author, 'x'));
  expect(store.get(Joined, '1')?.authorId).toBe(store.get(Author, '7'));
  expect(store.get(Joined, '1')?.editorId).toBe(store.get(Author, '7'));
  expect(store.get(Flat, '1')).toEqual({ id: '1', tags: ['a'], author: 'x', authorId: 7, editorId: 7 });
  store.write(Joined, { id: '1', author: { id: 'y', name: 'Ypsilon' } });
  expect(store.get(Flat, '1')?.author).toBe('y');
});

it('a guess that reads by a class with more relations finds the records that were nested in rows, and so do all other readers', () => {
  const store = new Store();
  store.write(PostSummary, { id: '1', author: { id: 'x', name: 'Xaver' } });
  let seen: unknown;
  addGuess(store, (state) => {
    seen = state.get(Post, '1')?.author;
    return undefined;
  });
  expect(seen).toMatchObject({ id: 'x', name: 'Xaver' });
  expect(store.get(Post, '1')?.author).toBe(store.get(Author, 'x'));
  expect(store.get(Author, 'x')).toBeInstanceOf(Author);
});

it('a class that replaces another one reads the stored records, and follows their changes', () => {
  const first = (() => {
    class Todo extends Entity {
      id = '';
      title = '';
    }
    return Todo;
  })();
  const second = (() => {
    class Todo extends Entity {
      id = '';
      title = '';
      user: Author | undefined;
      static override schema = { user: Author };
      get shout(): string {
        return `${this.title}!`;
      }
    }
    return Todo;
  })();
  const store = new Store();
  const listOf = (of: typeof first): Collection<[typeof first]> => new Collection([of]);
  store.write(listOf(first), [{ id: '1', title: 'a', user: { id: 'x', name: 'Xaver' } }], {
    args: [{}],
    resultKey: 'k',
  });
  expect(store.get(listOf(first), {})?.[0]).toBeInstanceOf(first);
  const later = store.get(listOf(second as never), {}) as unknown as InstanceType<typeof second>[];
  expect(later[0]).toBeInstanceOf(second);
  expect(later[0]?.shout).toBe('a!');
  expect(later[0]?.user).toBe(store.get(Author, 'x'));
  expect(store.resultView('k', listOf(second as never)).current()).toBe(later);
  expect(store.get(new schema.All(second))).toEqual(later);
  store.write(listOf(second).push, { id: '2', title: 'b' }, { args: [{}] });
  expect(store.get(listOf(second as never), {})).toHaveLength(2);
  store.invalidate(second, '1');
  expect((store.get(listOf(second as never), {}) as unknown[]).length).toBe(1);
  expect(store.get(listOf(first), {})?.[0]).toBeInstanceOf(first);
});

it('a list is as fresh as its current records, also when another class of its key was read earlier', () => {
  const store = new Store({ now: () => 0 });
  const [summaries, posts] = [new Collection([PostSummary]), new Collection([Post])];
  store.write(summaries, [{ id: '1' }], { args: [{}], expiresAt: 50 });
  expect(store.get(summaries, {})).toHaveLength(1);
  expect(store.get(posts, {})).toHaveLength(1);
  store.write(posts, [{ id: '2' }], { args: [{}], expiresAt: 100 });

  expect(store.expiresAt(posts, {})).toBe(100);
  expect(store.expiresAt(summaries, {})).toBe(100);
});

it('two schemas of different forms with one key read only the results that were stored for each of them', async () => {
  let answers = 0;
  const asList = new Endpoint(async () => (answers++, response), { name: 'posts', schema: [Post] });
  const asCollection = new Endpoint(async () => (answers++, response), {
    name: 'posts',
    schema: new Collection([Post]),
  });
  const controller = new Controller();
  await controller.fetch(asList);
  expect(controller.getResponse(asCollection).data).toBeUndefined();
  await controller.fetch(asCollection);
  expect(answers).toBe(2);
  expect(controller.getResponse(asCollection).data).toHaveLength(2);
  expect(controller.getResponse(asList).data).toHaveLength(2);
  expect(controller.getResponse(asList).data?.[0]).toBe(controller.getResponse(asCollection).data?.[0]);
  await controller.invalidate(asList);
  expect(controller.getResponse(asCollection).data).toBeUndefined();
});

describe('rows that a class without relations has stored', () => {
  class Summary extends Entity {
    id = '';
    static override key = 'Product';
  }
  class Product extends Entity {
    id = '';
    shop = '';
    tags: readonly Tag[] = [];
    static override key = 'Product';
    static override schema = { tags: [Tag] };
  }
  class Shop extends Entity {
    id = '';
    readonly products: readonly Product[] = [];
    static override key = 'Shop';
  }
  class PlainShop extends Entity {
    id = '';
    static override key = 'Shop';
  }
  Shop.schema = { products: hasMany(() => Product, 'shop') } as never;
  class Sale extends Entity {
    id = '';
    readonly product?: Product;
    static override key = 'Sale';
    static override schema = { product: belongsTo(() => Product, 'productId') };
  }
  class PlainSale extends Entity {
    id = '';
    static override key = 'Sale';
  }
  const product = { id: '1', shop: 'a', tags: [{ id: 't', label: 'new' }] };
  const stored = (): Store => {
    const store = new Store();
    store.write([Summary], [product]);
    store.write(PlainShop, { id: 'a' });
    store.write(PlainSale, { id: 's', productId: '1' });
    return store;
  };

  it.each<readonly [string, (store: Store) => Product | undefined]>([
    ['a live query', (store) => store.get(from(Product))?.[0]],
    ['a relation to many', (store) => store.get(Shop, { id: 'a' })?.products[0]],
    ['a relation to one', (store) => store.get(Sale, { id: 's' })?.product],
    [
      'a join',
      (store) =>
        (store.get(from(PlainShop).join('item', Product, on('id', 'shop')))?.[0] as { item: Product } | undefined)
          ?.item,
    ],
    [
      'a relation beside a record',
      (store) =>
        store
          .get(from(PlainShop).with({ items: hasMany(() => Product, 'shop') as never }))
          ?.map((shop) => (shop as unknown as { items: Product[] }).items)[0]?.[0],
    ],
  ])('are read by the richer class of %s with their nested records', (_, read) => {
    const store = stored();

    const found = read(store);

    expect(found).toBeInstanceOf(Product);
    expect(found?.tags[0]).toBeInstanceOf(Tag);
    expect(found?.tags[0]).toBe(store.get(Tag, { id: 't' }));
  });

  it('have records nested in a field that is a relation to many: they belong to the row', () => {
    const store = new Store();
    store.write(PlainShop, { id: 'a', products: [{ id: '1', tags: product.tags }] });

    expect(store.get(Shop, { id: 'a' })?.products[0]).toBe(store.get(Product, { id: '1' }));
    expect(store.get(Tag, { id: 't' })?.label).toBe('new');
  });

  it('have a record nested in a field that is a relation to one', () => {
    const store = new Store();
    store.write(PlainSale, { id: 's', productId: '1', product });

    expect(store.get(Sale, { id: 's' })?.product).toBe(store.get(Product, { id: '1' }));
    expect(store.get(Sale, { id: 's' })?.product?.tags[0]?.label).toBe('new');
  });
});

it('an answer to an endpoint without a schema is never read as records, also after hydration, and an endpoint with a schema fetches for itself', async () => {
  const body: Record<string, unknown> = {
    list: response,
    collection: response,
    object: { results: response },
    values: { first: response[0] },
    query: response,
  };
  const typed = endpoints(Post);
  for (const [name, posts] of Object.entries(typed)) {
    const controller = new Controller();
    const plain = new Endpoint(async () => body[name], { name });
    expect(plain.key()).toBe(posts.key());
    await controller.fetch(plain);
    expect(JSON.stringify(controller.getResponse(posts).data ?? {})).toBe('{}');
    expect(controller.getResponse(plain).data).toEqual(body[name]);

    const restored = new Controller();
    hydrate(restored.store, JSON.parse(JSON.stringify(dehydrate(controller.store))));
    expect(JSON.stringify(restored.getResponse(posts).data ?? {})).toBe('{}');

    await controller.fetch(posts);
    const [first] = postsIn(controller.getResponse(posts).data);
    expect(first).toBeInstanceOf(Post);
    expect(controller.getResponse(plain).data).toBeDefined();
  }
});

it('after hydration, an answer with records is read by each schema that fits it', async () => {
  const media = new Union({ post: Post, tag: Tag }, 'type' as never);
  const schemas: readonly (readonly [unknown, unknown])[] = [
    [Post, { id: '1' }],
    [[Post], [{ id: '1' }]],
    [new Collection([Post]), [{ id: '1' }]],
    [
      { results: [Post], count: 0 },
      { results: [{ id: '1' }], count: 1 },
    ],
    [
      { results: [Post], best: Post },
      { results: [], best: null },
    ],
    [new schema.Values(Post), { first: { id: '1' } }],
    [new schema.Values(Post), {}],
    [new Query([Post], (posts: readonly unknown[]) => posts), [{ id: '1' }]],
    [media, { id: '1', type: 'post' }],
    [[media], [{ id: '1', type: 'post' }]],
    [new schema.Values({ post: Post, tag: Tag }, 'type' as never), { post: { id: '1', type: 'post' } }],
    [{ at: (text: string) => new Date(text) }, { at: '2020-01-01T00:00:00.000Z' }],
  ];
  for (const [of, body] of schemas) {
    const endpoint = new Endpoint(async () => body, { name: 'any', schema: of } as never) as unknown as Posts;
    const controller = new Controller();
    await controller.fetch(endpoint);
    const restored = new Controller();
    hydrate(restored.store, JSON.parse(JSON.stringify(dehydrate(controller.store))));
    expect(restored.getResponse(endpoint).data).toBeDefined();
    expect(restored.getResponse(endpoint).data).toEqual(controller.getResponse(endpoint).data);
  }
});

it('after hydration, a class without relations has the nested records as soon as another class has named the field', () => {
  const store = new Store();
  store.write([Post], [...response, { id: '3', title: 'Bare' }]);
  const restored = new Store();
  hydrate(restored, JSON.parse(JSON.stringify(dehydrate(store))));
  const summaryOf = (of: Store, id: string): PostSummary | undefined => of.get(PostSummary, { id });
  const [, , bare] = ['1', '2', '3'].map((id) => summaryOf(restored, id));
  restored.get(Post, { id: '1' });

  for (const id of ['1', '2']) expect(summaryOf(restored, id)?.tags).toEqual(summaryOf(store, id)?.tags);
  expect(summaryOf(restored, '1')?.tags[0]?.label).toBe('A');
  expect(summaryOf(restored, '3')).toBe(bare);
});
