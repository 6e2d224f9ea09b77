import { type EntityInterface, isEntity } from '../../define/schema/entity.ts';
import { pkOfPart } from '../../define/schema/pk.ts';
import { INVALID } from '../../define/schema/row.ts';
import { confirmedIssue } from '../../state/store/missing-record.ts';
import type { Found } from '../../state/store/request-cell.ts';
import type { Failure } from '../../state/store/request-state.ts';
import type { Store } from '../../state/store/store.ts';
import { isPlain } from '../../std/plain.ts';

/** The record that a request reads, if its schema is a class. */
interface RecordOfRead {
  readonly entity: unknown;
  readonly args: readonly unknown[];
  readonly found: Found;
}

/** Returns whether the record itself was deleted, and not only a record that it requires. */
export function isRecordDeleted(store: Store, { entity, args, found }: RecordOfRead): boolean {
  return isEntity(entity) && store.row(entity.key, pkOf(entity, args, found)) === INVALID;
}

/** Returns whether data of the record has come since the server answered that it does not have the record. */
export function isMadeSince(store: Store, { absentSince }: Failure, { entity, args, found }: RecordOfRead): boolean {
  if (absentSince === undefined || !isEntity(entity)) return false;
  return absentSince === 0 || Number(confirmedIssue(store, entity.key, pkOf(entity, args, found))) > absentSince;
}

function pkOf(entity: EntityInterface, args: readonly unknown[], { result }: Found): string {
  const [arg] = args;
  return String(result?.stored ?? (isPlain(arg) ? pkOfPart(entity, arg, args) : arg));
}
