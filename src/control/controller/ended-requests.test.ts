import { describe, expect, onTestFinished, test } from 'vitest';
import { Todo } from '../../../tests/model.ts';
import { Endpoint } from '../../define/endpoint/endpoint.ts';
import { RestEndpoint } from '../../define/rest/rest-endpoint.ts';
import { platform } from '../../std/platform.ts';
import { Controller } from './controller.ts';

const getCount = new Endpoint(() => new Promise<number>(() => {}), { name: 'getCount' });
const abort = new DOMException('Stopped.', 'AbortError');
const getAborted = new Endpoint(() => Promise.reject(abort), { name: 'getAborted' });
const save = new Endpoint(() => Promise.reject(new Error('refused')), { name: 'save', sideEffect: true });

/** The promises that were rejected without a handler. */
function unhandled(): unknown[] {
  const errors: unknown[] = [];
  const hear = (error: unknown): void => void errors.push(error);
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', hear);
  onTestFinished(() => {
    process.off('unhandledRejection', hear);
    for (const other of others) process.on('unhandledRejection', other);
  });
  return errors;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a request that is not awaited', () => {
  test.each<[string, (controller: Controller) => void]>([
    ['the controller is disposed', (controller) => controller.dispose()],
    ['the store is reset', (controller) => void controller.resetEntireStore()],
    ['the controller was disposed before', (controller) => (controller.dispose(), void controller.fetch(getCount))],
    ['it is aborted', (controller) => void controller.fetch(getAborted)],
  ])('is not an unhandled rejection when %s', async (when, end) => {
    const errors = unhandled();
    const controller = new Controller();
    void controller.fetch(getCount);
    end(controller);
    await turn();
    await turn();
    expect(errors).toEqual([]);
  });

  test('is an unhandled rejection when it fails', async () => {
    const errors = unhandled();
    void new Controller().fetch(save);
    await turn();
    await turn();
    expect(errors).toMatchObject([{ message: 'refused' }]);
  });
});

test('a promise that the application waits for rejects when its request is ended', async () => {
  const controller = new Controller();
  const asked = controller.fetch(getCount);
  controller.dispose();
  await expect(asked).rejects.toMatchObject({ code: 'request-reset' });
});

describe('a read that is shared with one that is aborted', () => {
  function reading() {
    const pending: ((response: Response) => void)[] = [];
    const fetch = (_url: unknown, init?: RequestInit): Promise<Response> =>
      new Promise((resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
        pending.push(resolve);
      });
    const getName = new RestEndpoint({ path: '/name', schema: undefined, platform: { ...platform, fetch } });
    const aborting = new AbortController();
    return { pending, getName, aborting, controller: new Controller() };
  }

  test('is sent again, once for all callers that did not abort it', async () => {
    const { pending, getName, aborting, controller } = reading();
    const aborted = controller.fetch(getName.extend({ signal: aborting.signal }));
    const asked = [controller.fetch(getName), controller.fetch(getName)];
    await turn();
    expect(pending).toHaveLength(1);
    aborting.abort();
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
    await turn();
    expect(pending).toHaveLength(2);
    pending[1]?.(Response.json('Ann'));
    expect(await Promise.all(asked)).toEqual(['Ann', 'Ann']);
  });

  test('is not sent again if all its callers have aborted, one after another', async () => {
    const errors = unhandled();
    const { pending, getName, controller } = reading();
    const signals = Array.from({ length: 3 }, () => new AbortController());
    const asked = signals.map(({ signal }) => controller.fetch(getName.extend({ signal })));
    await turn();
    for (const signal of signals.reverse()) signal.abort();
    for (const one of asked) await expect(one).rejects.toMatchObject({ name: 'AbortError' });
    await turn();
    const later = controller.fetch(getName);
    await turn();
    expect(pending).toHaveLength(2);
    pending[1]?.(Response.json('Ann'));
    expect(await later).toBe('Ann');
    expect(errors).toEqual([]);
  });

  test('is no unhandled rejection if it fails and the other caller had aborted before', async () => {
    const errors = unhandled();
    const { pending, getName, aborting, controller } = reading();
    const asked = controller.fetch(getName);
    await turn();
    aborting.abort();
    const aborted = controller.fetch(getName.extend({ signal: aborting.signal }));
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
    pending[0]?.(Response.json('Gone', { status: 404 }));
    await expect(asked).rejects.toMatchObject({ status: 404 });
    await turn();
    expect(errors).toEqual([]);
  });

  test('shares its answer and its failure', async () => {
    const { pending, getName, aborting, controller } = reading();
    const asked = [controller.fetch(getName.extend({ signal: aborting.signal })), controller.fetch(getName)];
    await turn();
    pending[0]?.(Response.json('Gone', { status: 404 }));
    for (const one of asked) await expect(one).rejects.toMatchObject({ status: 404 });
    expect(pending).toHaveLength(1);
  });

  test('is ended by a reset', async () => {
    const errors = unhandled();
    const { pending, getName, aborting, controller } = reading();
    const asked = [controller.fetch(getName.extend({ signal: aborting.signal })), controller.fetch(getName)];
    await turn();
    void controller.resetEntireStore();
    aborting.abort();
    for (const one of asked) await expect(one).rejects.toMatchObject({ code: 'request-reset' });
    expect(pending).toHaveLength(1);
    void controller.fetch(getName.extend({ signal: aborting.signal }));
    void controller.fetch(getName);
    controller.dispose();
    await turn();
    expect(errors).toEqual([]);
  });
});

test('a request that is resolved with an answer that cannot be stored fails with the same error', async () => {
  const controller = new Controller({ now: () => 5 });
  const rename = new Endpoint((_changes: { id: string; title: string }) => new Promise<object>(() => {}), {
    name: 'rename',
    schema: Todo,
    sideEffect: true,
    getOptimisticResponse: (_snapshot, changes) => changes,
  });
  const args = [{ id: '1', title: 'new' }] as const;
  await controller.set(Todo, { id: '1' }, { id: '1', title: 'old' });
  const asked = controller.fetch(rename, ...args);
  expect(controller.get(Todo, { id: '1' })?.title).toBe('new');
  const resolved = controller.resolve(rename, { args, response: ['no record'], fetchedAt: 5 });
  const [refused, failed] = await Promise.allSettled([resolved, asked]);
  expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'input-invalid' } });
  expect(failed).toEqual(refused);
  expect(controller.get(Todo, { id: '1' })?.title).toBe('old');
  expect(controller.mutations.isAny).toBe(false);
});
