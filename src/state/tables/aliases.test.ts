import { expect, test } from 'vitest';
import { Aliases, EarlierAliases } from './aliases.ts';

test('a record keeps its temporary pks, the first one first', () => {
  const aliases = new Aliases().set('temp:1', '7').set('temp:2', '7').set('temp:3', '8');
  expect(aliases.temporariesOf('7')[0]).toBe('temp:1');
  expect(aliases.temporariesOf('8')).toEqual(['temp:3']);
  expect(aliases.temporariesOf('9')).toEqual([]);

  expect(aliases.delete('temp:2')).toBe(true);
  expect(aliases.temporariesOf('7')[0]).toBe('temp:1');
  aliases.set('temp:4', '7');
  expect(aliases.delete('temp:1')).toBe(true);
  expect(aliases.temporariesOf('7')).toEqual(['temp:4']);
  expect(aliases.delete('temp:4')).toBe(true);
  expect(aliases.temporariesOf('7')).toEqual([]);
  expect(aliases.delete('temp:1')).toBe(false);

  const copy = aliases.copy();
  aliases.clear();
  expect(aliases.temporariesOf('8')).toEqual([]);
  expect([...copy]).toEqual([['temp:3', '8']]);
  expect(copy.temporariesOf('8')).toEqual(['temp:3']);
});

test('a temporary pk with its pk of the server is reported to callers that do not know it yet', () => {
  const then = new Aliases().set('temp:1', '7');
  const aliases = then.copy();
  expect(aliases.isNewAlias('7', then)).toBe(false);
  aliases.set('temp:2', '7').set('temp:3', '8');
  expect(aliases.isNewAlias('7', then)).toBe(true);
  expect(aliases.isNewAlias('8', then)).toBe(true);
  expect(aliases.isNewAlias('8', undefined)).toBe(true);
  expect(aliases.isNewAlias('9', undefined)).toBe(false);
});

test('a copy has the aliases of its time, whatever is added or deleted later', () => {
  const aliases = new Aliases().set('temp:1', '7');
  const first = aliases.copy();
  aliases.set('temp:2', '8').set('temp:3', '7').set('temp:2', '8');
  const second = aliases.copy();
  expect(aliases.delete('temp:1')).toBe(true);
  aliases.set('temp:2', '9');

  expect([...first]).toEqual([['temp:1', '7']]);
  expect([first.size, first.get('temp:2'), first.temporariesOf('8')]).toEqual([1, undefined, []]);
  expect(first.isNewAlias('7', aliases)).toBe(true);
  expect([...second]).toEqual([
    ['temp:1', '7'],
    ['temp:2', '8'],
    ['temp:3', '7'],
  ]);
  expect(second.temporariesOf('7')).toEqual(['temp:1', 'temp:3']);
  expect(second.isNewAlias('7', first)).toBe(true);
  expect([...aliases]).toEqual([
    ['temp:3', '7'],
    ['temp:2', '9'],
  ]);
  expect(aliases.size).toBe(2);
});

test('the copy of a copy has the aliases of the copy', () => {
  const aliases = new Aliases().set('temp:1', '7');
  const copy = aliases.copy();
  aliases.set('temp:2', '8');

  expect([...copy.copy()]).toEqual([['temp:1', '7']]);
});

test('the aliases of an earlier store lack those of records that it still shows under their temporary pk', () => {
  const aliases = new Aliases().set('temp:1', '7').set('temp:2', '7').set('temp:3', '8');
  const earlier = new EarlierAliases(aliases, (temporary) => temporary === 'temp:1');
  expect(['temp:1', 'temp:2', 'temp:3', 'temp:4'].map((temporary) => earlier.get(temporary))).toEqual([
    undefined,
    '7',
    '8',
    undefined,
  ]);
  expect(earlier.size).toBe(3);
  expect(earlier.temporariesOf('7')).toEqual(['temp:2']);
  expect(earlier.temporariesOf('9')).toEqual([]);
});
