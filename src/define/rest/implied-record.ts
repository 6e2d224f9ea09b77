import { formEntries } from '../../std/form-entries.ts';
import { isPlain, type Fields } from '../../std/plain.ts';
import { Invalidate, isDeletion } from '../schema/invalidate.ts';
import { entitiesIn, memberSchemas } from '../schema/bare-answer.ts';
import { isMemberChange } from '../schema/collection-schema.ts';
import { type BodyRules, paramsAndBody } from './params-and-body.ts';
import type { AnyWire } from './wire-shape.ts';

/** The part of an endpoint that decides which records a bare answer implies. */
export interface ImpliedEndpoint extends BodyRules {
  readonly schema?: unknown;
  readonly wire?: AnyWire | undefined;
}

/**
 * Returns the response that a bare answer implies. After a deletion, it is the record that the parameters name. After a PUT, a PATCH or a create,
 * it is the records as they were sent. For other mutations it is unknown, and `undefined`.
 */
export function impliedRecords(endpoint: ImpliedEndpoint, args: readonly unknown[]): unknown {
  const { method, schema } = endpoint;
  if (schema instanceof Invalidate) return args[0];
  const envelope = envelopeOf(schema);
  if (envelope !== undefined && memberSchemas(schema)?.[envelope] instanceof Invalidate) return { [envelope]: args[0] };
  const sent = args.at(-1);
  if (isDeletion(schema)) return Array.isArray(sent) ? sent : undefined;
  const isDescribed = method === 'PUT' || method === 'PATCH' || isMemberChange(schema);
  return isDescribed ? recordsSent(endpoint, args) : undefined;
}

/** Returns the records that the parameters and the body of a call describe, in the form of a response. */
export function recordsSent(endpoint: ImpliedEndpoint, args: readonly unknown[], known: Fields = {}): unknown {
  const { params, body } = paramsAndBody(endpoint, args);
  const envelope = envelopeOf(endpoint.schema);
  const sent: unknown =
    envelope !== undefined && isPlain(body) && envelope in body ? Reflect.get(body, envelope) : body;
  const described = (record: unknown): Fields => ({ ...params, ...known, ...fieldsOf(record, endpoint.wire) });
  const records = Array.isArray(sent) ? sent.map(described) : described(sent);
  return envelope === undefined ? records : { [envelope]: records };
}

/** Returns the field of a response that holds its records, if its schema has exactly one. */
export function envelopeOf(schema: unknown): string | undefined {
  const members = memberSchemas(schema) ?? {};
  const wanted = Object.keys(members).filter((name) => entitiesIn(members[name]).length > 0);
  return wanted.length === 1 ? wanted[0] : undefined;
}

function fieldsOf(body: unknown, wire: AnyWire | undefined): Fields {
  if (body instanceof FormData) return Object.fromEntries(formEntries(body));
  const fields = typeof body === 'object' ? Object.entries({ ...body }) : [];
  // JSON omits `undefined`, so such a field is not sent.
  const sent = Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  return wire?.guess?.(sent) ?? sent;
}

/** Runs `process` for an answer without a body. */
export async function processEmpty(
  endpoint: { process(value: unknown, ...args: readonly unknown[]): unknown },
  empty: unknown,
  args: readonly unknown[],
): Promise<unknown> {
  try {
    return await endpoint.process(empty, ...args);
  } catch {
    // A `process` that expects a body may throw without one.
    return empty;
  }
}
