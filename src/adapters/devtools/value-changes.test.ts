import { describe, expect, test } from 'vitest';
import { Entity } from '../../define/schema/entity.ts';
import { valueChanges } from './value-changes.ts';

let asked = 0;

class Line extends Entity {
  id = '';
  text = '';
  static override key = 'Line';
  override pk(): string {
    asked++;
    return this.id;
  }
}

const lineOf = (id: number, text = ''): Line => Line.fromJS({ id: String(id), text });
const lines = Array.from({ length: 50_000 }, (_, id) => lineOf(id));

/** The differences between the lines and another list, and how often the pk of a record was read. */
function changesTo(now: readonly Line[]) {
  asked = 0;
  const found = valueChanges(lines, now);
  const changes = found.map(({ kind, pk, field, after = '' }) => `${kind} ${pk} ${field ?? ''} ${after}`.trim());
  return { changes, asked };
}

class Event extends Entity {
  id = '';
  at = new Date(0);
  size = 0;
  static override key = 'Event';
}

test.each<
  readonly [what: string, before: Partial<Event>, after: Partial<Event>, fields: readonly (string | undefined)[]]
>([
  ['is another date', { at: new Date(1) }, { at: new Date(2) }, ['at']],
  ['is the same date, made again', { at: new Date(1) }, { at: new Date(1) }, []],
  ['is no number, as before', { size: Number.NaN }, { size: Number.NaN }, []],
])('the field of a record that %s', (_, before, after, fields) => {
  const found = valueChanges(Event.fromJS({ id: '1', ...before }), Event.fromJS({ id: '1', ...after }));
  expect(found.map(({ field }) => field)).toEqual(fields);
});

describe('the differences between two lists of 50,000 records', () => {
  test.each<readonly [what: string, now: readonly Line[], changes: readonly string[]]>([
    ['one has changed', lines.with(20_000, lineOf(20_000, 'new')), ['field 20000 text "new"']],
    [
      'two far from each other have changed',
      lines.with(1, lineOf(1, 'new')).with(49_000, lineOf(49_000, 'other')),
      ['field 1 text "new"', 'field 49000 text "other"'],
    ],
    ['one was added at the start', [lineOf(-1), ...lines], ['joined -1  Line -1']],
    ['one was removed', lines.toSpliced(30_000, 1), ['left 30000']],
    ['two have changed places', lines.with(5, lineOf(9)).with(9, lineOf(5)), []],
  ])('are found from the members that differ, when %s', (_, now, changes) => {
    expect(changesTo(now)).toEqual({ changes, asked: expect.any(Number) });
    expect(asked).toBeLessThan(20);
  });
});
