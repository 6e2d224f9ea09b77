import { Controller, Entity, getDefaultManagers, resource } from 'rejoin';
import { OutboxManager } from 'rejoin/outbox';
import { PersistManager } from 'rejoin/persist';
import { TabsManager } from 'rejoin/tabs';

class Task extends Entity {
  id = '';
  title = '';
  static override key = 'Task';
}
/** The server identifies the tab by this name. */
const tab = location.hash.slice(1);
const tasks = resource({
  urlPrefix: `${location.origin}/api`,
  path: '/tasks/:id',
  schema: Task,
  optimistic: true,
  offline: true,
  requestInit: { headers: { 'x-tab': tab } },
});
const outbox = new OutboxManager({ name: 'app', endpoints: [tasks] });
const controller = new Controller({
  managers: [
    new TabsManager({ name: 'app', endpoints: [tasks] }),
    new PersistManager({ name: 'app' }),
    outbox,
    ...getDefaultManagers(),
  ],
});
controller.view(tasks.getList).subscribe(() => {});

async function open(): Promise<void> {
  await controller.ready;
  await controller.fetchIfStale(tasks.getList);
}

/** Changes the task at an index of the list, or creates one. Resolves to whether the edit is saved. */
function edit(title: string, at: number | undefined): Promise<boolean> {
  const shown = controller.getResponse(tasks.getList).data ?? [];
  const id = at === undefined ? undefined : shown[at % shown.length]?.id;
  const answer =
    id === undefined
      ? controller.fetch(tasks.getList.push, { title })
      : controller.fetch(tasks.partialUpdate, { id }, { title });
  answer.catch(() => {});
  return outbox.flush();
}

const look = (): object => ({
  waiting: outbox.entries().map(({ args, error, state }) => ({ args, state, error: String(error) })),
  shown: controller.getResponse(tasks.getList).data?.map(({ id, title }) => `${id} ${title}`),
});

Object.assign(globalThis, { open, edit, look, retry: () => outbox.retry() });
