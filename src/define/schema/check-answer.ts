import { isEntity } from './entity.ts';
import { isObject } from './fields.ts';
import { inputInvalid } from './input-invalid.ts';
import { Union } from './union.ts';

/**
 * Throws where the whole answer to a read is not there, or is no data: inside of an answer a text refers to a record, and `null` to
 * none, but an answer that is nothing else says nothing.
 */
export function checkAnswer(schema: unknown, answer: unknown): void {
  if (isObject(answer)) return;
  const filed = filedBy(schema);
  const isNothing = answer === undefined || answer === null;
  const isRecord = isEntity(filed) || filed instanceof Union;
  if (!isRecord && !(isNothing && isObject(filed))) return;
  const entity = isEntity(filed) ? filed.key : undefined;
  const error = inputInvalid(entity === undefined ? expectedBy(filed) : `A record of ${entity}`, answer, entity);
  error.status = 400;
  throw error.at('');
}

function expectedBy(schema: unknown): string {
  if (schema instanceof Union) return 'A record';
  const { schema: inner } = Object(schema) as { readonly schema?: unknown };
  return Array.isArray(schema) || [schema, inner].some((one) => 'listOf' in Object(one)) ? 'A list' : 'An object';
}

/** The schema that files what comes for another. */
function filedBy(schema: unknown): unknown {
  const { filesAs } = Object(schema) as { readonly filesAs?: unknown };
  return filesAs === undefined ? schema : filedBy(filesAs);
}
