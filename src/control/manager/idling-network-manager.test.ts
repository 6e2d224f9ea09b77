import { afterEach, expect, it, vi } from 'vitest';
import { Endpoint } from '../../define/endpoint/endpoint.ts';
import { Controller } from '../controller/controller.ts';
import { IdlingNetworkManager } from './idling-network-manager.ts';

afterEach(() => vi.unstubAllGlobals());

function given() {
  const sent: string[] = [];
  const getCount = new Endpoint(async () => sent.push('read'), { name: 'getCount' });
  const save = new Endpoint(async () => sent.push('write'), { name: 'save', sideEffect: true });
  return { controller: new Controller({ managers: [new IdlingNetworkManager()] }), sent, getCount, save };
}

it('IdlingNetworkManager sends a read when the page is idle, and a mutation at once', async () => {
  const idle: (() => void)[] = [];
  const onIdle = vi.fn<(run: () => void) => void>((run) => void idle.push(run));
  vi.stubGlobal('requestIdleCallback', onIdle);
  const { controller, getCount, save, sent } = given();
  const read = controller.fetch(getCount);
  await controller.fetch(save);
  expect(sent).toEqual(['write']);
  idle.forEach((run) => run());
  await read;
  expect(sent).toEqual(['write', 'read']);
  expect(onIdle).toHaveBeenCalledWith(expect.anything(), { timeout: 500 });
});

it('IdlingNetworkManager does not send a read that was ended before the page was idle', async () => {
  const idle: (() => void)[] = [];
  vi.stubGlobal('requestIdleCallback', (run: () => void) => void idle.push(run));
  const { controller, getCount, sent } = given();
  const read = controller.fetch(getCount);
  await controller.resetEntireStore();
  idle.forEach((run) => run());
  await expect(read).rejects.toMatchObject({ code: 'request-reset' });
  expect(sent).toEqual([]);
});

it('IdlingNetworkManager sends a read at once if the environment has no requestIdleCallback', async () => {
  const { controller, getCount, sent } = given();
  await controller.fetch(getCount);
  expect(sent).toEqual(['read']);
});
