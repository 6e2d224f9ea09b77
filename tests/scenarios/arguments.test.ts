import { describe, expect, test } from 'vitest';
import { All, Controller, dehydrate, Endpoint, Entity, Query, Store } from '../../src/index.ts';
import { User } from '../model.ts';

class Post extends Entity {
  id = '';
  title = '';
  author = '';
  static override key = 'Post';
}

const postsOf = new Query(new All(Post), (posts, user: User) => posts.filter(({ author }) => author === user.id));
const ann = { id: 'ann', name: 'Ann' };
const ben = { id: 'ben', name: 'Ben' };
const posts = [
  { id: '1', title: 'first', author: 'ann' },
  { id: '2', title: 'second', author: 'ben' },
];

describe('a record as an argument', () => {
  test.each([true, false])('names a query by identity, values that are frozen: %s', (frozen) => {
    const store = new Store({ frozen });
    store.write([User], [ann, ben]);
    store.write([Post], posts);
    const of = (id: string): Post[] => store.get(postsOf, store.get(User, { id }) as User) as Post[];

    expect(of('ann').map(({ title }) => title)).toEqual(['first']);
    expect(of('ben').map(({ title }) => title)).toEqual(['second']);
    expect(of('ann')).toBe(of('ann'));
  });

  test('names a request by identity', async () => {
    const controller = new Controller();
    const asked: string[] = [];
    const getPosts = new Endpoint(
      async ({ id }: User) => {
        asked.push(id);
        return posts.filter(({ author }) => author === id);
      },
      { name: 'getPosts', schema: [Post] },
    );
    void controller.set(User, { id: 'ann' }, ann);
    const user = controller.get(User, { id: 'ann' }) as User;

    await Promise.all([controller.fetch(getPosts, user), controller.fetch(getPosts, user)]);

    expect(asked).toEqual(['ann']);
    expect(controller.getResponse(getPosts, user).data).toMatchObject([{ title: 'first' }]);
    controller.dispose();
  });
});

describe('arguments that the caller changes after a fetch', () => {
  test('are kept with the answer as they were', async () => {
    const controller = new Controller();
    const find = new Endpoint(async (_filter: { tags: string[] }) => posts, { name: 'find', schema: [Post] });
    const filter = { tags: ['a'] };

    await controller.fetch(find, filter);
    filter.tags.push('b');

    expect(controller.store.result(find.key({ tags: ['a'] }))?.args).toEqual([{ tags: ['a'] }]);
    expect(dehydrate(controller.store).results[0]?.[2]).toEqual([{ tags: ['a'] }]);
    controller.dispose();
  });

  test('may refer to themselves where the request is a mutation', async () => {
    const controller = new Controller();
    const save = new Endpoint(async (_draft: object) => posts[0], { name: 'save', schema: Post, sideEffect: true });
    const draft: { self?: object } = {};
    draft.self = draft;

    expect(await controller.fetch(save, draft)).toMatchObject({ title: 'first' });
    controller.dispose();
  });
});
