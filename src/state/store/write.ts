import { copyPlain } from '../../std/plain.ts';
import type { Answer, Incoming } from '../normalize/combine.ts';
import type { RowCell } from '../tables/table.ts';
import type { Ground } from './ground.ts';
import type { Ticket } from './requests.ts';

export interface WriteOptions {
  /** The arguments of the endpoint or queryable. */
  readonly args?: readonly unknown[];
  /** The request that is answered. Without it the write counts as asked for now. */
  readonly request?: Ticket;
  /**
   * Decides what the answer of a mutation overwrites, where other mutations overlap it.
   *
   * @internal
   */
  readonly answer?: Answer | undefined;
  /** Until when what is written counts as fresh. Default: for ever. */
  readonly expiresAt?: number;
  /** Keeps the normalized input under this request key, in the same commit. */
  readonly resultKey?: string;
}

/** Files an input away. `onCreated` is told of every record that it creates. */
export function write(
  ground: Ground,
  schema: unknown,
  input: unknown,
  options: WriteOptions,
  onCreated: (cell: RowCell) => void = ignore,
): unknown {
  const { args = [], request, answer, expiresAt = Number.POSITIVE_INFINITY, resultKey } = options;
  ground.know(schema, false);
  const file =
    (request && ground.prepared.get(request.issue)?.take(schema, input, args)) ??
    ((writing: Incoming) => ground.normalize(writing, schema, input, args, onCreated));
  return ground.write({ ticket: request, expiresAt, answer }, file, (stored, stamp) => {
    const placed = answer === undefined ? stamp : { ...stamp, issue: answer.issue };
    if (resultKey !== undefined) ground.putResult(resultKey, { schema, stored, args: copyOf(args), stamp: placed });
  });
}

/** The caller may change what was passed. What goes in a circle, which only mutations take, is kept as it is. */
function copyOf(args: readonly unknown[]): readonly unknown[] {
  try {
    return copyPlain(args) as readonly unknown[];
  } catch {
    return args;
  }
}

function ignore(): void {}
