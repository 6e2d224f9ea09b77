import { describe, expect, it } from 'vitest';
import { setListParts } from '../../std/splice.ts';
import { INVALID } from './row.ts';
import type { Stamp } from './stamp.ts';
import { assign, missingIn, push, unshift, without } from './collection-members.ts';
import { MemberRules } from './member-rules.ts';

it('push adds new members at the end, once', () => {
  expect(push(['1', '2'], ['3', '1', '3'])).toEqual(['1', '2', '3']);
});

it('unshift adds new members at the start, once', () => {
  expect(unshift(['1', '2'], ['3', '2', '4'])).toEqual(['3', '4', '1', '2']);
});

it('members of several classes are distinguished by class and pk', () => {
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

it('a change without an effect returns the same list', () => {
  const members = ['1', '2'];
  expect(push(members, ['2'])).toBe(members);
  expect(unshift(members, [])).toBe(members);
  expect(without(members, ['3'])).toBe(members);
});

it('members that a long list does not have are found without reading all of it', () => {
  let reads = 0;
  const list = Array.from({ length: 10_000 }, (_, at) => `${at}`);
  const counted = new Proxy(list, {
    get: (target, name) => {
      reads++;
      return Reflect.get(target, name) as unknown;
    },
  });
  const page = ['9999', 'new', 'new', '0', 'other'];
  for (let turn = 0; turn < 20; turn++) missingIn(counted, page);
  reads = 0;
  expect(missingIn(counted, page)).toEqual(['new', 'other']);
  expect(reads).toBeLessThan(200);
});

describe('a list with an index of its members', () => {
  const members = ['1', '2'];
  const cells = new Map([
    ['1', {}],
    ['2', {}],
    ['temp:2', {}],
  ]);
  cells.set('temp:2', cells.get('2') as object);
  setListParts(members, {
    parts: members.map((pk) => cells.get(pk)),
    isLinkedTo: (list) => list === members,
    memberOf: (pk) => cells.get(String(pk)) ?? {},
    has: (member) => [...cells.values()].includes(member as object),
    hasRepeats: false,
  });

  it('stays the same list if a member to remove is not in it', () => {
    expect(without(members, ['3'])).toBe(members);
    expect(push(members, ['2'])).toBe(members);
  });

  it('does not treat a temporary pk as the member to which it leads, like any other list', () => {
    expect(push(members, ['temp:2'])).toEqual(['1', '2', 'temp:2']);
    expect(without(members, ['temp:2'])).toBe(members);
  });
});

it('assign sets entries', () => {
  expect(assign({ a: '1' }, { a: '2', b: '3' })).toEqual({ a: '2', b: '3' });
});

it('`without` removes members from a list or a map', () => {
  const raw = { id: '9' };
  expect(without(['1', '2', raw], ['2'])).toEqual(['1', raw]);
  expect(without({ a: '1', b: '2' }, { any: '2' })).toEqual({ a: '1' });
  expect(without([{ id: '1', schema: 'post' }, null], [{ id: '1', schema: 'post' }])).toEqual([null]);
});

it('members are added and removed in whatever order the requests were sent, and a deleted list is restored', () => {
  const [early, late] = [1, 2].map((issue) => ({ issue, fetchedAt: 0, date: 0, expiresAt: 0 })) as [Stamp, Stamp];
  const rules = new MemberRules('[Todo]', push);
  expect(rules.mergeWithStore(late, early, ['1'], ['2'])).toEqual(['1', '2']);
  expect(rules.mergeWithStore(early, late, ['1'], ['2'])).toEqual(['1', '2']);
  expect(rules.mergeWithStore(early, late, INVALID, ['2'])).toEqual(['2']);
  expect(rules.mergeMetaWithStore(late, early, ['1'], ['2'])).toBe(late);
});

it('a list that has none of the members to remove stays the same', () => {
  const list = ['1', '2'];
  expect(without(list, ['3'])).toBe(list);
  expect(without(list, ['3', '4'])).toBe(list);
});
