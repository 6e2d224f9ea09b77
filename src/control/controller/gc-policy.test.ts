import { describe, expect, it } from 'vitest';
import { Todo } from '../../../tests/model.ts';
import { Endpoint } from '../../define/endpoint/endpoint.ts';
import { Controller } from './controller.ts';
import { GCPolicy, type GCPolicyOptions, idleOf, ImmortalGCPolicy, type WhenIdle } from './gc-policy.ts';
const getTodo = new Endpoint(async ({ id }: { id: string }) => ({ id }), { name: 'getTodo', schema: Todo });

/** A clock that the test sets, and a page that is idle when the test says so. */
function scene(options: GCPolicyOptions = {}) {
  let time = 1_000_000;
  const timers: { run: () => void; milliseconds: number }[] = [];
  const clock = {
    setTimeout: (run: () => void, milliseconds: number) => {
      const timer = { run, milliseconds };
      timers.push(timer);
      return timer;
    },
    clearTimeout: (timer: unknown) => void timers.splice(timers.indexOf(timer as (typeof timers)[number]), 1),
  };
  const idle: ((isIdle: () => boolean) => void)[] = [];
  const whenIdle: WhenIdle = (run) => {
    idle.push(run);
    return () => void idle.splice(idle.indexOf(run), 1);
  };
  const gcPolicy = new GCPolicy({ platform: clock, whenIdle, ...options });
  const controller = new Controller({ gcPolicy, now: () => time });
  /** The timer goes off, and there is time for as many slices as it takes. */
  const collect = (): void => {
    timers.shift()?.run();
    while (idle.length > 0) idle.shift()?.(() => true);
  };
  const pass = (milliseconds: number): void => void (time += milliseconds);
  return { controller, gcPolicy, timers, idle, collect, pass };
}

describe('a policy', () => {
  it('removes expired data that is not shown: rows, results and their metadata', async () => {
    const { controller, timers, collect, pass } = scene();
    for (let id = 0; id < 10_000; id++) {
      const stop = controller.watch(getTodo, { id: String(id) }, () => {});
      // oxlint-disable-next-line no-await-in-loop
      if (id % 3 === 0) await controller.fetch(getTodo, { id: String(id) });
      // oxlint-disable-next-line no-await-in-loop
      else if (id % 3 === 1) await controller.setError(getTodo, { id: String(id) }, new Error('no'));
      // oxlint-disable-next-line no-await-in-loop
      else await controller.invalidate(getTodo, { id: String(id) });
      stop();
    }
    const shown = controller.watch(getTodo, { id: '0' }, () => {});
    expect(timers[0]?.milliseconds).toBe(300_000);
    pass(300_000);
    collect();
    expect(controller.store.stats()).toMatchObject({ rows: 1, results: 1, queries: 0 });
    expect(controller.getError(getTodo, { id: '1' })).toBeUndefined();
    shown();
    collect();
    expect(controller.store.stats()).toMatchObject({ rows: 0, results: 0, queries: 0 });
    const tested: string[] = [];
    await controller.expireAll({ testKey: (key) => tested.push(key) > 0 });
    expect(tested).toEqual([]);
    controller.dispose();
  });

  it('keeps for a while what is known of requests that have no answer, and as long as they are shown', async () => {
    const { controller, collect, pass } = scene();
    await controller.setResponse(getTodo, { id: '1' }, { id: '1' });
    await controller.invalidate(getTodo, { id: '1' });
    const slow = getTodo.extend({ name: 'slow', errorExpiryLength: 1_000_000 });
    await controller.setError(slow, { id: '2' }, new Error('no'));
    pass(100_000);
    collect();
    expect(controller.getResponse(getTodo, { id: '1' }).expiryStatus).toBe(1);
    const stop = controller.watch(getTodo, { id: '1' }, () => {});
    pass(500_000);
    collect();
    expect(controller.getResponse(getTodo, { id: '1' }).expiryStatus).toBe(1);
    expect(controller.getError(slow, { id: '2' })).toBeDefined();
    stop();
    pass(600_000);
    collect();
    expect(controller.getResponse(getTodo, { id: '1' }).expiryStatus).toBe(2);
    expect(controller.getError(slow, { id: '2' })).toBeUndefined();
    controller.dispose();
  });

  it('works in slices while the page is idle, and schedules the next run at its end', async () => {
    const { controller, timers, idle, pass } = scene({ intervalMS: 1000 });
    for (let id = 0; id < 2000; id++)
      // oxlint-disable-next-line no-await-in-loop
      await controller.setResponse(getTodo, { id: String(id) }, { id: String(id) });
    pass(300_000);
    timers.shift()?.run();
    let slices = 0;
    for (; idle.length > 0; slices++) idle.shift()?.(() => false);
    expect(slices).toBeGreaterThan(3);
    expect(controller.store.stats().rows).toBe(0);
    expect(timers.map(({ milliseconds }) => milliseconds)).toEqual([1000]);
    controller.dispose();
    expect(timers).toEqual([]);
  });

  it('ends with its controller, in the middle of its work too', async () => {
    const { controller, gcPolicy, timers, idle } = scene();
    expect(controller.gcPolicy).toBe(gcPolicy);
    timers.shift()?.run();
    expect(idle).toHaveLength(1);
    controller.dispose();
    expect([timers, idle]).toEqual([[], []]);
    // What was begun is given up, so that another may collect.
    for (const _ of controller.collect());
  });

  it('ends with its controller, also if a listener disposes of it while data is removed', async () => {
    const { controller, timers, idle, collect, pass } = scene();
    for (let id = 0; id < 2000; id++)
      // oxlint-disable-next-line no-await-in-loop
      await controller.setResponse(getTodo, { id: String(id) }, { id: String(id) });
    controller.store.onCommit(() => controller.dispose());
    pass(300_000);
    collect();
    expect([timers, idle]).toEqual([[], []]);
    expect(controller.store.stats().rows).toBeGreaterThan(0);
    for (const _ of controller.collect());
  });

  it.each([0, -1, Number.NaN])('is refused with an interval of %d ms, with which it would never rest', (intervalMS) => {
    expect(() => new GCPolicy({ intervalMS })).toThrow(expect.objectContaining({ code: 'manager-option-invalid' }));
  });

  it('never begins with an interval of Infinity, and keeps everything as ImmortalGCPolicy', () => {
    expect(scene({ intervalMS: Number.POSITIVE_INFINITY }).timers).toEqual([]);
    const immortal = new ImmortalGCPolicy();
    const controller = new Controller({ gcPolicy: immortal });
    expect(controller.gcPolicy).toBe(immortal);
    controller.dispose();
  });

  it('goes on for the controller of a provider that has replaced another one with the same policy', () => {
    const { controller: former, gcPolicy, timers, idle } = scene();
    const present = new Controller({ gcPolicy });
    expect(timers).toHaveLength(2);
    former.dispose();
    expect(timers).toHaveLength(1);
    timers.shift()?.run();
    while (idle.length > 0) idle.shift()?.(() => true);
    expect(timers).toHaveLength(1);
    present.dispose();
    expect(timers).toEqual([]);
  });

  it('keeps no process alive', () => {
    let isHeld = true;
    const timer = { unref: () => void (isHeld = false) };
    const { controller } = scene({ platform: { setTimeout: () => timer, clearTimeout: () => {} } });
    expect(isHeld).toBe(false);
    controller.dispose();
    new GCPolicy().cleanup(controller);
  });
});

describe('an idle moment', () => {
  it('is reported by requestIdleCallback of the page', () => {
    let left = 5;
    const received: boolean[] = [];
    const cancelled: number[] = [];
    const page = {
      requestIdleCallback: (run: (deadline: { timeRemaining(): number }) => void) => {
        run({ timeRemaining: () => left });
        return 7;
      },
      cancelIdleCallback: (handle: number) => void cancelled.push(handle),
    };
    const clock = { setTimeout: () => 0, clearTimeout: () => {} };
    const stop = idleOf(
      page,
      clock,
    )((isIdle) => {
      received.push(isIdle());
      left = 0;
      received.push(isIdle());
    });
    stop();
    expect([received, cancelled]).toEqual([[true, false], [7]]);
  });

  it('is the next turn of the event loop if the platform has no requestIdleCallback', () => {
    const timers: (() => void)[] = [];
    const clock = {
      setTimeout: (run: () => void) => timers.push(run),
      clearTimeout: (timer: unknown) => void timers.splice(Number(timer) - 1, 1),
    };
    const received: boolean[] = [];
    const whenIdle = idleOf({}, clock);
    whenIdle((isIdle) => void received.push(isIdle()));
    timers[0]?.();
    expect(received).toEqual([false]);
    whenIdle(() => {})();
    expect(timers).toHaveLength(1);
  });
});
