import { describe, expect, onTestFinished, test } from 'vitest';
import { Endpoint } from '../../define/endpoint/endpoint.ts';
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
