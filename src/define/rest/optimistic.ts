import type { SnapshotInterface } from '../endpoint/options.ts';
import { type BodyRules, paramsAndBody } from './params-and-body.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Options of an endpoint that guesses that the server answers with what it was sent, and with what the address says of it. */
export const GUESS_RECORDS: Fields = {
  getOptimisticResponse(this: BodyRules, _snap: unknown, ...args: readonly unknown[]): unknown {
    const { params, body } = paramsAndBody(this, args);
    const guess = (record: unknown): Fields => ({ ...params, ...fieldsOf(record) });
    return Array.isArray(body) ? body.map(guess) : guess(body);
  },
};

/** The same for a part of a record: the rest is what there is. Without it there is no guess. */
export const GUESS_PART: Fields = {
  getOptimisticResponse(
    this: BodyRules & { readonly schema?: unknown },
    snap: SnapshotInterface,
    ...args: readonly unknown[]
  ): Fields {
    const { params, body } = paramsAndBody(this, args);
    const current: unknown = snap.get(this.schema, params);
    if (typeof current !== 'object' || current === null) throw snap.abort;
    return { ...params, ...current, ...fieldsOf(body) };
  },
};

/** The same for a record that is deleted: the address names it. */
export const GUESS_GONE: Fields = { getOptimisticResponse: (_snap: unknown, params: unknown) => params };

function fieldsOf(body: unknown): Fields {
  if (body instanceof FormData) return Object.fromEntries(body.entries());
  return typeof body === 'object' ? { ...body } : {};
}
