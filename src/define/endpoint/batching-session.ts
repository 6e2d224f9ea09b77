import { abortWith, reasonOf, throwIfAborted } from '../../std/cancelling.ts';
import { argsKey } from '../../std/args-key.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { describePk, pkIfAny } from '../schema/pk.ts';
import type { Exchange } from './exchange.ts';
import type { Platform } from '../../std/platform.ts';
import { elapsed } from '../../std/elapsed.ts';

type BatchArgs = Readonly<Record<string, unknown>>;

/** How the endpoint for many records is called. */
export interface BatchMany {
  readonly getMany: (args: BatchArgs) => Promise<unknown>;
  readonly argument: string;
  readonly many: string;
  readonly max: number;
  readonly records: (response: unknown) => unknown;
  /** The name of the entity, for errors. */
  readonly entity: string;
}

/** Thrown to a caller whose record is not in the response of the server. */
export class RecordMissingError extends DataError {
  override readonly status = 404;

  constructor(entity: string, id: string) {
    super('record-missing', `The server gave no ${entity} for ${id}. It was deleted, or is not for this user.`, {
      entity,
    });
  }
}

/** One call of the endpoint for one record. */
export interface BatchCall {
  readonly signal?: AbortSignal | undefined;
  readonly exchange?: Exchange | undefined;
}

interface BatchCaller {
  readonly resolve: (record: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The callers that wait for the records of one call, by the id of the record. */
type BatchCallers = Map<string, Set<BatchCaller>>;

/** A call of the endpoint for many records, which will be sent or is in flight. */
interface PendingCall {
  /** The arguments other than the ids. */
  readonly shared: BatchArgs;
  readonly group: string;
  readonly callers: BatchCallers;
  /** The exchange of the first caller. The call uses only what all requests of the session have in common. */
  readonly exchange: Exchange | undefined;
  readonly abort: AbortController;
  timer: unknown;
}

/** How many missing records are remembered. */
const MAX_ABSENT = 10_000;

/** Makes one call for many records out of the calls for one record that a session makes in one tick. Remembers which records are missing. */
export class Batches {
  readonly #many: BatchMany;
  readonly #negativeFor: number;
  readonly #platform: Pick<Platform, 'now' | 'setTimeout' | 'clearTimeout'>;
  /** The calls that have not been sent yet, by the arguments that their callers share. */
  readonly #open = new Map<string, PendingCall>();
  /** When each missing record was found to be missing. Oldest first. */
  readonly #absent = new Map<string, number>();

  constructor(many: BatchMany, negativeFor: number, platform: Pick<Platform, 'now' | 'setTimeout' | 'clearTimeout'>) {
    this.#many = many;
    this.#negativeFor = negativeFor;
    this.#platform = platform;
  }

  async request(args: BatchArgs, call: BatchCall): Promise<unknown> {
    const signals = [call.signal, call.exchange?.signal].filter((signal) => signal !== undefined);
    for (const signal of signals) throwIfAborted(signal);
    const { [this.#many.argument]: _, ...shared } = args;
    const id = idOfCall(args, this.#many);
    const group = argsKey([shared], `${this.#many.entity} by batched()`);
    if (this.#isAbsent(group, id)) throw new RecordMissingError(this.#many.entity, id);
    const pending = this.#open.get(group) ?? this.#begin(group, shared, call);
    const answer = new Promise((resolve, reject) => this.#join(pending, id, { resolve, reject }, signals));
    if (pending.callers.size >= this.#many.max) this.#send(pending);
    return answer;
  }

  #begin(group: string, shared: BatchArgs, { exchange }: BatchCall): PendingCall {
    const pending: PendingCall = {
      shared,
      group,
      callers: new Map(),
      exchange,
      abort: new AbortController(),
      timer: undefined,
    };
    pending.timer = this.#platform.setTimeout(() => this.#send(pending), 0);
    this.#open.set(group, pending);
    return pending;
  }

  #join(pending: PendingCall, id: string, { resolve, reject }: BatchCaller, signals: readonly AbortSignal[]): void {
    const { callers, abort } = pending;
    const same = callers.get(id) ?? new Set<BatchCaller>();
    callers.set(id, same);
    const onAbort = (): void => {
      const reason = reasonOf(signals.find(({ aborted }) => aborted) as AbortSignal);
      same.delete(caller);
      if (same.size === 0) callers.delete(id);
      caller.reject(reason);
      if (callers.size > 0) return;
      // Every caller has aborted. A later caller needs a call of its own that is not aborted.
      this.#close(pending);
      abortWith(abort, reason);
    };
    const end = (): void => {
      for (const signal of signals) signal.removeEventListener('abort', onAbort);
    };
    const caller: BatchCaller = {
      resolve: (record) => {
        end();
        resolve(record);
      },
      reject: (error) => {
        end();
        reject(error);
      },
    };
    for (const signal of signals) signal.addEventListener('abort', onAbort);
    same.add(caller);
  }

  /** Ends the time in which a call takes callers. Later callers begin another call. */
  #close(pending: PendingCall): void {
    this.#platform.clearTimeout(pending.timer);
    if (this.#open.get(pending.group) === pending) this.#open.delete(pending.group);
  }

  #send(pending: PendingCall): void {
    this.#close(pending);
    void this.#run(pending);
  }

  async #run(pending: PendingCall): Promise<void> {
    const { callers, shared, group } = pending;
    const { argument, many, records, entity } = this.#many;
    try {
      const response = await this.#call(pending, { ...shared, [many]: [...callers.keys()] });
      const found = recordsById(records(response), argument);
      for (const [id, waiting] of callers) {
        if (!found.has(id)) this.#rememberMissing(group, id);
        for (const { resolve, reject } of waiting)
          if (found.has(id)) resolve(found.get(id));
          else reject(new RecordMissingError(entity, id));
      }
    } catch (error) {
      for (const waiting of callers.values()) for (const { reject } of waiting) reject(error);
    }
  }

  /** Calls the endpoint for many. An endpoint made by this library also gets the abort signal and the exchange. */
  #call({ exchange, abort }: PendingCall, args: BatchArgs): Promise<unknown> {
    const { getMany } = this.#many;
    const { extend, key } = getMany as Partial<ExtendableMany>;
    if (extend === undefined || key === undefined) return getMany(args);
    const { signal } = abort;
    const own: Partial<Exchange> = {
      key: Reflect.apply(key, getMany, [args]),
      signal,
      answered: {},
      stored: nothing,
      version: nothing,
    };
    const called = Reflect.apply(extend, getMany, [{ signal, ...(exchange && { exchange: { ...exchange, ...own } }) }]);
    return called(args);
  }

  #rememberMissing(group: string, id: string): void {
    if (this.#negativeFor === 0) return;
    const absent = this.#absent;
    absent.delete(nameOf(group, id));
    absent.set(nameOf(group, id), this.#platform.now());
    const [oldest] = absent.keys();
    if (absent.size > MAX_ABSENT && oldest !== undefined) absent.delete(oldest);
  }

  #isAbsent(group: string, id: string): boolean {
    const since = this.#absent.get(nameOf(group, id));
    if (since === undefined) return false;
    return (elapsed(since, this.#platform.now()) ?? this.#negativeFor) < this.#negativeFor;
  }
}

/** Returns the id in the arguments of a call, as a text: 7 and '7' name the same record. */
export function idOfCall(args: BatchArgs, { argument, entity }: Pick<BatchMany, 'argument' | 'entity'>): string {
  const given = (Object(args) as BatchArgs)[argument];
  const id = pkIfAny(given);
  if (id !== undefined) return id;
  throw new DataError(
    'param-invalid',
    `The argument ${argument}, which names a ${entity}, cannot be ${describePk(given)}.`,
    {
      path: argument,
      cure: inDevelopment(
        () => `Pass { ${argument}: … }, with a text or an exact number. To fetch nothing, pass null to the hook.`,
      ),
    },
  );
}

function nameOf(group: string, id: string): string {
  return `${group} ${id}`;
}

interface ExtendableMany {
  readonly key: (args: BatchArgs) => string;
  readonly extend: (options: object) => BatchMany['getMany'];
}

function nothing(): undefined {}

function recordsById(records: unknown, field: string): Map<string, unknown> {
  if (!Array.isArray(records)) throw responseInvalid(records);
  const found = new Map<string, unknown>();
  for (const record of records as readonly unknown[]) {
    const id = pkIfAny((Object(record) as BatchArgs)[field]);
    if (id !== undefined) found.set(id, record);
  }
  return found;
}

function responseInvalid(response: unknown): DataError {
  return new DataError(
    'batch-response-invalid',
    `The endpoint for many returned ${response === null ? 'null' : typeof response} instead of a list of records.`,
    { cure: inDevelopment(() => 'Give batched() the option records, which finds the list.') },
  );
}
