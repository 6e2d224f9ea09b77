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
  it('runs with it, once', async () => {
    const [page, clock] = [new Page(), new Clock()];
    let runs = 0;
    beforeFrame(page, clock)(() => runs++);
    expect(runs).toBe(0);
    page.draw();
    await clock.pass(10_000);
    page.draw();
    expect([runs, clock.timers.size]).toEqual([1, 0]);
  });

  it('runs once, too, on a hidden page, which draws no frames', async () => {
    const [page, clock] = [new Page(), new Clock()];
    let runs = 0;
    beforeFrame(page, clock)(() => runs++);
    await clock.pass(999);
    expect(runs).toBe(0);
    await clock.pass(1);
    page.draw();
    expect([runs, page.frames.size]).toEqual([1, 0]);
  });

  it('runs a little later where there are no frames', async () => {
    const clock = new Clock();
    let runs = 0;
    beforeFrame({}, clock)(() => runs++);
    await clock.pass(15);
    expect(runs).toBe(0);
    await clock.pass(1);
    expect(runs).toBe(1);
  });

  it('can be prevented, with frames and without', async () => {
    const [page, clock] = [new Page(), new Clock()];
    let runs = 0;
    beforeFrame(page, clock)(() => runs++)();
    beforeFrame({}, clock)(() => runs++)();
    page.draw();
    await clock.pass(10_000);
    expect([runs, page.frames.size, clock.timers.size]).toEqual([0, 0, 0]);
  });

  it('needs nothing but the platform', () => {
    let runs = 0;
    beforeFrame()(() => runs++)();
    expect(runs).toBe(0);
  });
});
