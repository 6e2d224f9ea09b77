import type { Answered } from '../../define/endpoint/exchange.ts';
import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import type { Layer } from '../../state/store/layer.ts';
import type { Ticket } from '../../state/store/tickets.ts';
import type { Edits } from './edits.ts';
import type { MutatedRecord } from './mutated-record.ts';

/** One request: what is asked, and the key that names it. */
export interface EndpointCall {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly key: string;
}

/** What there is to know of a mutation beside its request. */
export class Mutation {
  /** The record that its arguments name. */
  readonly subject: MutatedRecord | undefined;
  readonly edits: Edits;
  /** Shows its guess, until it settles. */
  layer: Layer | undefined = undefined;
  /** The temporary pks of the records that its guess creates. */
  created: readonly string[] = [];

  constructor(subject: MutatedRecord | undefined, edits: Edits) {
    this.subject = subject;
    this.edits = edits;
  }
}

/** A request under way: all that is known of it, from its place in the order to the value of its answer. */
export class RequestInFlight {
  readonly asked: EndpointCall & { readonly fetchedAt: number };
  /** The place that its answer has in the order. A mutation gets another when it is answered. */
  ticket: Ticket;
  /** When it was asked for. */
  readonly issue: number;
  /** When it was sent: later than it was asked for, where it has had to wait. */
  sent: number;
  /** How many mutations had settled by then. */
  settledBefore = 0;
  readonly promise: Promise<unknown>;
  resolve: (value: unknown) => void = ignore;
  reject: (error: unknown) => void = ignore;
  /** Made for the first listener. */
  abort: AbortController | undefined = undefined;
  /** What it failed with, from the moment in which that is known. */
  failure: { readonly error: unknown } | undefined = undefined;
  /** What the endpoint tells of the answer. */
  answered: Answered = {};
  /** Reads the value of its answer, once that has been stored: the very object that readers get. */
  read: (() => unknown) | undefined = undefined;

  /** Whether it is a read that is sent because of what a mutation left in doubt. */
  isAskedAgain = false;

  /** Whether its endpoint was called. */
  isSent = false;
  /** Whether it is on the line to its origin. */
  isOnLine = false;

  /** What only mutations have. */
  mutation: Mutation | undefined = undefined;

  constructor(asked: RequestInFlight['asked'], ticket: Ticket) {
    this.asked = asked;
    this.ticket = ticket;
    this.issue = ticket.issue;
    this.sent = ticket.issue;
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // Those that await it get the error; a poll that is not awaited must not end the process.
    this.promise.catch(ignore);
  }

  /** By what results and errors of one request key are ordered. */
  get resultIssue(): number {
    return this.mutation === undefined ? this.ticket.issue : this.issue;
  }
}

function ignore(): void {}
