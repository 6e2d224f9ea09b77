import { afterEach, expect, it, vi } from 'vitest';
import { Endpoint } from '../../define/endpoint/endpoint.ts';
import { Entity } from '../../define/schema/entity.ts';
import { Store } from '../../state/store/store.ts';
import { deferred } from '../../std/deferred.ts';
import { Controller } from './controller.ts';

class Book extends Entity {
  id = '';
  static override key = 'Book';
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A page that is idle when a test says so, with a controller that waits for a book. */
function given() {
  const idle: (() => void)[] = [];
  vi.stubGlobal('requestIdleCallback', (run: () => void) => void idle.push(run));
  const controller = new Controller();
  const written = vi.spyOn(Store.prototype, 'write');
  const answer = deferred();
  const sent = vi.fn<() => Promise<unknown>>(() => answer.promise.then(() => ({ id: '1' })));
  const getBook = new Endpoint(sent, { name: 'getBook', schema: Book });
  return { idle, controller, written, answer, sent, getBook };
}

it('the warm-up writes to a store of its own when the page is idle and the first request is out', async () => {
  const { idle, controller, written, answer, sent, getBook } = given();
  const asked = controller.fetch(getBook);
  expect(sent).toHaveBeenCalledOnce();
  expect(written).not.toHaveBeenCalled();

  idle.splice(0).forEach((run) => run());
  await expect.poll(() => written.mock.calls.length).toBeGreaterThan(0);
  expect(written.mock.contexts).not.toContain(controller.store);
  expect(controller.store.stats()).toMatchObject({ rows: 0, tables: 0 });

  answer.resolve();
  await asked;
});

it('the warm-up fetches a sample, then changes it, and is not repeated by either', async () => {
  const { idle, controller, answer, getBook } = given();
  const asked = controller.fetch(getBook);
  const fetched = vi.spyOn(Controller.prototype, 'begin');
  for (let turn = 0; turn < 5; turn++) {
    idle.splice(0).forEach((run) => run());
    // oxlint-disable-next-line no-await-in-loop -- one turn after another
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(fetched.mock.calls.map(([{ key }]) => key)).toEqual(['samples', 'sample']);
  expect(idle).toEqual([]);
  answer.resolve();
  await asked;
});

it('the warm-up is done once for each controller', async () => {
  const { idle, controller, answer, getBook } = given();
  answer.resolve();
  await controller.fetch(getBook);
  await controller.fetch(getBook);
  expect(idle).toHaveLength(1);
});

it('the warm-up does nothing once the request is answered', async () => {
  const { idle, controller, written, answer, getBook } = given();
  answer.resolve();
  await controller.fetch(getBook);
  written.mockClear();
  idle.forEach((run) => run());
  expect(written).not.toHaveBeenCalled();
});

it('the warm-up does nothing on a server', async () => {
  const { controller, written, answer, getBook } = given();
  vi.stubGlobal('requestIdleCallback', undefined);
  const asked = controller.fetch(getBook);
  expect(written).not.toHaveBeenCalled();
  answer.resolve();
  await asked;
  expect(written.mock.contexts.every((store) => store === controller.store)).toBe(true);
});
