import { describe, expect, it } from 'vitest';
import { INVALID } from '../../define/schema/row.ts';
import type { Cell } from './cell.ts';
import { ObservedCell } from './observed-cell.ts';
import { mark, notify, type ToNotify } from './mark.ts';
import { resolve } from './resolve.ts';

/** Adds up its own number and its parts'; built on demand. A negative number is an error, 13 is invalid. */
class Sum extends ObservedCell {
  number: number;
  override readonly parts: (Sum | undefined)[] = [];
  builds = 0;
  prepares = 0;
  filled: number[] = [];
  isLooking = false;
  isStrict = false;
  #built: readonly unknown[] = [];

  constructor(number: number, ...parts: (Sum | undefined)[]) {
    super();
    this.number = number;
    for (const part of parts) this.add(part);
  }

  add(part: Sum | undefined): this {
    this.parts.push(part);
    part?.linkTo(this);
    return this;
  }

  change(number: number): Cell[] {
    this.number = number;
    const toNotify: ToNotify = new Map();
    mark(this, toNotify);
    return [...toNotify.keys()];
  }

  get #source(): readonly unknown[] {
    return [this.number, ...this.parts.map((part) => part?.value)];
  }

  override get looksInside(): boolean {
    return this.isLooking;
  }

  override prepare(): readonly (Cell | undefined)[] {
    this.prepares++;
    if (this.number < 0) throw new RangeError('negative');
    return this.parts;
  }

  override isChanged(): boolean {
    return this.#source.some((value, at) => value !== this.#built[at]);
  }

  override open(isInCycle: boolean): void {
    this.builds++;
    this.value = this.number === 13 ? INVALID : isInCycle ? 0 : undefined;
  }

  override fill(isInCycle: boolean): void {
    if (this.isStrict && this.parts.some((part) => part?.value === INVALID)) {
      this.value = INVALID;
      return;
    }
    const parts = this.parts.map((part) => (typeof part?.value === 'number' ? part.value : 0));
    this.value = isInCycle ? this.number : parts.reduce((sum, value) => sum + value, this.number);
    this.filled.push(this.value as number);
    if (this.number === 14) this.value = INVALID;
  }

  override seal(): void {
    this.#built = this.#source;
  }

  override release(): void {}
}

describe('a value', () => {
  it('is prepared once, at any depth', () => {
    const [one, two] = [new Sum(1), new Sum(2)];
    const inner = new Sum(10, one);
    const top = new Sum(100, two, inner, new Sum(20, inner));
    const circle = new Sum(1000, top);
    circle.add(circle);
    expect(resolve(circle)).toBe(1000);
    expect([one, two, inner, top, circle].map(({ prepares }) => prepares)).toEqual([1, 1, 1, 1, 1]);
  });

  it('is built from its parts, and once', () => {
    const one = new Sum(1);
    const top = new Sum(10, one, undefined, one);
    expect(resolve(top)).toBe(12);
    expect(resolve(top)).toBe(12);
    expect([top.builds, one.builds]).toEqual([1, 1]);
  });

  it('is rebuilt when a part changes, with only the cells in between', () => {
    const [left, right] = [new Sum(1), new Sum(2)];
    const [above, beside] = [new Sum(10, left), new Sum(20, right)];
    const top = new Sum(100, above, beside);
    resolve(top);

    left.change(5);

    expect(resolve(top)).toBe(137);
    expect([top.builds, above.builds, beside.builds, right.builds]).toEqual([2, 2, 1, 1]);
  });

  it('stays if a marked part turns out equal', () => {
    const part = new Sum(1);
    const top = new Sum(10, part);
    resolve(top);

    part.change(2);
    part.change(1);

    expect(resolve(top)).toBe(11);
    expect([top.builds, part.builds]).toEqual([1, 1]);
  });

  it('of a chain of 100,000 is built without a deep stack', () => {
    const bottom = new Sum(1);
    let top = bottom;
    for (let link = 0; link < 100_000; link++) top = new Sum(0, top);
    expect(resolve(top)).toBe(1);
    bottom.change(2);
    expect(resolve(top)).toBe(2);
  });

  it('that is invalid is judged again at each build', () => {
    const part = new Sum(13);
    const top = new Sum(1, part);
    top.isStrict = true;
    expect(resolve(top)).toBe(INVALID);
    part.change(2);
    expect(resolve(top)).toBe(3);
    part.change(13);
    expect(resolve(top)).toBe(INVALID);
  });
});

describe('a cycle', () => {
  function circle(...numbers: [number, ...number[]]): [Sum, ...Sum[]] {
    const [first, ...others] = numbers;
    const cells: [Sum, ...Sum[]] = [new Sum(first), ...others.map((number) => new Sum(number))];
    for (const [at, cell] of cells.entries()) cell.add(cells[(at + 1) % cells.length]);
    return cells;
  }

  it.each([[[1]], [[1, 2]], [[1, 2, 3]]] as [number, ...number[]][][])('of %j is built as a whole', (numbers) => {
    const cells = circle(...numbers);
    resolve(cells[0]);
    expect(cells.map((cell) => cell.value)).toEqual(numbers);
    expect(cells.every((cell) => cell.clean && cell.order === 0)).toBe(true);
  });

  it('is rebuilt as a whole, or not at all', () => {
    const cells = circle(1, 2, 3);
    resolve(cells[0]);
    cells[1]?.change(5);
    resolve(cells[2] as Sum);
    expect(cells.map((cell) => cell.builds)).toEqual([2, 2, 2]);
    cells[1]?.change(6);
    cells[1]?.change(5);
    resolve(cells[0]);
    expect(cells.map((cell) => cell.builds)).toEqual([2, 2, 2]);
  });

  it('is settled after its parts, and before the cells built from it', () => {
    const outside = new Sum(7);
    const cells = circle(1, 2);
    cells[1]?.add(outside);
    const top = new Sum(100, cells[0], outside);
    expect(resolve(top)).toBe(108);
    expect(outside.builds).toBe(1);
  });

  it('inside a larger one is part of it', () => {
    const cells = circle(1, 2, 3, 4);
    cells[2]?.add(cells[1]);
    resolve(cells[0]);
    expect(cells.map((cell) => cell.builds)).toEqual([1, 1, 1, 1]);
  });

  it('fills members a second time if they read other members', () => {
    const cells = circle(1, 2);
    cells[0].isLooking = true;
    resolve(cells[0]);
    expect(cells.map((cell) => cell.filled.length)).toEqual([2, 2]);
  });

  it.each([0, 1, 2])('is invalid as a whole if one member is invalid, whichever was filled first: %d', (at) => {
    const cells = circle(1, 2, 3);
    (cells[at] as Sum).number = 13;
    for (const cell of cells) cell.isStrict = true;
    resolve(cells[0]);
    expect(cells.map((cell) => cell.value)).toEqual([INVALID, INVALID, INVALID]);
  });

  it.each([0, 1, 2])('is invalid as a whole if one member becomes invalid while it is filled: %d', (at) => {
    const cells = circle(1, 2, 3);
    (cells[at] as Sum).number = 14;
    for (const cell of cells) cell.isStrict = true;
    resolve(cells[0]);
    expect(cells.map((cell) => cell.value)).toEqual([INVALID, INVALID, INVALID]);
  });
});

describe('an error during a build', () => {
  it('is thrown to the reader, and the next read builds again', () => {
    const failing = new Sum(-1);
    const top = new Sum(10, new Sum(1, failing));
    expect(() => resolve(top)).toThrow(RangeError);
    expect(top.clean).toBe(false);
    failing.change(3);
    expect(resolve(top)).toBe(14);
  });
});

describe('observers', () => {
  it('are notified once of each change after a read', () => {
    const part = new Sum(1);
    const top = new Sum(10, part);
    let calls = 0;
    top.observe(() => calls++);
    resolve(top);
    notify(part.change(2));
    notify(part.change(3));
    expect(calls).toBe(1);
    resolve(top);
    notify(part.change(4));
    expect(calls).toBe(2);
  });

  it('of the changed cell itself are notified too', () => {
    const cell = new Sum(1);
    let calls = 0;
    cell.observe(() => calls++);
    resolve(cell);
    notify(cell.change(2));
    expect(calls).toBe(1);
  });

  it('may be the same function twice, and each unsubscribe function ends its own', () => {
    const cell = new Sum(1);
    let calls = 0;
    const count = (): void => void calls++;
    const stop = cell.observe(count);
    const stopOther = cell.observe(count);
    notify([cell]);
    expect(calls).toBe(2);
    stop();
    stop();
    notify([cell]);
    expect(calls).toBe(3);
    stopOther();
    stop();
    notify([cell]);
    expect(calls).toBe(3);
  });
});
