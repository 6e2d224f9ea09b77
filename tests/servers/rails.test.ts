import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Controller, Entity, resource } from '../../src/index.ts';
import { rails } from '../../src/wire.ts';

const PACKAGES = ['ruby-railties', 'ruby-activerecord', 'ruby-sqlite3', 'puma'];

class Person extends Entity {
  id = 0;
  fullName = '';
  static override key = 'Person';
}
class Task extends Entity {
  id = 0;
  title = '';
  dueOn: string | null = null;
  person?: Person;
  static override key = 'Task';
  static override schema = { person: Person };
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });

let server: ChildProcess;
let url: string;
beforeAll(async () => {
  // Debian has it, and installs it in seconds.
  if (!existsSync('/usr/bin/puma')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    execFileSync('/usr/bin/apt-get', ['update', '-qq'], { env });
    execFileSync('/usr/bin/apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...PACKAGES], { env });
  }
  url = `http://127.0.0.1:${await freePort()}`;
  const config = fileURLToPath(new URL('rails/config.ru', import.meta.url));
  server = spawn('/usr/bin/puma', ['-b', url.replace('http', 'tcp'), '-t', '1:1', config], {
    cwd: fileURLToPath(new URL('rails', import.meta.url)),
  });
  await new Promise<void>((resolve, reject) => {
    let said = '';
    const collect = (text: unknown): void => {
      said += String(text);
      if (said.includes('Listening on')) resolve();
    };
    server.stdout?.on('data', collect);
    server.stderr?.on('data', collect);
    server.on('exit', () => reject(new Error(said)));
  });
});
afterAll(() => void server.kill());

const tasksAt = (urlPrefix: string) =>
  resource({
    urlPrefix,
    path: '/tasks/:id',
    schema: Task,
    optimistic: true,
    wire: rails('task', { write: { person: 'person_id' } }),
  });

describe('Rails of Debian', () => {
  test('creates, changes and deletes records, whose fields have other names there', async () => {
    const { create, get, getList, partialUpdate, delete: remove } = tasksAt(url);
    const controller = new Controller();
    const [first] = await controller.fetch(getList);
    expect([first?.title, first?.dueOn, first?.person?.fullName]).toEqual(['Write', null, 'Ann Lee']);
    const created = await controller.fetch(create, { title: 'Test', dueOn: '2026-12-01', person: first?.person });
    expect([created.dueOn, created.person]).toEqual(['2026-12-01', first?.person]);
    expect(controller.get(getList.schema)?.map(({ id }) => id)).toEqual([1, 2]);
    const changed = await controller.fetch(partialUpdate, { id: 2 }, { person: 2 });
    expect(changed.person?.fullName).toBe('Bob Ray');
    expect(await new Controller().fetch(get, { id: 2 })).toEqual(changed);
    await controller.fetch(remove, { id: 2 });
    await expect(new Controller().fetch(get, { id: 2 })).rejects.toMatchObject({ status: 404 });
  });

  test('refuses a body with messages for its fields, and the guess is removed', async () => {
    const { getList, partialUpdate } = tasksAt(url);
    const controller = new Controller();
    const [first] = await controller.fetch(getList);
    const refused = controller.fetch(partialUpdate, { id: 1 }, { title: '', dueOn: null, person: 99 });
    await expect(refused).rejects.toMatchObject({
      status: 422,
      fieldErrors: { title: ["can't be blank"], person: ['must exist'] },
    });
    expect(controller.get(Task, { id: 1 })).toBe(first);
  });
});
