import type { OpenStorage, TextStorage } from '../../std/text-storage.ts';
import { equalPlain } from '../../std/plain.ts';

type Rule = readonly [name: string, keeps: (storage: TextStorage, name: string) => Promise<unknown>];

/** A text that is longer than most storages write at once, with characters that are often handled wrongly. */
const LONG = 'é😀\0\n\\"\u2028'.repeat(20_000);

/** The rules for every storage, each with a function that checks it. */
const RULES: readonly Rule[] = [
  ['a storage without any writes is empty', async (storage, name) => equals(await storage.open(name), {})],
  [
    'written entries are read at the next start',
    async (storage, name) => {
      await using(storage, name, (opened) => opened.write(new Map([['a', '1'], ['b', LONG], ['', '']]))); // prettier-ignore
      return equals(await storage.open(name), { a: '1', b: LONG, '': '' });
    },
  ],
  [
    'a later value replaces an earlier one, and `undefined` deletes the entry',
    async (storage, name) => {
      await using(storage, name, (opened) => opened.write(new Map([['a', '1'], ['b', '2']]))); // prettier-ignore
      await using(storage, name, (opened) => opened.write(new Map([['a', '3'], ['b', undefined], ['c', undefined]]))); // prettier-ignore
      return equals(await storage.open(name), { a: '3' });
    },
  ],
  [
    'storages with different names share nothing',
    async (storage, name) => {
      const names = [name, `${name} `, `${name}/../x`, `${name}\u00e9`, `${name} user`];
      for (const each of names) await using(storage, each, (opened) => opened.write(new Map([['a', each]])));
      const same = names.map(async (each) => equals(await storage.open(each), { a: each }));
      return (await Promise.all(same)).every(Boolean);
    },
  ],
  [
    'different keys are different entries',
    async (storage, name) => {
      const keys = ['__proto__', 'constructor', 'row ["Todo","1"]', '1', ' 1', 'A', 'a', 'é'];
      const written = keys.map((key) => [key, key] as const);
      await using(storage, name, (opened) => opened.write(new Map(written)));
      const opened = await storage.open(name);
      const { entries } = await opened.read();
      await opened.close();
      return equalPlain([...entries].sort(byKey), [...written].sort(byKey));
    },
  ],
  [
    'clear() deletes all entries of its own name, and no others',
    async (storage, name) => {
      await using(storage, `${name} other`, (opened) => opened.write(new Map([['a', '1']])));
      await using(storage, name, async (opened) => {
        await opened.write(new Map([['a', '1']]));
        await opened.clear();
        await opened.write(new Map([['b', '2']]));
      });
      return (
        (await equals(await storage.open(name), { b: '2' })) && equals(await storage.open(`${name} other`), { a: '1' })
      );
    },
  ],
  [
    'thousands of entries are written together, and writes take effect in the order of their calls',
    async (storage, name) => {
      const many = new Map(Array.from({ length: 3000 }, (_, at) => [`key ${at}`, String(at)]));
      await using(storage, name, (opened) =>
        Promise.all([opened.write(many), opened.write(new Map([['key 0', 'later']]))]),
      );
      return equals(await storage.open(name), { ...Object.fromEntries(many), 'key 0': 'later' });
    },
  ],
];

/**
 * Checks that a storage of your own does what `PersistManager` relies on: `test('my storage', () => checkStorage(myStorage()))`. Rejects with the first rule
 * that it breaks. It writes under names that begin with `check-storage`.
 */
export async function checkStorage(storage: TextStorage): Promise<void> {
  for (const [at, [rule, keeps]] of RULES.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- a storage is used by one at a time
    if ((await keeps(storage, `check-storage ${at}`)) !== true) throw new Error(`The storage breaks a rule: ${rule}.`);
  }
}

async function using(
  storage: TextStorage,
  name: string,
  run: (opened: OpenStorage) => Promise<unknown>,
): Promise<void> {
  const opened = await storage.open(name);
  await run(opened);
  await opened.close();
}

/** Returns whether a storage contains exactly these entries. Deletes them. */
async function equals(opened: OpenStorage, expected: Readonly<Record<string, string>>): Promise<boolean> {
  const { entries, damaged = 0 } = await opened.read();
  const isEqual = damaged === 0 && equalPlain([...entries].sort(byKey), Object.entries(expected).sort(byKey));
  await opened.clear();
  await opened.close();
  return isEqual;
}

function byKey([one = '']: readonly string[], [other = '']: readonly string[]): number {
  return one < other ? -1 : 1;
}
