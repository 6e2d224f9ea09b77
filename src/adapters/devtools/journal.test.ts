import { expect, test } from 'vitest';
import { Controller } from '../../control/controller/controller.ts';
import { type Inspector, inspect, inspectorOf } from '../../control/screen/inspector.ts';
import { Endpoint } from '../../define/endpoint/endpoint.ts';
import { from } from '../../state/query/live-query.ts';
import { Store } from '../../state/store/store.ts';
import { User } from '../../../tests/model.ts';
import { Journal } from './journal.ts';

/** A controller whose journal records, and whose server has one user. */
function recorded() {
  const journal = new Journal();
  const server = { name: 'Ann' };
  const getMe = new Endpoint(async () => ({ id: '1', ...server }), { name: 'getMe', schema: User });
  const middleware = (controller: Journal['controller']) => {
    journal.controller = controller;
    return (next: Parameters<Journal['pass']>[1]) => (action: Parameters<Journal['pass']>[0]) =>
      journal.pass(action, next);
  };
  const controller = new Controller({ managers: [{ middleware, cleanup: () => {} }] });
  const stop = journal.start();
  const show = (): (() => void) => controller.view(getMe).subscribe(() => {});
  return { controller, getMe, journal, server, show, stop };
}

test('the journal has no value of an answer that has left the screen before a logout', async () => {
  const { controller, getMe, journal, server, show, stop } = recorded();
  const hide = show();
  await controller.fetch(getMe);
  await Promise.resolve();
  hide();
  await controller.resetEntireStore();
  await Promise.resolve();
  server.name = 'Bob';
  show();
  await controller.fetch(getMe);
  await Promise.resolve();
  const [shown] = journal.shown();
  expect(shown?.changes.length).toBeGreaterThan(0);
  expect(shown?.changes.flatMap(({ changes }) => changes)).toEqual([]);
  stop();
  controller.dispose();
});

test('the journal goes on when the value of an answer cannot be built', async () => {
  const { controller, journal, show, stop } = recorded();
  const getUsers = new Endpoint(async () => [{ id: '1', name: 'Ann' }], { name: 'getUsers', schema: [User] });
  const broken = from(User).where((): never => {
    throw new Error('broken');
  });
  const getBroken = broken.loadedBy(getUsers);
  controller.view(getBroken).subscribe(() => {});
  const hide = show();
  await controller.fetch(getBroken).catch(() => {});
  expect(() => controller.getResponse(getBroken)).toThrow('broken');
  await controller.set(User, { id: '1' }, { id: '1', name: 'Ann' });
  await Promise.resolve();
  expect(journal.shown().map(({ key }) => key)).toEqual(['getUsers []', 'getMe []']);
  hide();
  stop();
  controller.dispose();
});

test('a cause that contains another one stays the cause of what follows', async () => {
  const { controller, journal, stop } = recorded();
  const reset = { type: 'rejoin/reset' } as const;
  await journal.pass(reset, async () => {
    void journal.pass({ type: 'rejoin/invalidate', key: 'getMe []' }, async () => {});
    controller.store.write(User, { id: '2', name: 'Eve' });
  });
  expect(journal.commits.at(-1)?.cause).toBe('a reset');
  stop();
  controller.dispose();
});

test('the end of an inspector leaves the one that has replaced it', () => {
  const store = new Store();
  const inspector = (): Inspector => ({ noteRender: () => {}, noteShown: () => {} });
  const [former, present] = [inspector(), inspector()];
  const stopFormer = inspect(store, former);
  const stop = inspect(store, present);
  stopFormer();
  expect(inspectorOf(store)).toBe(present);
  stop();
  expect(inspectorOf(store)).toBeUndefined();
});
