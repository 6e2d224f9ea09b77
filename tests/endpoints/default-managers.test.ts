import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Controller, Entity, getDefaultManagers, resource } from '../../src/index.ts';

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
