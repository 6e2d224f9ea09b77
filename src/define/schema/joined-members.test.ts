import { expect, it } from 'vitest';
import { joinedIn, IssueOrder } from './joined-members.ts';
import type { NormalizeDelegate } from './delegate.ts';

it('the order of issue of a list is forgotten with the list', () => {
  const notes = new Map<string, unknown>();
  const delegate = { issued: { issue: 2, oldestPending: 1 }, notes: () => notes } as unknown as NormalizeDelegate;
  for (const list of ['kept', 'gone'])
    IssueOrder.of('Todo', { pk: list, row: [], args: {}, issue: 0 }, delegate)?.note([], ['1'], 'last');
  const known = (): unknown[] => ['kept', 'gone'].map((list) => joinedIn(notes, list)?.of('1')?.issue);
  expect(known()).toEqual([2, 2]);
  (notes.get('joined') as { forget(lists: ReadonlySet<string>): void }).forget(new Set(['kept']));
  expect(known()).toEqual([2, undefined]);
});
