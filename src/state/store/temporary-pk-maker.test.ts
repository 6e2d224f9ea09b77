import { expect, test } from 'vitest';
import { TemporaryPkMaker } from './temporary-pk-maker.ts';

test('a maker recognizes the temporary pks that it has made, and no other text', () => {
  const [maker, other] = [new TemporaryPkMaker(), new TemporaryPkMaker()];
  const start = maker.make('Post').slice(0, -1);
  const made = [`${start}1`, ...Array.from({ length: 10 }, () => maker.make('Post'))];
  expect(new Set(made).size).toBe(11);
  expect(made.every((pk) => /^temp:.+:[0-9]+$/.test(pk) && maker.isOwn(pk))).toBe(true);
  const others = ['', '1', start, `${start}01`, `${start}1.0`, `${start}1x`, `${start}12`, other.make('Post')];
  expect(others.filter((pk) => maker.isOwn(pk))).toEqual([]);
});

test('a maker recognizes the pk of a record that is being created elsewhere, and gives it back', () => {
  const [maker, other] = [new TemporaryPkMaker(), new TemporaryPkMaker()];
  const pk = other.make('Post');
  expect(maker.isOwn(pk)).toBe(false);
  expect(maker.make('Post', pk)).toBe(pk);
  expect(maker.isOwn(pk)).toBe(true);
});
