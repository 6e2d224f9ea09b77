import { describe, expect, expectTypeOf, test } from 'vitest';
import { platform } from '../../std/platform.ts';
import { resource } from '../../define/rest/resource.ts';
import { RestEndpoint } from '../../define/rest/rest-endpoint.ts';
import { All } from '../../define/schema/all.ts';
import { Collection } from '../../define/schema/collection.ts';
import { Entity } from '../../define/schema/entity.ts';
import { Lazy } from '../../define/schema/lazy.ts';
import { Union } from '../../define/schema/union.ts';
import { Values } from '../../define/schema/values.ts';
import { Controller } from './controller.ts';
import { refsOf } from './refs-of.ts';

class Category extends Entity {
  id = '';
  type = '';
  name = '';
  static override key = 'Category';
}
class Person extends Entity {
  id = '';
  type = '';
  static override key = 'Person';
}
class Post extends Entity {
  id = '';
  title = '';
  author?: Person;
  categories: Category[] = [];
  related: string[] = [];
  comments: Category[] = [];
  byName: Record<string, Category> = {};
  subject?: Category | Person;
  static override key = 'Post';
  static override schema = {
    author: Person,
    categories: [Category],
    related: new Lazy([Category]),
    comments: new Collection([Category], { nestKey: ({ id }: Post) => ({ post: id }) }),
    byName: new Values(Category),
    subject: new Union({ category: Category, person: Person }, 'type'),
  };
}

function scene(fields: object) {
  const controller = new Controller();
  void controller.set(Post, { id: '1' }, { id: '1', title: 'Joins', ...fields });
  const post = (): Post => controller.get(Post, { id: '1' }) as Post;
  return { controller, post };
}

describe('the references in a field', () => {
  test('are every pk, in order, also of records that are not loaded', () => {
    const { controller, post } = scene({ categories: ['3', { id: 1, name: 'x' }, 2], author: '7' });
    expect(post().categories.map(({ id }) => id)).toEqual([1]);
    const ids = refsOf(controller, post(), 'categories');
    expectTypeOf(ids).toEqualTypeOf<readonly string[]>();
    expect(ids).toEqual(['3', '1', '2']);
    const author = refsOf(controller, post(), 'author');
    expectTypeOf(author).toEqualTypeOf<string | undefined>();
    expect(author).toBe('7');
    expect(post().author).toBe(undefined);
  });

  test('are those of collections, lazy lists, maps and unions', () => {
    const { controller, post } = scene({
      related: ['5', { id: '6' }],
      comments: [{ id: '1' }, '2'],
      byName: { a: '8', b: { id: '9' } },
      subject: { type: 'person', id: '4' },
    });
    expect(refsOf(controller, post(), 'related')).toEqual(['5', '6']);
    expect(refsOf(controller, post(), 'comments')).toEqual(['1', '2']);
    const named = refsOf(controller, post(), 'byName');
    expectTypeOf(named).toEqualTypeOf<readonly string[]>();
    expect(named).toEqual(['8', '9']);
    expect(refsOf(controller, post(), 'subject')).toBe('4');
  });

  test('are empty when the field is empty, or when the record is unknown', () => {
    const { controller, post } = scene({ author: null });
    expect(refsOf(controller, post(), 'author')).toBe(undefined);
    expect(refsOf(controller, post(), 'categories')).toEqual([]);
    expect(refsOf(controller, post(), 'comments')).toEqual([]);
    expect(refsOf(controller, post(), 'byName')).toEqual([]);
    // @ts-expect-error -- a title refers to nothing
    expect(refsOf(controller, post(), 'title')).toBe(undefined);
    expect(refsOf(controller, Post.fromJS({ id: '2' }), 'categories')).toEqual([]);
    expect(refsOf(controller, Post.fromJS({ id: '2' }), 'author')).toBe(undefined);
  });

  test.each([[0], [''], [null], [false]])('are empty if the server sends %j for a reference to nothing', (none) => {
    const { controller, post } = scene({ author: none, categories: ['1', none] });
    expect(refsOf(controller, post(), 'author')).toBe(undefined);
    expect(refsOf(controller, post(), 'categories')).toEqual(['1']);
  });

  test('leave out deleted records', () => {
    const { controller, post } = scene({ categories: [{ id: '1' }, { id: '2' }], author: { id: '7' } });
    controller.store.invalidate(Category, '1');
    controller.store.invalidate(Person, '7');
    expect(refsOf(controller, post(), 'categories')).toEqual(['2']);
    expect(refsOf(controller, post(), 'author')).toBe(undefined);
  });

  test('can be read from the snapshot of an optimistic response, which runs again when the row changes', async () => {
    const { controller, post } = scene({ categories: ['3', { id: '1' }] });
    const sent: unknown[] = [];
    const add = new RestEndpoint({
      path: '/posts/:id',
      method: 'PATCH',
      schema: Post,
      body: { category: '' },
      getOptimisticResponse: (snap, { id }, { category }) => {
        const known = snap.get(Post, { id: String(id) });
        if (known === undefined) throw snap.abort;
        const categories = [...refsOf(snap, known, 'categories'), category];
        sent.push(categories);
        return { id: String(id), categories };
      },
      platform: { ...platform, fetch: () => new Promise<Response>(() => {}) },
    });
    for (const category of ['7', '8']) controller.fetch(add, { id: '1' }, { category }).catch(() => {});
    expect(refsOf(controller, post(), 'categories')).toEqual(['3', '1', '7', '8']);
    void controller.set(Post, { id: '1' }, { id: '1', categories: ['5'] });
    expect(refsOf(controller, post(), 'categories')).toEqual(['5', '7', '8']);
    expect(sent.at(-1)).toEqual(['5', '7', '8']);
    expect(refsOf(controller.snapshot(), post(), 'categories')).toEqual(['5', '7', '8']);
    controller.dispose();
  });

  test('follow the temporary pk of a created record in a snapshot', async () => {
    const { controller, post } = scene({ categories: [] });
    const { create } = resource({
      path: '/categories/:id',
      schema: Category,
      optimistic: true,
      platform: { ...platform, fetch: async () => Response.json({ id: '9', name: 'News' }) },
    });
    const created = controller.fetch(create, { name: 'News' });
    const temporary = controller.get(new All(Category))?.[0]?.id ?? '';
    await created;
    void controller.set(Post, { id: '1' }, { id: '1', categories: [temporary] });
    const { store } = controller.snapshot();
    expect([store.pkOf('Category', temporary), store.pkOf('None', '1')]).toEqual(['9', '1']);
    expect(refsOf(controller.snapshot(), post(), 'categories')).toEqual(['9']);
  });

  test.each([
    [{}, '{  }'],
    [{ id: '1', author: '7' }, '{ id, author }'],
    [undefined, 'undefined'],
  ])('of %j, which is not a record, are an error that names the code to write', (given, shown) => {
    const { controller } = scene({});
    expect(() => refsOf(controller, given as never, 'author' as never)).toThrow(
      expect.objectContaining({
        code: 'record-expected',
        message: expect.stringContaining(
          `refsOf() was given ${shown}. Pass a record that was read, an instance of its class: refsOf(controller, controller.get(Class, id), 'author').`,
        ),
      }),
    );
  });
});
