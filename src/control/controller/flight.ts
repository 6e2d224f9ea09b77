import type { Answered } from '../../define/endpoint/exchange.ts';
import type { EndpointInterface } from '../../define/endpoint/infer.ts';
import type { Layer } from '../../state/store/guess.ts';
import type { Ticket } from '../../state/store/requests.ts';
import type { Subject } from './subject.ts';

/** One request: what is asked, and the key that names it. */
export interface Asked {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly key: string;
}

/** A field, and what a mutation makes of it. */
export type Edit = readonly [field: string, value: unknown];

/** A record with a temporary pk. */
export interface Created {
  readonly table: string;
  /** Settles when the create has ended; `undefined` from then on. */
  creating: Promise<unknown> | undefined;
}

/** A request under way: all that is known of it, from its place in the order to the value of its answer. */
export class Flight {
  readonly asked: Asked & { readonly fetchedAt: number };
  /** The place that its answer will have in the order. That of a mutation is settled only when it lands. */
  ticket: Ticket;
  /** When it was asked for. */
  readonly issue: number;
  /** How many mutations had settled by then. */
  settledBefore = 0;
  readonly promise: Promise<unknown>;
  resolve: (value: unknown) => void = ignore;
  reject: (error: unknown) => void = ignore;
  /** Made for those who listen. */
  abort: AbortController | undefined = undefined;
  /** What it failed with, from the moment in which that is known. */
  failure: { readonly error: unknown } | undefined = undefined;
  /** What the endpoint tells of the answer. */
  answered: Answered = {};
  /** Reads the value of its answer, once that has landed: the very object that readers get. */
  read: (() => unknown) | undefined = undefined;

  /** The record that a mutation is about. */
  subject: Subject | undefined = undefined;
  /** The guess that is shown of a mutation. */
  layer: Layer | undefined = undefined;
  /** What it guesses of its record that does not show without it. */
  guessed: readonly Edit[] = NONE;
  /** The same of mutations of its record that were asked for later, and whose answers have landed and say of it too. */
  overruledBy: readonly Edit[] = NONE;
  /** Whether such a mutation has landed. */
  isOvertaken = false;
  created: readonly Created[] = NONE;

  constructor(asked: Flight['asked'], ticket: Ticket) {
    this.asked = asked;
    this.ticket = ticket;
    this.issue = ticket.issue;
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // Who waits hears of it; a poll that nobody waits for must not end the process.
    this.promise.catch(ignore);
  }
}

const NONE: readonly never[] = [];

function ignore(): void {}
