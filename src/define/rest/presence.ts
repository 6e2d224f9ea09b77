import { DataError } from '../../std/data-error.ts';
import { isPlain } from '../../std/plain.ts';
import { isEntity } from '../schema/entity.ts';
import { MemberChange } from '../schema/member-change.ts';
import { pkMissing, pkOf } from '../schema/pk.ts';
import { membersOf, wantedIn } from '../schema/silence.ts';
import { Values } from '../schema/values.ts';

/**
 * Throws where the object that a schema describes has none of the lists and records that the schema names, but others: it is
 * another object than was meant, and all that it should have would be missing without a word.
 */
export function checkPresence(schema: unknown, value: unknown, what: string): void {
  const members = membersOf(schema);
  if (members === undefined || !isPlain(value) || Array.isArray(value)) return;
  const wanted = wantedIn(members);
  const found = Object.keys(value);
  if (wanted.length === 0 || found.length === 0 || wanted.some((name) => Object.hasOwn(value, name))) return;
  const error = new DataError(
    'input-invalid',
    `The response to ${what} has ${found.join(', ')}, and not ${wanted.join(', ')} as its schema says. ` +
      'Name in the schema what the response has, or rename it in process() of the endpoint.',
  );
  error.status = 400;
  throw error;
}

/**
 * Throws where a record that was created has no pk in the answer: it would keep its temporary one for ever. An answer that says nothing
 * is none.
 */
export function checkCreated(schema: unknown, value: unknown, args: readonly unknown[]): void {
  if (!(schema instanceof MemberChange) || !isPlain(value)) return;
  const content = schema.collection.schema;
  const { kinds } = content;
  const items: unknown[] = Array.isArray(value) ? value : content instanceof Values ? Object.values(value) : [value];
  for (const item of items) {
    const entity: unknown = kinds.schemaOf(kinds.nameOf(item, undefined, undefined));
    if (!isEntity(entity) || !isPlain(item) || Object.keys(item).length === 0) continue;
    // A copy: it is processed once more when it is filed.
    const processed: unknown = entity.process({ ...item }, undefined, undefined, args) ?? item;
    if (pkOf(entity, processed, undefined, undefined, args) !== undefined) continue;
    const error = pkMissing(entity.key, item);
    error.status = 400;
    throw error;
  }
}
