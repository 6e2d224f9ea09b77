import { Controller, dehydrate, Entity, getDefaultManagers, resource } from 'rejoin';
import { OutboxManager } from 'rejoin/outbox';
import { PersistManager } from 'rejoin/persist';
import { TabsManager } from 'rejoin/tabs';
import type { ChosenTask, TabState, TraceLine } from './real-tabs-judge.ts';

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
const trace = (title: string, text: string): void => {
  const line: TraceLine = { at: Date.now(), tab, title, text };
  console.debug(JSON.stringify(line));
};
const outbox = new OutboxManager({
  name: 'app',
  endpoints: [tasks],
  onEvent: ({ type, ...event }) => trace('', `${type} ${JSON.stringify(event)}`),
});
const controller = new Controller({
  managers: [
    new TabsManager({ name: 'app', endpoints: [tasks] }),
    new PersistManager({ name: 'app' }),
    outbox,
    ...getDefaultManagers(),
  ],
});
controller.view(tasks.getList).subscribe(() => {});

/** What was last traced of each edit. */
const traced = new Map<string, { readonly title: string; readonly text: string }>();
outbox.subscribe(() => {
  const entries = outbox.entries();
  for (const { args, error, id, isElsewhere, isKept, state, tries } of entries) {
    const { title } = args.at(-1) as { readonly title: string };
    const { id: record } = args[0] as { readonly id?: string };
    const { code, message } = Object(error) as { readonly code?: string; readonly message?: string };
    const place = isElsewhere ? 'elsewhere' : isKept ? 'here' : 'here, unsaved';
    const text = [place, record ?? 'new', state, tries, code ?? message ?? ''].join(' ');
    if (traced.get(id)?.text !== text) trace(title, text);
    traced.set(id, { title, text });
  }
  for (const [id, { title }] of traced) {
    if (entries.some((entry) => entry.id === id)) continue;
    traced.delete(id);
    trace(title, 'gone');
  }
});

async function open(): Promise<void> {
  await controller.ready;
  await controller.fetchIfStale(tasks.getList);
}

/** The task at an index of the list; `undefined` for a new one. */
function choose(at: number | undefined): ChosenTask | undefined {
  const shown = controller.getResponse(tasks.getList).data ?? [];
  const task = at === undefined ? undefined : shown[at % shown.length];
  if (task === undefined) return undefined;
  const aliases = dehydrate(controller.store).aliases ?? [];
  const formerIds = aliases.flatMap(([, temporary, pk]) => (pk === task.id ? [temporary] : []));
  return { id: task.id, title: task.title, formerIds };
}

/** Changes a task, or creates one. Resolves to whether the edit is saved. */
function edit(title: string, id: string | undefined): Promise<boolean> {
  const answer =
    id === undefined
      ? controller.fetch(tasks.getList.push, { title })
      : controller.fetch(tasks.partialUpdate, { id }, { title });
  answer.catch(() => {});
  return outbox.flush();
}

/** Gives up the edits with these titles, and sends the others that have stopped again. */
function retry(unwanted: readonly string[]): void {
  for (const { args, id } of outbox.entries())
    if (unwanted.includes((args.at(-1) as { readonly title: string }).title)) outbox.discard(id);
  outbox.retry();
}

const look = (): TabState => ({
  waiting: outbox.entries().map(({ args, error, isElsewhere, state, tries }) => {
    const { id } = args[0] as { readonly id?: string };
    const { title } = args.at(-1) as { readonly title: string };
    const code = String(Reflect.get(Object(error) as object, 'code'));
    return { title, id, code, isElsewhere, state, tries, error: error === undefined ? '' : String(error) };
  }),
  shown: (controller.getResponse(tasks.getList).data ?? []).map(({ id, title }) => `${id} ${title}`),
});

Object.assign(globalThis, { open, choose, edit, look, retry });
