import type { SnapshotInterface } from '../endpoint/options.ts';
import { type BodyRules, paramsAndBody } from './params-and-body.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Guesses that the server answers with what it was sent, and with what the address says of it. */
export function optimisticRecords(endpoint: BodyRules, args: readonly unknown[]): unknown {
  const { params, body } = paramsAndBody(endpoint, args);
  return Array.isArray(body)
    ? body.map((record) => ({ ...params, ...fieldsOf(record) }))
    : { ...params, ...fieldsOf(body) };
}

/** As `optimisticRecords`, for a part of a record: the rest is what there is. Without it there is no guess. */
export function optimisticPart(
  endpoint: BodyRules & { readonly schema?: unknown },
  snap: SnapshotInterface,
  args: readonly unknown[],
): Fields {
  const { params, body } = paramsAndBody(endpoint, args);
  const current: unknown = snap.get(endpoint.schema, params);
  if (typeof current !== 'object' || current === null) throw snap.abort;
  return { ...params, ...current, ...fieldsOf(body) };
}

function fieldsOf(body: unknown): Fields {
  if (body instanceof FormData) return Object.fromEntries(body.entries());
  return typeof body === 'object' && body !== null ? (body as Fields) : {};
}
