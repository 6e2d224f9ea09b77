import { copyPlain } from '../../std/plain.ts';
import type { MutationAnswer, Creating, Incoming, Origin } from '../normalize/combine.ts';
import { fileNew, NOT_NEW } from '../normalize/new-rows.ts';
import type { StoreCore } from './store-core.ts';
import type { Ticket } from './tickets.ts';

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
  readonly answer?: MutationAnswer | undefined;
  /**
   * Where the input comes from, if that is a mutation.
   *
   * @internal
   */
  readonly origin?: Origin | undefined;
  /** Whether the input is no answer but what was asked for: records may be parts, and keep the temporary pks of their guess. */
  readonly isPart?: boolean;
  /** Whether the records that the input is, or lists, are whole: fields that they do not have are not there. */
  readonly isWhole?: boolean;
  /** The places of those of a batch that are not in the input: what was guessed of them was not created. */
  readonly refused?: readonly number[] | undefined;
  /** Until when what is written counts as fresh. Default: for ever. */
  readonly expiresAt?: number;
  /** Keeps the normalized input under this request key, in the same commit. */
  readonly resultKey?: string;
}

const NO_ARGS: readonly unknown[] = [];

/** Files an input away. */
export function write(
  core: StoreCore,
  schema: unknown,
  input: unknown,
  options: WriteOptions,
  creating: Creating = core.creating,
): unknown {
  const {
    args = NO_ARGS,
    request,
    answer,
    origin,
    isPart,
    isWhole,
    expiresAt = Number.POSITIVE_INFINITY,
    resultKey,
  } = options;
  core.know(schema, false);
  const file =
    (request && core.prepared.get(request.issue)?.take(schema, input, args)) ??
    ((writing: Incoming) => {
      const stored = fileNew(core.reading.space.planOf(schema), input, writing);
      return stored === NOT_NEW ? core.normalizer(writing, args, creating).run(schema, input) : stored;
    });
  return core.write({ ticket: request, expiresAt, answer, origin, isPart, isWhole }, file, (stored, stamp) => {
    const placed = answer === undefined ? stamp : { ...stamp, issue: answer.issue };
    if (resultKey === undefined) return;
    core.setRequest(resultKey, core.states.with(resultKey, { schema, stored, args: copyOf(args), stamp: placed }));
  });
}

/** The caller may change what was passed. What goes in a circle, which only mutations take, is kept as it is. */
function copyOf(args: readonly unknown[]): readonly unknown[] {
  if (args.length === 0) return NO_ARGS;
  try {
    return copyPlain(args) as readonly unknown[];
  } catch {
    return args;
  }
}
