import { type ReactNode, useState } from 'react';
import { expect, test } from 'vitest';
import { Collection, Controller, dehydrate, Endpoint, EntityMixin, hydrate, keyOf } from 'rejoin';
import { DataProvider, useQuery } from 'rejoin/react';
import { Post, Server, show, until } from './harness.tsx';

const posts = new Collection([Post]);

function given() {
  const server = new Server();
  const controller = new Controller();
  const create = new Endpoint(server.answers<[{ title: string }]>('create'), {
    name: 'create',
    schema: posts.push,
    sideEffect: true,
    getOptimisticResponse: (_, body) => body,
  });
  return { server, controller, create };
}

test('the row of a created record stays mounted when the server answers with its id', async () => {
  const { server, controller, create } = given();
  await controller.set(posts, [{ id: '1', title: 'first' }]);
  let rows = 0;
  function Row({ post }: { post: Post }): ReactNode {
    const [mounted] = useState(() => ++rows);
    return (
      <li>
        {post.title} {mounted}
      </li>
    );
  }
  function List(): ReactNode {
    return useQuery(posts)?.map((post) => <Row key={keyOf(post)} post={post} />);
  }
  const { container, text } = show(
    <DataProvider controller={controller}>
      <List />
    </DataProvider>,
    { isStrict: false },
  );
  await until(() => text() === 'first 1');
  const creating = controller.fetch(create, { title: 'second' });
  await until(() => text() === 'first 1second 2');
  const row = container.querySelectorAll('li')[1];
  const guessed = controller.get(posts)?.[1] as Post;
  server.answer('create', { id: '2', title: 'second' });
  const created = await creating;
  expect(created.id).toBe('2');
  expect(text()).toBe('first 1second 2');
  expect(container.querySelectorAll('li')[1]).toBe(row);
  expect(keyOf(created)).toBe(keyOf(guessed));

  // The key stays the same after later changes of the record.
  await controller.set(Post, { id: '2' }, { id: '2', title: 'changed' });
  expect(text()).toBe('first 1changed 2');
  expect(keyOf(controller.get(Post, { id: '2' }) as Post)).toBe(keyOf(guessed));
  await controller.fetch(new Endpoint(async () => [{ id: '2' }, { id: '1' }], { name: 'list', schema: posts }));
  expect(text()).toBe('changed 2first 1');
  expect(container.querySelectorAll('li')[0]).toBe(row);
});

test('records that are created at the same time have different keys', async () => {
  const { server, controller, create } = given();
  await controller.set(posts, []);
  const both = [controller.fetch(create, { title: 'a' }), controller.fetch(create, { title: 'b' })];
  const keys = controller.get(posts)?.map(keyOf);
  expect(new Set(keys).size).toBe(2);
  server.answer('create', { id: '7', title: 'a' });
  await Promise.allSettled(both);
  expect(keyOf(controller.get(Post, { id: '7' }) as Post)).toBe(keys?.[0]);
});

test('the key of a record that was not created here is its pk as a string', async () => {
  const { controller } = given();
  await controller.set(Post, { id: '5' }, { id: '5' });
  expect(keyOf(controller.get(Post, { id: '5' }) as Post)).toBe('5');
  class Thing {
    id = 0;
  }
  const ThingEntity = EntityMixin(Thing);
  await controller.set(ThingEntity, { id: 5 }, { id: 5 });
  expect(controller.get(ThingEntity, { id: 5 })).toMatchObject({ id: 5 });
  const thing = controller.get(ThingEntity, { id: 5 });
  expect(thing && keyOf(thing)).toBe('5');
});

test('keys stay the same when a store is dehydrated and hydrated', async () => {
  const { server, controller, create } = given();
  await controller.set(posts, []);
  const creating = controller.fetch(create, { title: 'a' });
  server.answer('create', { id: '2', title: 'a' });
  const created = await creating;
  const other = new Controller();
  hydrate(other.store, dehydrate(controller.store));
  expect(keyOf(other.get(Post, { id: '2' }) as Post)).toBe(keyOf(created));
});
