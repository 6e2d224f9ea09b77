import { describe, expect, it } from 'vitest';
import { changedNames } from '../../std/map-entries.ts';
import { assign } from './collection-members.ts';
import { ASSIGN, MapEdits } from './map-edits.ts';
import { PUSH } from './member-edit.ts';
import type { Row, RowEdit } from './row.ts';
import type { TrackedEdits } from './tracked-edits.ts';

const assigned = (incoming: object): RowEdit => ({ repeat: ASSIGN, incoming });

/** The edits of a map, as readers see them. */
interface Shown extends Pick<TrackedEdits, 'add' | 'remove'> {
  applyTo(base: Row | undefined, shown: Row): Row | undefined;
}

const tracked = (base: Row, edits: readonly RowEdit[], shown: Row): Shown => {
  const made = MapEdits.of(base, edits);
  if (made === undefined) throw new Error('The edits are not tracked.');
  expect(made.applyTo(base, shown)).toBe(shown);
  return {
    add: (more) => made.add(more),
    remove: (over) => made.remove(over),
    applyTo: (below, seen) => made.applyTo(below, seen),
  };
};

describe('entries that edits set in a map', () => {
  it('stay the same map when the edit is confirmed', () => {
    const [first, second] = [assigned({ b: '2' }), assigned({ c: '3' })];
    const base = { a: '1' };
    const shown = { a: '1', b: '2', c: '3' };
    const edits = tracked(base, [first, second], shown);
    edits.remove([first]);
    expect(edits.applyTo(assign(base, { b: '2' }), shown)).toBe(shown);
    expect(edits.applyTo({ a: '1', b: '2' }, shown)).toBe(shown);
  });

  it('are the only entries that change when their edit is removed', () => {
    const entries = Array.from({ length: 100 }, (_, at) => [`k${at}`, `${at}`] as const);
    const edits = entries.map(([name, value]) => assigned({ [name]: value }));
    const base = { a: '1', k7: 'below' };
    const shown = { ...base, ...Object.fromEntries(entries) };
    const made = tracked(base, edits, shown);
    made.remove([edits[3] as RowEdit, edits[7] as RowEdit]);
    const next = made.applyTo(base, shown) as object;
    expect(changedNames(shown, next)).toEqual(['k7', 'k3']);
    const { k3: _, ...rest } = shown as Record<string, string>;
    expect(next).toEqual({ ...rest, k7: 'below' });
  });

  it('have the value of the last edit, whichever edit is removed first', () => {
    const [first, second, third] = [assigned({ a: '1' }), assigned({ a: '2' }), assigned({ a: '1' })];
    const base = {};
    const edits = tracked(base, [first, second], { a: '2' });
    expect(edits.add([third])).toBe(true);
    edits.remove([third]);
    expect(edits.applyTo(base, { a: '1' })).toEqual({ a: '2' });
    edits.remove([first]);
    expect(edits.applyTo(base, { a: '2' })).toEqual({ a: '2' });
    edits.remove([second]);
    expect(edits.applyTo(base, { a: '2' })).toBe(base);
  });

  it('leave the map below as it is if there are none', () => {
    const base = { a: '1' };
    const none = MapEdits.of(base, [assigned({})]) as MapEdits;
    expect(none.applyTo(base, { b: '2' })).toBe(base);
  });

  it('stay while the map below changes', () => {
    const shown = { a: '1', b: 'x', c: '3', d: 'x' };
    const edits = tracked({ a: '1', b: '2', c: '3' }, [assigned({ b: 'x', d: 'x' })], shown);
    expect(edits.applyTo({ a: 'new', b: 'new', d: 'new' }, shown)).toEqual({ a: 'new', b: 'x', d: 'x' });
    expect(edits.applyTo(undefined, shown)).toBeUndefined();
    expect(edits.applyTo(['1'], shown)).toBeUndefined();
  });

  it('are tracked in maps only, and not together with edits of other kinds', () => {
    expect(MapEdits.of(['1'], [])).toBeUndefined();
    expect(MapEdits.of(undefined, [])).toBeUndefined();
    expect(MapEdits.of({}, [assigned({ a: '1' }), { repeat: PUSH, incoming: [] }])).toBeUndefined();
  });
});
