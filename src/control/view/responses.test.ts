import { expect, test, vi } from 'vitest';
import { Post } from '../../../tests/model.ts';
import { Endpoint } from '../../define/endpoint/endpoint.ts';
import { Controller } from '../controller/controller.ts';

const getPost = new Endpoint(async ({ id }: { id: string }) => ({ id, title: 'one' }), {
  name: 'getPost',
  schema: Post,
});

test('readers of one answer leave it without a search among the others', () => {
  const controller = new Controller();
  const stops = Array.from({ length: 1000 }, () => controller.view(getPost, { id: '1' }).subscribe(() => {}));
  let searched = 0;
  const { indexOf } = Array.prototype;
  const spy = vi.spyOn(Array.prototype, 'indexOf').mockImplementation(function (this: unknown[], ...args) {
    searched += this.length;
    return Reflect.apply(indexOf, this, args);
  });
  for (const stop of stops.toReversed()) stop();
  spy.mockRestore();
  expect(searched).toBeLessThan(10_000);
  expect([...controller.shown()]).toEqual([]);
});

test('an answer is shown as its latest reader calls it that is still there', () => {
  const controller = new Controller();
  const endpoints = ['a', 'b', 'c'].map((tag) => getPost.extend({ tag }));
  const stops = endpoints.map((endpoint) => controller.view(endpoint, { id: '1' }).subscribe(() => {}));
  const shown = (): unknown[] => Array.from(controller.shown(), ({ endpoint }) => endpoint);
  expect(shown()).toEqual([endpoints[2]]);
  for (const [at, left] of [
    [2, 1],
    [0, 1],
  ] as const) {
    // prettier-ignore
    stops[at]?.();
    stops[at]?.();
    expect(shown()[0]).toBe(endpoints[left]);
  }
  stops[1]?.();
  expect(shown()).toEqual([]);
});

test('an answer of `null` is data', async () => {
  const controller = new Controller();
  const getNothing = new Endpoint(async () => null, { name: 'getNothing' });
  expect(controller.getResponse(getNothing).data).toBeUndefined();
  await controller.fetch(getNothing);
  expect(controller.getResponse(getNothing).data).toBeNull();
  expect(controller.getState().getResponse(getNothing).data).toBeNull();
});
