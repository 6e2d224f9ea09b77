import type { Loose } from '../schema/infer-schema.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { type BatchCall, type BatchMany, Batches, idOfCall } from './batching-session.ts';
import { CallableEndpoint, Endpoint } from './endpoint.ts';
import type { EndpointInstance, FetchFunction } from './infer-endpoint.ts';
import { type Platform, platform } from '../../std/platform.ts';

/** The options of `batched`. */
export interface BatchedOptions<S, Argument extends string = 'id'> {
  /** The schema of one record. */
  readonly schema: S;
  /** The argument that names a record. The field of the record that holds the same value has this name too. Default: `id`. */
  readonly argument?: Argument;
  /** The argument of the endpoint for many records. Default: `ids`. */
  readonly many?: string;
  /** How many records one request asks for, at most. Default: 100. */
  readonly max?: number;
  /** After the server did not return a record: for how many milliseconds it is not requested again. Default: 60,000. */
  readonly negativeFor?: number;
  /** Finds the list of records in the response of the endpoint for many. Default: the response is the list. */
  readonly records?: (response: Loose) => readonly unknown[];
  /** The name of the endpoint. Default: `one of`, and the name of the endpoint for many. */
  readonly name?: string;
  /**
   * Only for calls without a controller: calls for which `session` returns the same object share a request. On a server, return an object
   * that belongs to the request of one user. Default: each call sends its own request, because calls may be of different users.
   */
  readonly session?: () => object | undefined;
  readonly platform?: Pick<Platform, 'now' | 'setTimeout' | 'clearTimeout'>;
}

/** The arguments of an endpoint made by `batched`. All but the one that names the record are passed to the endpoint for many. */
export type BatchedArgs<Argument extends string> = Readonly<Record<Argument, string | number>> &
  Readonly<Record<string, unknown>>;

/** The endpoint that `batched` returns. */
export type BatchedEndpoint<S, Argument extends string = 'id'> = EndpointInstance<
  (args: BatchedArgs<Argument>) => Promise<Loose>,
  S,
  undefined
>;

type Self = CallableEndpoint & BatchCall;

/**
 * An endpoint for one record. Its calls of one tick and one controller become one call of an endpoint for many records. Each caller gets
 * its own record, or a `RecordMissingError`.
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
  const batchMany: BatchMany = { getMany, argument, many, max, records, entity };
  // Controllers share no batches, and neither do the users of one controller: a reset begins another session.
  const sessions = new WeakMap<object, Batches>();
  const batchesOf = (session: object, remembered: number): Batches => {
    const batches = sessions.get(session) ?? new Batches(batchMany, remembered, options.platform ?? platform);
    sessions.set(session, batches);
    return batches;
  };
  const members = {
    name,
    schema,
    fetch(this: Self, args: BatchedArgs<Argument>): Promise<unknown> {
      if (this.exchange !== undefined) return batchesOf(this.exchange.session, negativeFor).request(args, this);
      return batchesOf(options.session?.() ?? {}, 0).request(args, this);
    },
    key(this: Self, args: BatchedArgs<Argument>): string {
      return CallableEndpoint.prototype.key.call(this, { ...args, [argument]: idOfCall(args, batchMany) });
    },
  };
  return new Endpoint(getMany, members);
}

function optionInvalid(name: string, value: number, wanted: string): DataError {
  return new DataError('batch-option-invalid', `The ${name} of batched() is ${value}.`, {
    cure: inDevelopment(() => `Give ${wanted}.`),
  });
}
