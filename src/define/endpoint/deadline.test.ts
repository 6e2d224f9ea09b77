import { describe, expect, test } from 'vitest';
import { delay, withDeadline } from './deadline.ts';
import type { Platform } from '../../std/platform.ts';
import { withRetry } from './retry.ts';

/** A platform whose time the test advances. */
class Simulation implements Platform {
  time = 0;
  readonly waits: number[] = [];
  #timers = new Map<number, { readonly due: number; readonly run: () => void }>();
  #last = 0;

  get timers(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.time;
  }

  random(): number {
    return 0.5;
  }

  fetch(): Promise<Response> {
    throw new Error('not here');
  }

  setTimeout(run: () => void, milliseconds: number): number {
    this.waits.push(milliseconds);
    this.#timers.set(++this.#last, { due: this.time + milliseconds, run });
    return this.#last;
  }

  clearTimeout(timer: unknown): void {
    this.#timers.delete(timer as number);
  }

  /** Lets promises settle, then runs the next timer, over and over. */
  async run(): Promise<void> {
    for (;;) {
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      const [next] = [...this.#timers].sort(([, one], [, other]) => one.due - other.due);
      if (next === undefined) return;
      this.#timers.delete(next[0]);
      this.time = next[1].due;
      next[1].run();
    }
  }
}

const never = (): Promise<never> => new Promise(() => {});
const settled = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

describe('a deadline', () => {
  test('passes on a value that comes in time, and leaves no timer', async () => {
    const world = new Simulation();
    expect(await withDeadline(async () => 5, { timeout: 100, what: 'It' }, world)).toBe(5);
    expect(world.timers).toBe(0);
  });

  test('passes errors on, and leaves no timer', async () => {
    const world = new Simulation();
    const failing = withDeadline(async () => Promise.reject(new Error('no')), { timeout: 100, what: 'It' }, world);
    await expect(failing).rejects.toThrow('no');
    expect(world.timers).toBe(0);
  });

  test('ends a run that never settles, with an error that names the timeout, whether or not it listens to the signal', async () => {
    const world = new Simulation();
    let received: unknown;
    const hanging = withDeadline(
      (signal) => {
        signal.addEventListener('abort', () => (received = signal.reason));
        return never();
      },
      { timeout: 30_000, what: 'GET /posts' },
      world,
    );
    const outcome = settled(hanging);
    await world.run();
    expect(world.time).toBe(30_000);
    expect(await outcome).toEqual({ error: received });
    expect(received).toMatchObject({ code: 'request-timeout' });
    await expect(hanging).rejects.toThrow('GET /posts took longer than 30000 ms.');
  });

  test('may be Infinity', async () => {
    const world = new Simulation();
    void withDeadline(never, { timeout: Number.POSITIVE_INFINITY, what: 'It' }, world);
    expect(world.timers).toBe(0);
  });

  test('is no longer than timers can be', async () => {
    const world = new Simulation();
    void settled(withDeadline(never, { timeout: 2 ** 40, what: 'It' }, world));
    expect(world.waits).toEqual([2 ** 31 - 1]);
  });

  test.each([0, -1, Number.NaN])('of %s ms is an error', async (timeout) => {
    const world = new Simulation();
    await expect(withDeadline(never, { timeout, what: 'It' }, world)).rejects.toMatchObject({
      code: 'timeout-invalid',
    });
  });

  test('ends early with the reason of the signal', async () => {
    const world = new Simulation();
    const controller = new AbortController();
    const outcome = settled(withDeadline(never, { timeout: 100, signal: controller.signal, what: 'It' }, world));
    const reason = new Error('the user left');
    controller.abort(reason);
    expect(await outcome).toEqual({ error: reason });
    expect(world.timers).toBe(0);
  });

  test('does not start the run if the signal has aborted before', async () => {
    const world = new Simulation();
    let runs = 0;
    const run = async (): Promise<number> => ++runs;
    const outcome = settled(withDeadline(run, { timeout: 100, signal: AbortSignal.abort(), what: 'It' }, world));
    expect(await outcome).toMatchObject({ error: { name: 'AbortError' } });
    expect(runs).toBe(0);
  });

  test('does not listen longer than needed, except for a stream that is still being read', async () => {
    const listeners = new Set<unknown>();
    const signal = new AbortController().signal;
    const spied = Object.assign(Object.create(signal) as AbortSignal, {
      throwIfAborted: () => {},
      addEventListener: (_type: string, listener: unknown) => listeners.add(listener),
      removeEventListener: (_type: string, listener: unknown) => listeners.delete(listener),
    });
    const world = new Simulation();
    await withDeadline(async () => 5, { timeout: 100, signal: spied, what: 'It' }, world);
    expect(listeners.size).toBe(0);
    await withDeadline(async () => new ReadableStream(), { timeout: 100, signal: spied, what: 'It' }, world);
    expect(listeners.size).toBe(1);
    await withDeadline(async () => null, { timeout: 100, signal: spied, what: 'It' }, world);
    expect(listeners.size).toBe(1);
  });
});

describe('a pause', () => {
  test('waits as long as given', async () => {
    const world = new Simulation();
    const pausing = delay(500, undefined, world);
    await world.run();
    await pausing;
    expect(world.time).toBe(500);
  });

  test('ends with the signal, and leaves no timer', async () => {
    const world = new Simulation();
    const controller = new AbortController();
    const outcome = settled(delay(500, controller.signal, world));
    controller.abort();
    expect(await outcome).toMatchObject({ error: { name: 'AbortError' } });
    expect(world.timers).toBe(0);
  });
});

describe('a retry', () => {
  const failures = {
    isTransient: (error: unknown) => (error as { readonly isTransient?: boolean }).isTransient === true,
    delayAsked: (error: unknown) => (error as { readonly asked?: number }).asked,
  };
  const transient = (asked?: number): Error => Object.assign(new Error('busy'), { isTransient: true, asked });

  function failing(errors: readonly Error[]): { tries: number; attempt: () => Promise<string> } {
    const state = {
      tries: 0,
      attempt: async () => {
        const error = errors[state.tries++];
        if (error !== undefined) throw error;
        return 'done';
      },
    };
    return state;
  }

  test('repeats after a temporary error, with a random wait whose limit doubles', async () => {
    const world = new Simulation();
    const state = failing([transient(), transient(), transient()]);
    const outcome = withRetry(state.attempt, {}, failures, world);
    await world.run();
    expect(await outcome).toBe('done');
    expect(state.tries).toBe(4);
    expect(world.waits).toEqual([150, 300, 600]);
  });

  test('gives up after the limit', async () => {
    const world = new Simulation();
    const last = transient();
    const state = failing([transient(), last, transient()]);
    const outcome = settled(withRetry(state.attempt, { limit: 1 }, failures, world));
    await world.run();
    expect(await outcome).toEqual({ error: last });
    expect(state.tries).toBe(2);
  });

  test('does not repeat with a limit of 0', async () => {
    const state = failing([transient()]);
    await expect(withRetry(state.attempt, { limit: 0 }, failures, new Simulation())).rejects.toThrow('busy');
    expect(state.tries).toBe(1);
  });

  test('does not repeat after a lasting error', async () => {
    const state = failing([new Error('no such post')]);
    await expect(withRetry(state.attempt, {}, failures, new Simulation())).rejects.toThrow('no such post');
    expect(state.tries).toBe(1);
  });

  test('waits as long as the server asks', async () => {
    const world = new Simulation();
    const outcome = withRetry(failing([transient(5000)]).attempt, {}, failures, world);
    await world.run();
    expect(await outcome).toBe('done');
    expect(world.waits).toEqual([5000]);
  });

  test('does not repeat if the server asks for a longer wait than allowed', async () => {
    const state = failing([transient(5001)]);
    const outcome = withRetry(state.attempt, { maxDelay: 5000 }, failures, new Simulation());
    await expect(outcome).rejects.toThrow('busy');
    expect(state.tries).toBe(1);
  });

  test('uses the isTransient and the delays of its options', async () => {
    const world = new Simulation();
    const state = failing([new Error('odd'), new Error('odd')]);
    const retry = { limit: 2, baseDelay: 1000, maxDelay: 1500, isTransient: () => true };
    const outcome = withRetry(state.attempt, retry, failures, world);
    await world.run();
    expect(await outcome).toBe('done');
    expect(world.waits).toEqual([500, 750]);
  });

  test('ends with the signal, also while it waits', async () => {
    const world = new Simulation();
    const controller = new AbortController();
    const state = failing([transient(), transient()]);
    const outcome = settled(withRetry(state.attempt, {}, failures, world, controller.signal));
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    expect(world.timers).toBe(1);
    controller.abort();
    expect(await outcome).toMatchObject({ error: { name: 'AbortError' } });
    expect(state.tries).toBe(1);
    expect(world.timers).toBe(0);
  });

  test('does not repeat after the signal has aborted', async () => {
    const controller = new AbortController();
    const error = transient();
    const attempt = async (): Promise<never> => {
      controller.abort();
      throw error;
    };
    const outcome = settled(withRetry(attempt, {}, failures, new Simulation(), controller.signal));
    expect(await outcome).toEqual({ error });
  });

  test.each([{ limit: -1 }, { baseDelay: Number.NaN }, { maxDelay: -5 }])('refuses %j', async (retry) => {
    await expect(withRetry(never, retry, failures, new Simulation())).rejects.toMatchObject({ code: 'retry-invalid' });
  });
});
