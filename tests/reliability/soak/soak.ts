import {
  Collection,
  Controller,
  Endpoint,
  type EndpointInterface,
  Entity,
  GCPolicy,
  type MiddlewareAPI,
  NetworkManager,
  PollingSubscription,
  type Subscribed,
  SubscriptionManager,
} from '../../../src/index.ts';
import { type Appointment, Clock, settled } from '../network/clock.ts';

class Reading extends Entity {
  id = '';
  value = 0;
  history: number[] = [];
  static override key = 'Reading';
}

const KINDS = 50;
const EVERY = 2000;

/** The leftovers of a day, after all readers have ended. */
export interface Soaked {
  readonly polls: number;
  readonly mounts: number;
  /** The growth of the heap between the first and the last tenth of the time, in bytes. */
  readonly growth: number;
  /** The number of timers, listeners, rows, results and so on that were not released, by name. */
  readonly left: Readonly<Record<string, number>>;
}

/** Timers and presence of one tab, which count unreleased listeners. */
class World {
  readonly clock = new Clock();
  timers = 0;
  readonly listeners = new Set<() => void>();
  readonly now = (): number => 1_767_225_600_000 + this.clock.now;
  readonly random = (): number => 0.5;
  readonly setTimeout = (run: () => void, milliseconds: number): unknown => {
    this.timers++;
    const made = this.clock.in(milliseconds, 'timer', () => {
      made.run = undefined;
      this.timers--;
      run();
    });
    return made;
  };
  readonly clearTimeout = (given: unknown): void => {
    const timer = given as Appointment | undefined;
    if (timer?.run === undefined) return;
    this.timers--;
    timer.run = undefined;
  };
  readonly presence = {
    isPresent: () => true,
    subscribe: (onChange: () => void) => {
      const own = (): void => onChange();
      this.listeners.add(own);
      return () => void this.listeners.delete(own);
    },
  };
}

/** Polls many endpoints every two seconds for `hours` hours, while views of them are mounted and unmounted. */
export async function soak(hours: number, mounts: number, gc: () => void): Promise<Soaked> {
  const world = new World();
  const { clock } = world;
  const Polls = class extends PollingSubscription {
    constructor(subscribed: Subscribed, controller: MiddlewareAPI) {
      super(subscribed, controller, { platform: world, presence: world.presence });
    }
  };
  const managers = [new NetworkManager(), new SubscriptionManager(Polls)];
  const whenIdle = (run: (isIdle: () => boolean) => void): (() => void) => {
    const timer = world.setTimeout(() => run(() => true), 0);
    return () => world.clearTimeout(timer);
  };
  const controller = new Controller({
    managers,
    now: world.now,
    gcPolicy: new GCPolicy({ platform: world, whenIdle }),
  });
  let polls = 0;
  const endpoints = Array.from({ length: KINDS }, (_, at) => endpointOf(at, () => ++polls));
  for (const endpoint of endpoints) void controller.subscribe(endpoint, { of: 'all' });
  const end = hours * 3_600_000;
  const heaps: number[] = [];
  let mounted = 0;
  const views: (() => void)[] = [];
  while (clock.now < end) {
    const event = clock.next();
    if (event === undefined) break;
    event.run?.();
    // Events of the same time run together.
    if (clock.peek() === clock.now) continue;
    // oxlint-disable-next-line no-await-in-loop -- one moment after another
    await settled();
    for (const due = (clock.now / end) * mounts; mounted < due; mounted++) mount(controller, endpoints, views, mounted);
    if (clock.now >= (heaps.length / 20) * end) {
      gc();
      heaps.push(process.memoryUsage().heapUsed);
    }
  }
  for (const stop of views) stop();
  for (const endpoint of endpoints) void controller.unsubscribe(endpoint, { of: 'all' });
  await settled();
  // All data has expired, and no data is shown.
  clock.now += 86_400_000;
  Array.from(controller.collect());
  const { rows, results, queries, layers } = controller.store.stats();
  controller.dispose();
  const left = { timers: world.timers, listeners: world.listeners.size, rows, results, queries, layers };
  return { polls, mounts: mounted, growth: growthOf(heaps), left };
}

function endpointOf(at: number, count: () => number): EndpointInterface {
  const fetch = async (_args: { of: string }): Promise<object[]> => {
    const value = count();
    return [
      { id: `${at}`, value, history: [value] },
      { id: `${at}/${value % 3}`, value },
    ];
  };
  return new Endpoint(fetch, { name: `readings${at}`, schema: new Collection([Reading]), pollFrequency: EVERY });
}

/** Mounts a view with new arguments, and unmounts the oldest of the last ten. */
function mount(
  controller: Controller,
  endpoints: readonly EndpointInterface[],
  views: (() => void)[],
  at: number,
): void {
  const endpoint = endpoints[at % KINDS] as EndpointInterface;
  const stops = [
    controller.watch(endpoint, { of: 'all' }, () => {}),
    controller.watch(endpoint, { of: `mount ${at}` }, () => {}),
    controller.watch(Reading, { id: `${at % KINDS}` }, () => {}),
  ];
  views.push(() => {
    for (const stop of stops) stop();
  });
  if (at % 100 === 0) void controller.fetch(endpoint, { of: `prefetch ${at}` }).catch(() => {});
  if (views.length > 10) views.shift()?.();
}

/** The mean of the last quarter minus that of the second, so that the growth at the start does not count. */
function growthOf(heaps: readonly number[]): number {
  const mean = (some: readonly number[]): number => some.reduce((sum, heap) => sum + heap, 0) / some.length;
  const quarter = Math.max(1, heaps.length >> 2);
  return Math.round(mean(heaps.slice(-quarter)) - mean(heaps.slice(quarter, 2 * quarter)));
}
