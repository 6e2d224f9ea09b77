import { describe, expect, it } from 'vitest';
import { Clock } from '../../../tests/streams/clock.ts';
import { beforeFrame } from './frame.ts';

/** A page whose frames are drawn when the test says so. */
class Page {
  readonly frames = new Map<number, () => void>();
  #last = 0;
  readonly requestAnimationFrame = (run: () => void): number => {
    this.frames.set(++this.#last, run);
    return this.#last;
  };
  readonly cancelAnimationFrame = (frame: number): void => void this.frames.delete(frame);
  draw(): void {
    const due = [...this.frames.values()];
    this.frames.clear();
    for (const run of due) run();
  }
}

describe('a function that runs before the next frame', () => {
  it('is called once, with that frame', async () => {
    const [page, clock] = [new Page(), new Clock()];
    let runs = 0;
    beforeFrame(page, clock)(() => runs++);
    expect(runs).toBe(0);
    page.draw();
    await clock.pass(10_000);
    page.draw();
    expect([runs, clock.timers.size]).toEqual([1, 0]);
  });

  it('is called once on a hidden page too, which draws no frames', async () => {
    const [page, clock] = [new Page(), new Clock()];
    let runs = 0;
    beforeFrame(page, clock)(() => runs++);
    await clock.pass(999);
    expect(runs).toBe(0);
    await clock.pass(1);
    page.draw();
    expect([runs, page.frames.size]).toEqual([1, 0]);
  });

  it('is called 16 ms later if the platform has no frames', async () => {
    const clock = new Clock();
    let runs = 0;
    beforeFrame({}, clock)(() => runs++);
    await clock.pass(15);
    expect(runs).toBe(0);
    await clock.pass(1);
    expect(runs).toBe(1);
  });

  it('is not called after it was cancelled, with frames and without', async () => {
    const [page, clock] = [new Page(), new Clock()];
    let runs = 0;
    beforeFrame(page, clock)(() => runs++)();
    beforeFrame({}, clock)(() => runs++)();
    page.draw();
    await clock.pass(10_000);
    expect([runs, page.frames.size, clock.timers.size]).toEqual([0, 0, 0]);
  });

  it('is not called after it was cancelled in an environment without a page', () => {
    let runs = 0;
    beforeFrame()(() => runs++)();
    expect(runs).toBe(0);
  });
});

it('a function that runs before the next frame is called once if a test draws frames at once', async () => {
  const clock = new Clock();
  let runs = 0;
  const requestAnimationFrame = (run: () => void): number => {
    run();
    return 1;
  };
  beforeFrame({ requestAnimationFrame }, clock)(() => runs++);
  await clock.pass(10_000);
  expect([runs, clock.timers.size]).toEqual([1, 0]);
});
