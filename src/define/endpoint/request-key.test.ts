import { describe, expect, test } from 'vitest';
import { Post } from '../../../tests/model.ts';
import { Controller } from '../../control/controller/controller.ts';
import { resource } from '../rest/resource.ts';
import type { EndpointInterface } from './infer-endpoint.ts';
import { Endpoint } from './endpoint.ts';
const Posts = resource({ urlPrefix: 'https://api.example', path: '/posts/:id', schema: Post });

describe('a value in place of an endpoint', () => {
  const others: readonly (readonly [shown: string, given: unknown])[] = [
    ['undefined', undefined],
    ['null', null],
    ['"/posts"', '/posts'],
    ['{ get, getList, create, update, partialUpdate }', Posts],
    ['the class Post', Post],
    [
      'the function without a name',
      (
        () => () =>
          1
      )(),
    ],
  ];
  const calls: readonly (readonly [
    name: string,
    call: (controller: Controller, given: EndpointInterface) => unknown,
  ])[] = [
    ['fetch()', (controller, given) => controller.fetch(given)],
    ['setResponse()', (controller, given) => controller.setResponse(given, {})],
    ['setError()', (controller, given) => controller.setError(given, {})],
    ['getResponse()', (controller, given) => controller.getResponse(given)],
    ['invalidate()', (controller, given) => controller.invalidate(given)],
    ['subscribe()', (controller, given) => controller.subscribe(given)],
    ['unsubscribe()', (controller, given) => controller.unsubscribe(given)],
  ];
  const all = calls.flatMap(([name, call]) => others.map(([shown, given]) => ({ name, call, shown, given })));

  test.each(all)('is an error of one sentence: $name was given $shown', async ({ name, call, shown, given }) => {
    const callIt = async (): Promise<unknown> => call(new Controller(), given as EndpointInterface);
    await expect(callIt()).rejects.toMatchObject({
      code: 'endpoint-expected',
      message: `${name} was given ${shown}. Pass an endpoint with its arguments, such as PostResource.get, { id: '5' }. See node_modules/rejoin/docs/errors.md#endpoint-expected.`,
    });
  });

  test('may be a function with a key method of its own', async () => {
    const own = Object.assign(async () => ({ id: '1' }), { key: () => 'own', testKey: () => true, schema: Post });
    expect(await new Controller().fetch(own)).toEqual(Post.fromJS({ id: '1' }));
  });
});

test('an endpoint in place of a schema is explained in one sentence', async () => {
  const controller = new Controller();
  expect(() => controller.get(Posts.get as unknown as typeof Post, { id: '1' })).toThrow(
    "get() was given the endpoint Post.get. Pass a class or another schema with its arguments, such as Post, { id: '5' }. " +
      'For an endpoint, use getResponse().',
  );
  const set = controller.set(Posts.get as unknown as typeof Post, { id: '1' }, { id: '1' });
  await expect(set).rejects.toMatchObject({
    code: 'schema-expected',
    message: expect.stringContaining('setResponse()'),
  });
  expect(controller.get(Post, { id: '1' })).toBeUndefined();
  await expect(new Controller().fetch(new Endpoint(async () => 1, { name: 'one' }))).resolves.toBe(1);
});

test.each([undefined, null, '/posts'])('view() and watch() refuse %j', (given) => {
  const controller = new Controller();
  const endpoint = given as unknown as EndpointInterface;
  const refusal = expect.objectContaining({ code: 'endpoint-expected' });
  expect(() => controller.view(endpoint)).toThrow(refusal);
  expect(() => controller.watch(endpoint, () => {})).toThrow(refusal);
});

test.each([undefined, null, 'Post'])('%j in place of a schema is an error, and stores nothing', async (given) => {
  const controller = new Controller();
  const schema = given as unknown as typeof Post;
  expect(() => controller.get(schema, { id: '1' })).toThrow(`get() was given ${JSON.stringify(given) ?? 'undefined'}.`);
  await expect(controller.set(schema, { id: '1' }, { id: '1' })).rejects.toMatchObject({ code: 'schema-expected' });
  expect(controller.store.stats().rows).toBe(0);
});
