import { expect, test } from 'vitest';
import { Post } from '../../../tests/model.ts';
import { Endpoint } from '../../define/endpoint/endpoint.ts';
import { actionTypes } from '../controller/action.ts';
import { Controller } from '../controller/controller.ts';
import type { Manager } from '../controller/manager.ts';
import { requestView } from './request-view.ts';

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** A request that is shown and awaited, and a server whose answers the test sends. */
function scene() {
  const controller = new Controller();
  const answers: ((answer: unknown) => void)[] = [];
  const ask = (_args: { id: string }): Promise<unknown> => new Promise((resolve) => answers.push(resolve));
  const get = new Endpoint(ask, { name: 'get', schema: Post });
  const view = requestView(controller, get, [{ id: '1' }]);
  // As a reader does.
  view.subscribe(() => {
    if (view.current().status === 'missing') view.shown();
  });
  void view.fetchMissing();
  return { controller, answers, get, view };
}

const throwing: readonly (readonly [how: string, run: (world: ReturnType<typeof scene>) => unknown])[] = [
  ['invalidated', ({ controller, get }) => controller.invalidate(get, { id: '1' })],
  ['invalidated with all others', ({ controller }) => controller.invalidateAll({ testKey: () => true })],
  ['forgotten in a reset', ({ controller }) => controller.resetEntireStore()],
];

test.each(throwing)(
  'an answer that is %s as soon as it is stored is fetched again, and is not an error',
  async (_how, run) => {
    for (let turns = 0; turns < 10; turns++) {
      const world = scene();
      const { answers, controller, view } = world;
      // oxlint-disable-next-line no-await-in-loop -- one world after another
      await turn();
      answers[0]?.({ id: '1', title: 'first' });
      // oxlint-disable-next-line no-await-in-loop -- a few steps of the promises that lead from the answer to the reader
      for (let step = 0; step < turns; step++) await Promise.resolve();
      void run(world);
      // oxlint-disable-next-line no-await-in-loop -- as above
      await turn();
      expect(view.current().status).not.toBe('failed');
      answers[1]?.({ id: '1', title: 'second' });
      // oxlint-disable-next-line no-await-in-loop -- as above
      await turn();
      expect(view.current()).toMatchObject({
        status: 'fresh',
        value: { title: answers.length > 1 ? 'second' : 'first' },
      });
      controller.dispose();
    }
  },
);

test.each(['awaited before it was shown', 'shown while it was loading'])(
  'data that is no longer shown does not count as shown, also right after its answer: it was %s',
  async (how) => {
    const controller = new Controller();
    const ask = async (_args: { id: string }): Promise<unknown> => ({ id: '1', title: 'first' });
    const view = requestView(controller, new Endpoint(ask, { name: 'get', schema: Post }), [{ id: '1' }]);
    if (how === 'awaited before it was shown') await view.fetchMissing();
    // As a component does that is mounted.
    const stop = view.subscribe(() => {});
    view.shown();
    await turn();
    expect(view.current().status).toBe('fresh');
    expect([...controller.shown()].map(({ key }) => key)).toEqual([view.key]);
    stop();
    expect([...controller.shown()]).toEqual([]);
  },
);

test('a request that a manager answers without storing anything is sent twice at most, and then has the error answer-missing', async () => {
  let sent = 0;
  const answering: Manager = {
    middleware: (controller) => (next) => async (action) => {
      if (action.type !== actionTypes.FETCH || sent > 9) return next(action);
      sent++;
      controller.answer(action, Promise.resolve({ id: '1' }));
    },
    cleanup: () => {},
  };
  const controller = new Controller({ managers: [answering] });
  const get = new Endpoint(async (_args: { id: string }) => ({}), { name: 'get', schema: Post });
  const view = requestView(controller, get, [{ id: '1' }]);
  view.subscribe(() => {
    if (view.current().status === 'missing') view.shown();
  });
  await view.fetchMissing();
  await turn();
  expect(sent).toBe(2);
  expect(view.current()).toMatchObject({ status: 'failed', error: { code: 'answer-missing' } });
  // The answer of another request is shown.
  await controller.set(Post, { id: '1' }, { id: '1', title: 'stored' });
  expect(view.current()).toMatchObject({ value: { title: 'stored' } });
  controller.dispose();
});

test('a request that a signal has ended is sent again for a reader with another signal', async () => {
  const controller = new Controller();
  const [first, second] = [new AbortController(), new AbortController()];
  const ask = async (_args: { id: string }): Promise<unknown> => {
    if (first.signal.aborted) return { id: '1', title: 'again' };
    return new Promise((_, reject) => first.signal.addEventListener('abort', () => reject(new Error('ended'))));
  };
  const get = new Endpoint(ask, { name: 'get', schema: Post });
  const readerWith = ({ signal }: AbortController) => requestView(controller, get.extend({ signal }), [{ id: '1' }]);
  const ended = readerWith(first);
  const settled = ended.fetchMissing();
  await turn();
  first.abort();
  await settled;
  expect(ended.current().status).toBe('failed');
  const view = readerWith(second);
  expect(view.current().status).toBe('missing');
  view.shown();
  await turn();
  expect(view.current()).toMatchObject({ status: 'fresh', value: { title: 'again' } });
});

test('a later reader fetches again after an error has expired, also while another request is not answered', async () => {
  let time = 1_000_000;
  const controller = new Controller({ now: () => time });
  let error: Error | undefined = new Error('busy');
  const ask = async ({ id }: { id: string }): Promise<unknown> => {
    if (id === 'slow') return new Promise(() => {});
    if (error !== undefined) throw error;
    return { id, title: 'again' };
  };
  const get = new Endpoint(ask, { name: 'get', schema: Post });
  const reader = (id: string) => requestView(controller, get, [{ id }]);
  void reader('slow').fetchMissing();
  await reader('1').fetchMissing();
  expect(reader('1').current()).toEqual({ status: 'failed', error, data: undefined });
  error = undefined;
  time += 60_000;
  expect(reader('1').current().status).toBe('missing');
  await reader('1').fetchMissing();
  expect(reader('1').current()).toMatchObject({ status: 'fresh', value: { title: 'again' } });
  controller.dispose();
});
