import { memo } from '../../std/memo.ts';
import type { EditTarget, EditedLists, MemberEdit } from './edited-member.ts';
import { memberKind } from './list-related.ts';
import { pageIn } from './list-arguments.ts';
import type { FollowedCollection } from './list-rules.ts';
import { orderOf } from './order-of.ts';
import { Trust } from './trust.ts';

/** The edits of lists whose order and pages are not known. */
export const PUSH: MemberEdit = { target: 'last', isOnce: true };
export const UNSHIFT: MemberEdit = { target: 'first', isOnce: true };
export const REMOVE: MemberEdit = { target: 'out', isOnce: true };

const KNOWN = new WeakMap<FollowedCollection, Map<EditTarget, MemberEdit>>();

/** Returns how guesses edit the lists of a collection. The same object each time, so that equal edits are equal. */
export function memberEdit(target: EditTarget, collection: FollowedCollection): MemberEdit {
  const known = memo(KNOWN, collection, () => new Map<EditTarget, MemberEdit>());
  return memo(known, target, () => ({
    target,
    isOnce: true,
    readsRows: collection.orderBy !== undefined,
    facts: factsOf(collection),
  }));
}

function factsOf(collection: FollowedCollection): EditedLists {
  return {
    orderOf: (edited) => orderOf(collection, edited.args, edited),
    refOf: (table, pk) => collection.schema.kinds.ref(memberKind(collection, table)[0], pk),
    sizeOf: ({ args }) => pageIn(collection, args)?.size,
    trustOf: (edited) => Trust.in(collection.key, edited),
  };
}
