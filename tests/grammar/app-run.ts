import { ExpiryStatus } from 'rejoin';
import type { Random } from '../oracle/random.ts';
import { Owner, Task, type AppWorld } from './app-world.ts';
import { BrokenLaw, show } from './compare.ts';

interface AppKind {
  readonly weight: number;
  readonly act: (world: AppWorld, random: Random) => void;
}

const pk = (random: Random): { id: string } => ({ id: String(1 + random.below(3)) });
const words = ['a', 'b', 'c', 'd'];

type Loose = (...args: readonly unknown[]) => Promise<unknown>;

function mutate(world: AppWorld, random: Random): void {
  const { tasks, plain, owners } = world.endpoints;
  const how = random.pick(['partialUpdate', 'partialUpdate', 'update', 'delete', 'create', 'rename'] as const);
  const from = random.chance(0.7) ? tasks : plain;
  const id = pk(random);
  const body = { title: random.pick(words), ...(random.chance(0.3) ? { done: random.chance(0.5) } : {}) };
  world.say(
    () => `fetch(${from === tasks ? 'tasks' : 'plain'}.${how}, ${how === 'create' ? '' : show(id)}, ${show(body)})`,
  );
  const fetch = world.controller.fetch as Loose;
  if (how === 'create') world.follow(fetch(from.getList.push, body));
  else if (how === 'delete') world.follow(fetch(from.delete, id));
  else if (how === 'rename')
    world.follow(fetch(owners.partialUpdate, { id: random.pick(['1', '2']) }, { name: random.pick(words) }));
  else world.follow(fetch(from[how], id, body));
}

function read(world: AppWorld, random: Random): void {
  const { tasks, owners, ownerById } = world.endpoints;
  const how = random.pick(['get', 'getList', 'owner', 'batched'] as const);
  const id = pk(random);
  const isIfStale = random.chance(0.4);
  world.say(() => `${isIfStale ? 'fetchIfStale' : 'fetch'}(${how}, ${show(id)})`);
  const fetch = (isIfStale ? world.controller.fetchIfStale : world.controller.fetch) as Loose;
  if (how === 'get') world.follow(fetch(tasks.get, id));
  else if (how === 'getList') world.follow(fetch(tasks.getList));
  else world.follow(fetch(how === 'owner' ? owners.get : ownerById, { id: random.pick(['1', '2']) }));
}

function watch(world: AppWorld, random: Random): void {
  const { controller } = world;
  const { tasks, owners } = world.endpoints;
  const id = pk(random);
  const what = random.pick(['get', 'getList', 'owner'] as const);
  world.say(() => `watch and subscribe to ${what} ${show(id)}`);
  const endpoint = what === 'get' ? tasks.get : what === 'getList' ? tasks.getList : owners.get;
  const polled = (endpoint as unknown as { extend(options: object): never }).extend({ pollFrequency: 30_000 });
  const args: readonly unknown[] = what === 'getList' ? [] : [id];
  const stop = (controller.watch as unknown as (...all: readonly unknown[]) => () => void)(endpoint, ...args, () => {});
  world.follow((controller.subscribe as Loose)(polled, ...args));
  world.stops.push(() => {
    stop();
    world.follow((controller.unsubscribe as Loose)(polled, ...args));
  });
}

export const appKinds: Readonly<Record<string, AppKind>> = {
  mutate: { weight: 10, act: mutate },
  fetchOne: { weight: 8, act: read },
  subscribe: { weight: 4, act: watch },
  unsubscribe: { weight: 1, act: (world) => world.stops.shift()?.() },
  serve: {
    weight: 12,
    act: (world, random) => {
      if (world.sent.length === 0) return;
      const sent = random.pick(world.sent);
      const status = random.chance(0.1) ? random.pick([500, 401, 409]) : undefined;
      world.say(() => `the server works on ${sent.method} ${sent.url} ${show(sent.body)} ${status ?? ''}`);
      world.serve(sent, status);
    },
  },
  deliver: {
    weight: 14,
    act: (world, random) => {
      if (world.sent.length === 0) return;
      const sent = random.pick(world.sent);
      world.serve(sent);
      world.say(() => `${sent.method} ${sent.url} is answered ${show(sent.answer)}`);
      world.deliver(sent);
    },
  },
  lose: {
    weight: 1,
    act: (world, random) => {
      const open = world.sent.filter(({ answer }) => answer === undefined);
      if (open.length === 0) return;
      const sent = random.pick(open);
      world.say(() => `${sent.method} ${sent.url} does not reach the server`);
      world.sent.splice(world.sent.indexOf(sent), 1);
      sent.reject(new TypeError('offline'));
    },
  },
  wait: {
    weight: 6,
    act: (world, random) => {
      const by = random.pick([20, 1_000, 31_000, 70_000]);
      world.say(() => `${by} ms go by`);
      world.advance(by);
    },
  },
  page: {
    weight: 2,
    act: (world, random) => {
      const event = random.pick(['visibilitychange', 'online', 'offline'] as const);
      world.say(() => event);
      if (event === 'visibilitychange')
        world.document.visibilityState = world.document.visibilityState === 'visible' ? 'hidden' : 'visible';
      else world.page.navigator.onLine = event === 'online';
      (event === 'visibilitychange' ? world.document : world.page).dispatchEvent(new Event(event));
    },
  },
  message: {
    weight: 2,
    act: (world, random) => {
      const id = random.pick(['1', '2']);
      const name = random.pick(words);
      if (world.stream === undefined) return;
      world.say(() => `the stream says { id: ${id}, name: ${name} }`);
      world.owners.set(id, { id, name });
      world.stream.message({ type: 'message', data: { id, name } });
    },
  },
  logout: {
    weight: 1,
    act: (world) => {
      world.say(() => 'resetEntireStore()');
      world.follow(world.controller.resetEntireStore());
    },
  },
};

/** Answers all requests with success, and lets time pass. */
export async function settleApp(world: AppWorld, drain: () => Promise<void>): Promise<void> {
  world.page.navigator.onLine = true;
  world.document.visibilityState = 'visible';
  for (const stop of world.stops.splice(0)) stop();
  for (let round = 0; round < 40; round++) {
    for (const sent of [...world.sent]) {
      world.serve(sent);
      world.deliver(sent);
    }
    // oxlint-disable-next-line no-await-in-loop -- answers lead to requests
    await drain();
    world.advance(500);
    // oxlint-disable-next-line no-await-in-loop -- as above
    await drain();
    if (world.sent.length === 0 && round > 3) break;
  }
}

/** Data that is fresh, or that was fetched again, is the data of the server. */
export async function judgeServer(world: AppWorld, drain: () => Promise<void>): Promise<void> {
  const { tasks, owners } = world.endpoints;
  const { controller } = world;
  const asked: readonly (readonly [endpoint: unknown, ...args: readonly unknown[]])[] = [
    [tasks.getList],
    ...['1', '2', '3'].map((id) => [tasks.get, { id }] as const),
    ...['1', '2'].map((id) => [owners.get, { id }] as const),
  ];
  // A request that has just failed is not sent again at once.
  world.advance(5_000);
  for (const [endpoint, ...args] of asked) {
    const answer = (controller.fetchIfStale as Loose)(endpoint, ...args);
    world.follow(answer);
    // oxlint-disable-next-line no-await-in-loop -- one after another
    await drain();
    // oxlint-disable-next-line no-await-in-loop -- as above
    await settleApp(world, drain);
  }
  for (const [endpoint, ...args] of asked) judgeAnswer(world, endpoint, args);
  for (const id of world.tasks.keys()) judgeTask(world, controller.get(Task, { id }), id);
}

function judgeAnswer(world: AppWorld, endpoint: unknown, args: readonly unknown[]): void {
  const { data, expiryStatus } = (
    world.controller.getResponse as unknown as (...all: readonly unknown[]) => {
      data: unknown;
      expiryStatus: ExpiryStatus;
    }
  )(endpoint, ...args);
  if (data === undefined || expiryStatus === ExpiryStatus.Invalid) return;
  if (Array.isArray(data)) {
    const [here, there] = [data.map((task: Task) => task.id), [...world.tasks.keys()]].map((ids) => ids.sort().join());
    if (here !== there) throw new BrokenLaw('L9', `the list has the tasks ${here}, the server has ${there}`);
    for (const task of data as Task[]) judgeTask(world, task, task.id);
  } else if (data instanceof Task) judgeTask(world, data, data.id);
  else if (data instanceof Owner && data.name !== world.owners.get(data.id)?.['name'])
    throw new BrokenLaw(
      'L9',
      `owner ${data.id} is ${data.name}; the server has ${String(world.owners.get(data.id)?.['name'])}`,
    );
}

function judgeTask(world: AppWorld, task: Task | undefined, id: string): void {
  const there = world.taskOf(id);
  if (task === undefined || there === undefined) return;
  for (const field of ['title', 'done'] as const)
    if (task[field] !== there[field])
      throw new BrokenLaw(
        'L9',
        `${field} of task ${id} is ${String(task[field])}; the server has ${String(there[field])}`,
      );
  if (task.owner !== undefined && task.owner.name !== (there['owner'] as { name: string }).name)
    throw new BrokenLaw('L9', `the owner of task ${id} is ${task.owner.name}; the server has ${show(there['owner'])}`);
}
