import { describe, expect, it } from 'vitest';
import { changedNames } from '../../std/entries.ts';
import { assign, assignAll, pushAll } from './collection-members.ts';
import { MapEdits } from './map-edits.ts';
import type { ListEdit } from './list-edits.ts';

const assigned = (incoming: object): ListEdit => ({ repeat: assignAll, incoming });
const tracked = (base: unknown, edits: readonly ListEdit[]): MapEdits => {
  const made = MapEdits.of(base, edits);
  if (made === undefined) throw new Error('The edits are not followed.');
  return made;
};

describe('entries that edits set in a map', () => {
  it('leave the map as it is when the edit is confirmed', () => {
    const [first, second] = [assigned({ b: '2' }), assigned({ c: '3' })];
    const base = { a: '1' };
    const edits = tracked(base, [first, second]);
    const shown = { a: '1', b: '2', c: '3' };
    edits.remove([first]);
    expect(edits.over(assign(base, { b: '2' }), shown)).toBe(shown);
    expect(edits.over({ a: '1', b: '2' }, shown)).toBe(shown);
  });

  it('are the only ones that are set when the edit is over', () => {
    const entries = Array.from({ length: 100 }, (_, at) => [`k${at}`, `${at}`] as const);
    const edits = entries.map(([name, value]) => assigned({ [name]: value }));
    const base = { a: '1', k7: 'below' };
    const made = tracked(base, edits);
    const shown = { ...base, ...Object.fromEntries(entries) };
    made.remove([edits[3] as ListEdit, edits[7] as ListEdit]);
    const next = made.over(base, shown) as object;
    expect(changedNames(shown, next)).toEqual(['k7', 'k3']);
    const { k3: _, ...rest } = shown as Record<string, string>;
    expect(next).toEqual({ ...rest, k7: 'below' });
  });

  it('decide in their order, whichever is over first', () => {
    const [first, second, third] = [assigned({ a: '1' }), assigned({ a: '2' }), assigned({ a: '1' })];
    const base = {};
    const edits = tracked(base, [first, second]);
    expect(edits.add([third])).toBe(true);
    edits.remove([third]);
    expect(edits.over(base, { a: '1' })).toEqual({ a: '2' });
    edits.remove([first]);
    expect(edits.over(base, { a: '2' })).toEqual({ a: '2' });
    edits.remove([second]);
    expect(edits.over(base, { a: '2' })).toBe(base);
  });

  it('stay while the map below changes', () => {
    const edits = tracked({ a: '1', b: '2', c: '3' }, [assigned({ b: 'x', d: 'x' })]);
    const shown = { a: '1', b: 'x', c: '3', d: 'x' };
    expect(edits.over({ a: 'new', b: 'new', d: 'new' }, shown)).toEqual({ a: 'new', b: 'x', d: 'x' });
    expect(edits.over(undefined, shown)).toBeUndefined();
    expect(edits.over(['1'], shown)).toBeUndefined();
  });

  it('are not followed in a list, nor beside other edits', () => {
    expect(MapEdits.of(['1'], [])).toBeUndefined();
    expect(MapEdits.of(undefined, [])).toBeUndefined();
    expect(MapEdits.of({}, [assigned({ a: '1' }), { repeat: pushAll, incoming: [] }])).toBeUndefined();
  });
});
