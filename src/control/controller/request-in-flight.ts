import type { Answered } from '../../define/endpoint/exchange.ts';
import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import type { Layer } from '../../state/store/layer.ts';
import { NestedEdits } from '../../state/store/nested-edits.ts';
import type { PkChange } from '../../state/store/change-pk.ts';
import type { Ticket } from '../../state/store/tickets.ts';
import { type Fields, isPlain } from '../../std/plain.ts';
import type { Edits } from './edits.ts';
import type { MutatedRecord } from './mutated-record.ts';

/** A call of an endpoint, and its request key. */
export interface EndpointCall {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly key: string;
}

/** Returns the key by which reads share a request. Pages of a list have one request key, and are requests of their own. */
export function shareKeyOf({ endpoint, args, key }: EndpointCall): string {
  const { pageKey } = endpoint as { readonly pageKey?: (...args: readonly unknown[]) => string };
  return pageKey === undefined ? key : Reflect.apply(pageKey, endpoint, args);
}

/** The members of a request that only mutations have. */
export class Mutation {
  /** The record that its arguments name. */
  mutatedRecord: MutatedRecord | undefined;
  readonly edits: Edits;
  /** Shows the guess until the mutation settles. */
  layer: Layer | undefined = undefined;
  /** The temporary pks of the records that its guess creates. */
  created: readonly string[] = [];
  /** Which fields of the records inside of its body it edits. */
  nestedEdits: NestedEdits = new NestedEdits();
  /** The place of an edit that an outbox has kept among the other edits: at least the time when it was made, in milliseconds since 1970. */
  place: number | undefined = undefined;
  /** The fields of the present pk of its record, if an edit has changed it. */
  #pkFields: Fields | undefined = undefined;

  constructor(mutatedRecord: MutatedRecord | undefined, edits: Edits) {
    this.mutatedRecord = mutatedRecord;
    this.edits = edits;
  }

  /** Call it when an edit has changed the pk of a record. */
  changePk(change: PkChange, nameNow: (name: string) => string): void {
    this.edits.rename(nameNow);
    const { mutatedRecord: record } = this;
    if (record === undefined || nameNow(record.name) === record.name) return;
    this.mutatedRecord = { ...record, pk: change.to, name: nameNow(record.name) };
    this.#pkFields = { ...this.#pkFields, ...change.fields };
  }

  /** Returns the arguments with the present pk of the record. */
  argsNow(args: readonly unknown[]): readonly unknown[] {
    return withPkFields(args, this.#pkFields);
  }
}

/** Returns the arguments of a mutation with the fields of the present pk of its record. */
export function withPkFields(args: readonly unknown[], fields: Fields | undefined): readonly unknown[] {
  const [params, ...others] = args;
  if (fields === undefined || !isPlain(params)) return args;
  const now = Object.entries(params).map(([name, value]) => [name, fields[name] ?? value] as const);
  return [Object.fromEntries(now), ...others];
}

/** The state of a request that has been issued and is not over. */
export class RequestInFlight {
  readonly call: EndpointCall & { readonly fetchedAt: number };
  /** The place of its answer in the order. A mutation gets a new one when it is answered. */
  ticket: Ticket;
  /** When it was issued. */
  readonly issue: number;
  /** When it was sent: later than it was issued if it had to wait. */
  sent: number;
  /** How many mutations had settled when it was sent. */
  settledBefore = 0;
  /** Whether its key was expired or invalidated after it was sent. */
  isExpired = false;
  readonly promise: Promise<unknown>;
  resolve: (value: unknown) => void = ignore;
  reject: (error: unknown) => void = ignore;
  /** Created when the first listener asks for the signal. */
  abort: AbortController | undefined = undefined;
  /** The error, as soon as the request has failed. */
  failure: { readonly error: unknown } | undefined = undefined;
  /** What the endpoint reported about the answer. */
  answered: Answered = {};
  /** Set once the answer is stored. Returns its value: the same object that readers get. */
  read: (() => unknown) | undefined = undefined;

  /** Whether it is a read that was sent because a mutation left its records in doubt. */
  isAskedAgain = false;

  /** The arguments with which its endpoint was called: with real pks in place of temporary ones. `undefined` until it is called. */
  sentArgs: readonly unknown[] | undefined = undefined;
  /** Whether the queue of its origin has let it start. */
  isSending = false;

  /** Set for mutations only. */
  mutation: Mutation | undefined = undefined;

  constructor(call: RequestInFlight['call'], ticket: Ticket) {
    this.call = call;
    this.ticket = ticket;
    this.issue = ticket.issue;
    this.sent = ticket.issue;
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // Callers that await the promise get the error. A poll that nothing awaits must not end the process.
    this.promise.catch(ignore);
  }

  /** The number by which results and errors of one request key are ordered. */
  get resultIssue(): number {
    return this.mutation === undefined ? this.ticket.issue : this.issue;
  }
}

function ignore(): void {}
