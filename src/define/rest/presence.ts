import { DataError } from '../../std/data-error.ts';
import { isPlain } from '../../std/plain.ts';
import { ObjectSchema } from '../schema/object.ts';

/**
 * Throws where the object that a schema describes has none of the lists and records that the schema names, but others: it is
 * another object than was meant, and all that it should have would be missing without a word.
 */
export function checkPresence(schema: unknown, value: unknown, what: string): void {
  const members: unknown = schema instanceof ObjectSchema ? schema.schema : schema;
  if (!isPlain(members) || Array.isArray(members) || !isPlain(value) || Array.isArray(value)) return;
  const wanted = Object.entries(members).filter(([, member]) => holdsRecords(member));
  const found = Object.keys(value);
  if (wanted.length === 0 || found.length === 0 || wanted.some(([name]) => Object.hasOwn(value, name))) return;
  const error = new DataError(
    'input-invalid',
    `The response to ${what} has ${found.join(', ')}, and not ${wanted.map(([name]) => name).join(', ')} as its schema says. ` +
      'Name in the schema what the response has, or rename it in process() of the endpoint.',
  );
  error.status = 400;
  throw error;
}

/** Whether a member of a schema stands for a list or a record, and not for a plain value. */
function holdsRecords(member: unknown): boolean {
  return typeof member === 'function' ? 'pk' in member : typeof member === 'object' && member !== null;
}
