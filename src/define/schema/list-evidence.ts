import { type CollectionKey, keyOfPk, textOf } from './collection-key.ts';
import { type EntityInterface, isEntity } from './entity.ts';
import type { Following } from './list-follow.ts';
import { isFull } from './list-place.ts';
import { Candidate, pageIn, selects } from './list-rules.ts';
import { includes } from './members.ts';
import { INVALID, type NormalizeDelegate, type Row, type TableRef } from './schema.ts';
import { Trust } from './trust.ts';

/** A list that the server has sent: what it holds bears the rules of its arguments out, or refutes them. */
export function judge(of: Following, pk: string, delegate: NormalizeDelegate): void {
  const args = keyOfPk(pk);
  const row = delegate.getEntity(of.key, pk);
  if (
    args === undefined ||
    row === undefined ||
    row === INVALID ||
    delegate.issueOf(of.key, pk) !== delegate.meta.issue
  )
    return;
  const names = Object.keys(args).filter((name) => selects(of, name));
  const trust = Trust.in(of.key, delegate);
  const page = pageIn(of, args);
  if (page !== undefined) trust.noteSent(pk, isFull(page, row));
  const joined = trust.takeJoined(pk);
  if (names.length === 0) return;
  const list: Listed = { of, args, names, trust, delegate };
  for (const member of Object.values(row) as unknown[]) judgeMember(list, of.schema.kinds.refOf(member));
  if (page === undefined) for (const member of joined) if (!includes(row, member)) judgeLeftOut(list, member);
}

interface Listed {
  readonly of: Following;
  readonly args: CollectionKey;
  readonly names: readonly string[];
  readonly trust: Trust;
  readonly delegate: NormalizeDelegate;
}

/** A member is in the list: a rule that refuses it is wrong. Only what came with the list is of the same moment. */
function judgeMember({ of, args, names, trust, delegate }: Listed, ref: TableRef | undefined): void {
  if (ref === undefined || delegate.issueOf(ref.table, ref.pk) !== delegate.meta.issue) return;
  const candidate = candidateOf(of, ref, delegate);
  for (const name of names) {
    const belonging = candidate.agreesWith(name, args[name]);
    if (belonging === 'yes') trust.confirm(name);
    else if (belonging === 'no')
      trust.refute(
        name,
        args,
        of.key,
        `has a record of which ${name} is ${textOf(candidate.valueOf(name)) ?? 'nothing'}`,
      );
  }
}

/** A record that had joined the list by its rules is not in it: one of them is wrong, unless the record has changed since. */
function judgeLeftOut({ of, args, names, trust, delegate }: Listed, member: unknown): void {
  const ref = of.schema.kinds.refOf(member) as TableRef;
  if (candidateOf(of, ref, delegate).belongsTo(args, trust) !== 'yes') return;
  if (Number(delegate.issueOf(ref.table, ref.pk)) >= delegate.meta.issue) return;
  for (const name of names) trust.refute(name, args, of.key, 'lacks a record that belongs to it by that rule');
}

/** Of a record that was deleted, its rules know nothing. */
function candidateOf(of: Following, { table, pk }: TableRef, delegate: NormalizeDelegate): Candidate {
  const kinds = of.schema.kinds.entries().map(([, kind]) => kind);
  const entity = kinds.filter(isEntity).find(({ key }) => key === table) as EntityInterface;
  const row = Object(delegate.getEntity(table, pk)) as Row;
  return new Candidate(of, { entity, row, asked: [] }, delegate);
}
