import { expect, test } from 'vitest';
import { INVALID, type Invalid, type Row } from '../../define/schema/row.ts';
import type { AddedPages } from '../../define/schema/stamp.ts';
import { joinVersions, type RowVersion } from './row-versions.ts';

/** A version that was restored from a disk, so that its place in the order is not known. */
const restored = (row: Row | Invalid): RowVersion => ({
  row,
  stamp: { issue: 0, fetchedAt: 0, date: 0, expiresAt: 0 },
});

test('two restored versions of a record have the fields of both', () => {
  expect(joinVersions(restored({ id: '1', a: 1, b: 1 }), restored({ id: '1', b: 2, c: 2 }), false).row).toEqual({
    id: '1',
    a: 1,
    b: 2,
    c: 2,
  });
});

test('the later of two lists has the pages of the other that were requested after it, without members that have left', () => {
  const version = (row: Row, issue: number, pages?: AddedPages): RowVersion => ({
    row,
    stamp: { issue, fetchedAt: 0, date: 0, expiresAt: 0, ...(pages && { pages }) },
  });
  const added = [[5, ['3', '4']]] as const;
  const paged = version(['1', '2', '4'], 5, { without: 1, arrived: 1, added });
  const joined = joinVersions(paged, version(['9'], 2), true);
  expect(joined.row).toEqual(['9', '4']);
  expect(joined.stamp).toMatchObject({ issue: 5, pages: { without: 2, arrived: 2, added: [[5, ['4']]] } });
  const known = version(['9', '4'], 5, { without: 2, arrived: 2, added: [[5, ['4']]] });
  expect(joinVersions(paged, known, true)).toBe(known);
  expect(joinVersions(paged, version(['9'], 6), true).row).toEqual(['9']);
});

test('a restored deletion removes a restored record, and is replaced by one that comes after it', () => {
  const record = restored({ id: '1' });
  const deletion = restored(INVALID);
  expect(joinVersions(record, deletion, false)).toBe(deletion);
  expect(joinVersions(deletion, record, false).row).toEqual({ id: '1' });
});
