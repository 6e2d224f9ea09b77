import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { Endpoint } from '../../define/endpoint/endpoint.ts';
import { Entity } from '../../define/schema/entity.ts';
import { resource } from '../../define/rest/resource.ts';
import { Controller } from '../controller/controller.ts';
import { getDefaultManagers } from './default-managers.ts';
import { DevToolsManager } from './devtools-manager.ts';
import { LogoutManager } from './logout-manager.ts';
import { NetworkManager } from './network-manager.ts';
import { PollingSubscription } from './polling-subscription.ts';
import { SubscriptionManager } from './subscription-manager.ts';

describe('LogoutManager', () => {
  const failing = new Endpoint(
    (status: number): Promise<never> => Promise.reject(Object.assign(new Error('no'), { status })),
    { name: 'failing' },
  );
  const other = new Endpoint(async () => 1, { name: 'other' });

  it('forgets everything when a response says that the session is over', async () => {
    const controller = new Controller({ managers: [new LogoutManager()] });
    await controller.fetch(other);
    await expect(controller.fetch(failing, 500)).rejects.toThrow('no');
    expect(controller.getResponse(other).data).toBe(1);
    await expect(controller.fetch(failing, 401)).rejects.toMatchObject({ status: 401 });
    expect(controller.store.stats().results).toBe(0);
    expect(controller.getError(failing, 401)).toBeUndefined();
    controller.dispose();
  });

  it('does what it is told to, when it is told to', async () => {
    let calls = 0;
    const manager = new LogoutManager({ handleLogout: () => calls++, shouldLogout: () => true });
    const controller = new Controller({ managers: [manager] });
    await expect(controller.fetch(failing, 500)).rejects.toThrow('no');
    expect(calls).toBe(1);
  });
});

describe('NetworkManager', () => {
  it('says how long answers and errors are kept where the endpoint does not', async () => {
    const network = new NetworkManager({ dataExpiryLength: 5, errorExpiryLength: 7 });
    const controller = new Controller({ managers: [network], now: () => 100 });
    const quick = new Endpoint(async (ok: boolean) => (ok ? 1 : Promise.reject(new Error('no'))), { name: 'quick' });
    void controller.fetch(quick, true);
    await network.allSettled();
    expect(controller.getResponse(quick, true).expiresAt).toBe(105);
    await expect(controller.fetch(quick, false)).rejects.toThrow('no');
    expect(controller.getResponse(quick, false).expiresAt).toBe(107);
  });

  it('is one of the default managers', () => {
    const network = new NetworkManager();
    const subscriptions = new SubscriptionManager();
    expect(getDefaultManagers()).toMatchObject([expect.any(NetworkManager), expect.any(SubscriptionManager)]);
    expect(getDefaultManagers({ networkManager: network, subscriptionManager: null })).toEqual([network]);
    const [fallback] = getDefaultManagers({ networkManager: null, subscriptionManager: null });
    expect(fallback).toBeInstanceOf(NetworkManager);
    const devTools = new DevToolsManager();
    expect(getDefaultManagers({ devToolsManager: devTools, networkManager: network })[0]).toBe(devTools);
    expect(getDefaultManagers({ devToolsManager: null })).toHaveLength(2);
    expect(getDefaultManagers({ networkManager: {}, subscriptionManager: subscriptions })[1]).toBe(subscriptions);
    expect(getDefaultManagers({ subscriptionManager: PollingSubscription })).toHaveLength(2);
  });
});

test('a resource of a real server is read, changed and deleted', async () => {
  class Todo extends Entity {
    id = '';
    title = '';
    static override key = 'Todo';
  }
  const rows = new Map([['1', { id: '1', title: 'a' }]]);
  const server = createServer((request, response) => {
    const id = request.url?.split('/')[2];
    let body = '';
    request.on('data', (part: Buffer) => void (body += part.toString()));
    request.on('end', () => {
      if (request.method === 'PATCH') rows.set('1', { id: '1', ...(JSON.parse(body) as { title: string }) });
      const found = id === undefined ? [...rows.values()] : rows.get(id);
      if (request.method === 'DELETE') rows.clear();
      response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(found ?? {}));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const urlPrefix = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const TodoResource = resource({ urlPrefix, path: '/todos/:id', schema: Todo, optimistic: true });
  const controller = new Controller({ managers: getDefaultManagers() });
  const todos = await controller.fetch(TodoResource.getList);
  expect(todos).toMatchObject([{ id: '1', title: 'a' }]);
  const patched = controller.fetch(TodoResource.partialUpdate, { id: '1' }, { title: 'b' });
  expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'b' });
  await patched;
  expect(await controller.fetch(TodoResource.get, { id: '1' })).toBe(controller.get(Todo, { id: '1' }));
  await controller.fetch(TodoResource.delete, { id: '1' });
  expect(controller.getResponse(TodoResource.getList).data).toEqual([]);
  await expect(controller.fetch(TodoResource.get, { id: '1' })).rejects.toMatchObject({ status: 404 });
  controller.dispose();
});
