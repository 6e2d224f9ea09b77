import { Controller, Entity, resource } from 'rejoin';
import { OutboxManager } from 'rejoin/outbox';
import { fileStorage } from 'rejoin/persist';
import { platform } from '../../src/std/platform.ts';

// The process that is killed. It makes an edit for each line of its input. It writes a line for each saved edit, and one when no edit waits.

class Task extends Entity {
  id = '';
  title = '';
  static override key = 'Task';
}
const [address = '', folder = ''] = process.argv.slice(2);
// Requests are repeated soon.
const soon = { ...platform, random: () => 0.02 };
const tasks = resource({
  urlPrefix: address,
  path: '/tasks/:id',
  schema: Task,
  optimistic: true,
  offline: true,
  platform: soon,
});
const outbox = new OutboxManager({
  name: 'client',
  endpoints: [tasks],
  storage: fileStorage(folder),
  platform: soon,
});
const controller = new Controller({ managers: [outbox] });
await controller.ready;

const say = (word: string): void => void process.stdout.write(`${word}\n`);
const look = (): void => void (outbox.entries().length === 0 && say('empty'));
/** The tasks that this process has created. Their pks are temporary until the server has answered. */
const created: Task[] = [];

async function edit(title: string): Promise<void> {
  const one = created[Math.floor(Math.random() * created.length)];
  const answer =
    one === undefined || Math.random() < 0.2
      ? controller.fetch(tasks.create, { title }).then((task) => void created.push(task))
      : controller.fetch(tasks.partialUpdate, { id: one.id }, { title });
  answer.catch(() => {});
  if (await outbox.flush()) say(title);
}

let text = '';
process.stdin.on('data', (piece: Buffer) => {
  const lines = (text + piece.toString()).split('\n');
  text = lines.pop() ?? '';
  for (const line of lines) if (line === 'look') look(); else void edit(line); // prettier-ignore
});
outbox.subscribe(look);
say('ready');
