import { expect, test } from 'vitest';
import { recordName, recordOf } from './mutated-record.ts';

test.each([
  ['Post', '1'],
  ['Blog Post 2', '3 4'],
  ['', ''],
  ['7 Posts', 'temp:abc:1'],
])('the name of a record tells its table %j and its pk %j', (table, pk) => {
  const name = recordName(table, pk);

  const record = recordOf(name);

  expect(record).toEqual([table, pk]);
});
