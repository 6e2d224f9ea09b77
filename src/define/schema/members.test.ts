import { expect, it } from 'vitest';
import { INVALID, type Stamp } from './schema.ts';
import { assign, MemberRules, push, unshift, without } from './members.ts';

it('push puts those that are not there behind the others, once', () => {
  expect(push(['1', '2'], ['3', '1', '3'])).toEqual(['1', '2', '3']);
});

it('unshift puts those that are not there before the others, once', () => {
  expect(unshift(['1', '2'], ['3', '2', '4'])).toEqual(['3', '4', '1', '2']);
});

it('members of several kinds are told apart by kind and pk', () => {
  const post = { id: '1', schema: 'post' };
  expect(
    push(
      [post],
      [
        { id: '1', schema: 'post' },
        { id: '1', schema: 'video' },
      ],
    ),
  ).toEqual([post, { id: '1', schema: 'video' }]);
});

it('what changes nothing gives the same list', () => {
  const members = ['1', '2'];
  expect(push(members, ['2'])).toBe(members);
  expect(unshift(members, [])).toBe(members);
  expect(without(members, ['3'])).toBe(members);
});

it('assign sets entries', () => {
  expect(assign({ a: '1' }, { a: '2', b: '3' })).toEqual({ a: '2', b: '3' });
});

it('without takes members out of a list or a map', () => {
  const raw = { id: '9' };
  expect(without(['1', '2', raw], ['2'])).toEqual(['1', raw]);
  expect(without({ a: '1', b: '2' }, { any: '2' })).toEqual({ a: '1' });
  expect(without([{ id: '1', schema: 'post' }, null], [{ id: '1', schema: 'post' }])).toEqual([null]);
});

it('members come and go whatever the order of the requests, and take the place of a deleted list', () => {
  const [early, late] = [1, 2].map((issue) => ({ issue, fetchedAt: 0, date: 0, expiresAt: 0 })) as [Stamp, Stamp];
  const rules = new MemberRules('[Todo]', push);
  expect(rules.mergeWithStore(late, early, ['1'], ['2'])).toEqual(['1', '2']);
  expect(rules.mergeWithStore(early, late, ['1'], ['2'])).toEqual(['1', '2']);
  expect(rules.mergeWithStore(early, late, INVALID, ['2'])).toEqual(['2']);
  expect(rules.mergeMetaWithStore(late, early, ['1'], ['2'])).toBe(late);
});
