import type { Loose } from '../schema/infer-schema.ts';
import { DataError } from '../../std/data-error.ts';
import { type BatchCall, type BatchMany, Batches } from './batching-session.ts';
import { CallableEndpoint, Endpoint } from './endpoint.ts';
import type { EndpointInstance, FetchFunction } from './infer-endpoint.ts';
import { type Platform, platform } from '../../std/platform.ts';

export interface BatchedOptions<S, Argument extends string = 'id'> {
  /** What one record is filed under. */
  readonly schema: S;
  /** The argument that names a record, and the field of the record that holds it. Default: `id`. */
  readonly argument?: Argument;
  /** The argument of the endpoint for many. Default: `ids`. */
  readonly many?: string;
  /** How many records are asked for at once, at most. Default: 100. */
  readonly max?: number;
  /** For how many milliseconds a record that the server did not give is not asked for again. Default: 60,000. */
  readonly negativeFor?: number;
  /** The list of records in what the endpoint for many gives. Default: it is that list. */
  readonly records?: (response: Loose) => readonly unknown[];
  /** Names the requests. Default: the name of the endpoint for many, after `one of`. */
  readonly name?: string;
  /**
   * Whose calls may go out together, where no controller makes them: those for which it gives the same object. On a server
   * that is what belongs to one user's request. Default: each goes out alone, for they may be of different users.
   */
  readonly session?: () => object | undefined;
  readonly platform?: Pick<Platform, 'now' | 'setTimeout' | 'clearTimeout'>;
}

/** The arguments of an endpoint made by `batched`; those beside the record's own go to the endpoint for many as they are. */
export type BatchedArgs<Argument extends string> = Readonly<Record<Argument, string | number>> &
  Readonly<Record<string, unknown>>;

export type BatchedEndpoint<S, Argument extends string = 'id'> = EndpointInstance<
  (args: BatchedArgs<Argument>) => Promise<Loose>,
  S,
  undefined
>;

type Self = CallableEndpoint & BatchCall;

/**
 * An endpoint for one record, whose calls of one tick and one controller become one call of an endpoint for many. Each caller gets its own
 * record, or a `RecordMissingError`.
 */
export function batched<S, Argument extends string = 'id'>(
  getMany: FetchFunction<readonly [Loose]>,
  options: BatchedOptions<S, Argument>,
): BatchedEndpoint<S, Argument> {
  const { schema, argument = 'id', many = 'ids', max = 100, negativeFor = 60_000 } = options;
  const { records = (response: unknown) => response } = options;
  if (!(max >= 1)) throw optionInvalid('max', max, 'a number from 1 on');
  if (!(negativeFor >= 0)) throw optionInvalid('negativeFor', negativeFor, 'a number of milliseconds from 0 on');
  const { name = `one of ${getMany.name}` } = options;
  const entity = (Object(schema) as { readonly key?: string }).key ?? name;
  const asked: BatchMany = { getMany, argument, many, max, records, entity };
  // Controllers share nothing, nor do users of one: a reset begins another session.
  const sessions = new WeakMap<object, Batches>();
  const batchesOf = (session: object, remembered: number): Batches => {
    const batches = sessions.get(session) ?? new Batches(asked, remembered, options.platform ?? platform);
    sessions.set(session, batches);
    return batches;
  };
  const members = {
    name,
    schema,
    fetch(this: Self, args: BatchedArgs<Argument>): Promise<unknown> {
      if (this.exchange !== undefined) return batchesOf(this.exchange.session, negativeFor).ask(args, this);
      return batchesOf(options.session?.() ?? {}, 0).ask(args, this);
    },
    key(this: Self, args: BatchedArgs<Argument>): string {
      // 7 and '7' are one record.
      return CallableEndpoint.prototype.key.call(this, { ...args, [argument]: String(args[argument as Argument]) });
    },
  };
  return new Endpoint(getMany, members);
}

function optionInvalid(name: string, value: number, wanted: string): DataError {
  return new DataError('batch-option-invalid', `The ${name} of batched() is ${value}. Give ${wanted}.`);
}
