import { describe, expect, test } from 'vitest';
import { INVALID } from '../../define/schema/row.ts';
import type { Cell } from './cell.ts';
import { mark, PerhapsSame, type ToNotify } from './mark.ts';
import { ObservedCell } from './observed-cell.ts';

/** A clean, observed cell. With `selects`, its value may stay the same although a part has changed. */
class Part extends ObservedCell {
  override clean = true;
  readonly #selects: boolean;

  constructor(value: unknown, parts: readonly Part[], { selects = false } = {}) {
    super();
    this.value = value;
    this.#selects = selects;
    this.observe(() => {});
    this.link(parts);
  }

  override mayStay(): boolean {
    return this.#selects;
  }
}

/** The names of the cells to notify, with whether the value certainly changes or has to be compared. */
function marked(changed: Cell, names: Readonly<Record<string, Part>>): Readonly<Record<string, string>> {
  const toNotify: ToNotify = new Map();
  mark(changed, toNotify);
  const entries = Object.entries(names).filter(([, part]) => toNotify.has(part));
  return Object.fromEntries(
    entries.map(([name, part]) => {
      const known = toNotify.get(part);
      const isCompared = known instanceof PerhapsSame;
      expect(isCompared ? known.value : known).toBe(part.value);
      return [name, isCompared ? 'is compared' : 'changes'];
    }),
  );
}

describe('marking', () => {
  test('needs no comparison for values that certainly change, at any depth, so no value is built for it', () => {
    const row = new Part('row', []);
    const list = new Part('list', [row]);
    const query = new Part('query', [list]);
    expect(marked(row, { row, list, query })).toEqual({ row: 'changes', list: 'changes', query: 'changes' });
  });

  test('has values compared that are built from a selection, at any depth', () => {
    const row = new Part('row', []);
    const count = new Part('count', [row], { selects: true });
    const page = new Part('page', [count]);
    const site = new Part('site', [page]);
    expect(marked(row, { row, count, page, site })).toEqual({
      row: 'changes',
      count: 'is compared',
      page: 'is compared',
      site: 'is compared',
    });
  });

  test.each(['first', 'last'])('finds the path on which a value certainly changes, if it comes %s', (place) => {
    const row = new Part('row', []);
    const make = {
      count: () => new Part('count', [row], { selects: true }),
      other: () => new Part('other', [row], { selects: true }),
      list: () => new Part('list', [row]),
    };
    const list = place === 'first' ? make.list() : undefined;
    const [count, other] = [make.count(), make.other()];
    const all = list ?? make.list();
    const sorted = new Part('sorted', [all]);
    const parts = place === 'first' ? [sorted, count] : [count, sorted];
    const page = new Part('page', parts);
    const beside = new Part('beside', [other]);
    const site = new Part('site', [page]);
    expect(marked(row, { all, count, other, sorted, page, beside, site })).toEqual({
      all: 'changes',
      count: 'is compared',
      other: 'is compared',
      sorted: 'changes',
      page: 'changes',
      beside: 'is compared',
      site: 'changes',
    });
  });

  test('has an invalid value compared, which may stay invalid, and all that is built from it', () => {
    const row = new Part('row', []);
    const post = new Part(INVALID, [row]);
    const list = new Part('list', [post]);
    expect(marked(row, { post, list })).toEqual({ post: 'is compared', list: 'is compared' });
  });

  test('has the values compared that are built from a record that was invalid', () => {
    const row = new Part(INVALID, []);
    const list = new Part('list', [row]);
    expect(marked(row, { row, list })).toEqual({ row: 'changes', list: 'is compared' });
  });

  test('keeps the value that observers knew first', () => {
    const row = new Part('row', []);
    const toNotify: ToNotify = new Map();
    mark(row, toNotify);
    Object.assign(row, { value: 'read in between', clean: true });
    mark(row, toNotify);
    expect(toNotify.get(row)).toBe('row');
  });
});
