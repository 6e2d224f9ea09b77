import { expect, test } from 'vitest';
import { INVALID, type Invalid, type Row } from '../../define/schema/schema.ts';
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

test('a restored deletion removes a restored record, and is replaced by one that comes after it', () => {
  const record = restored({ id: '1' });
  const deletion = restored(INVALID);
  expect(joinVersions(record, deletion, false)).toBe(deletion);
  expect(joinVersions(deletion, record, false).row).toEqual({ id: '1' });
});
