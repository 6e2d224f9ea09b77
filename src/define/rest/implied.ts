import { isPlain, type Fields } from '../../std/plain.ts';
import { Invalidate } from '../schema/invalidate.ts';
import { MemberChange } from '../schema/collection-change.ts';
import { membersOf, wantedIn } from '../schema/bare-answer.ts';
import { type BodyRules, paramsAndBody } from './params-and-body.ts';
import type { AnyWire } from './wire-shape.ts';

/** What of an endpoint decides what it is said to have done. */
export interface ImpliedEndpoint extends BodyRules {
  readonly schema?: unknown;
  readonly wire?: AnyWire | undefined;
}

/**
 * What an answer that says nothing but yes stands for: a record that was put, patched or created is as it was sent. Of other
 * changes nothing is known.
 */
export function sentRecords(endpoint: ImpliedEndpoint, args: readonly unknown[]): unknown {
  const { method, schema } = endpoint;
  if (schema instanceof Invalidate) return args[0];
  const isSaid = method === 'PUT' || method === 'PATCH' || schema instanceof MemberChange;
  return isSaid ? recordsSent(endpoint, args) : undefined;
}

/** What the address and the body of a call say of records, in the form of an answer. */
export function recordsSent(endpoint: ImpliedEndpoint, args: readonly unknown[], known: Fields = {}): unknown {
  const { params, body } = paramsAndBody(endpoint, args);
  const envelope = envelopeOf(endpoint.schema);
  const sent: unknown =
    envelope !== undefined && isPlain(body) && envelope in body ? Reflect.get(body, envelope) : body;
  const said = (record: unknown): Fields => ({ ...params, ...known, ...fieldsOf(record, endpoint.wire) });
  const records = Array.isArray(sent) ? sent.map(said) : said(sent);
  return envelope === undefined ? records : { [envelope]: records };
}

/** The member of an answer that its records are in, where its schema has one. */
export function envelopeOf(schema: unknown): string | undefined {
  const members = membersOf(schema);
  const wanted = members === undefined ? [] : wantedIn(members);
  return wanted.length === 1 ? wanted[0] : undefined;
}

function fieldsOf(body: unknown, wire: AnyWire | undefined): Fields {
  if (body instanceof FormData) return Object.fromEntries(body.entries());
  const fields = typeof body === 'object' ? Object.entries({ ...body }) : [];
  // JSON has no `undefined`: such a field is not sent.
  const sent = Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  return wire?.guess?.(sent) ?? sent;
}

/** What an endpoint makes of an answer without a body. */
export async function processEmpty(
  endpoint: { process(value: unknown, ...args: readonly unknown[]): unknown },
  empty: unknown,
  args: readonly unknown[],
): Promise<unknown> {
  try {
    return await endpoint.process(empty, ...args);
  } catch {
    // It was written for answers that have one.
    return empty;
  }
}
