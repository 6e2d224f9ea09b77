import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';

/** The place of a request in the order of requests. */
export interface Ticket {
  readonly issue: number;
  readonly fetchedAt: number;
  /** How many writes may use it. Default: one. */
  uses?: number;
  /** Whether the answer was a further page that came too late for its list, so that it was not added. */
  isLate?: boolean;
}

/**
 * Hands out issue numbers, and knows which requests are in flight. What an answer may overwrite depends only on these numbers, never on a
 * clock.
 */
export class Tickets {
  readonly #now: () => number;
  /** The highest issue so far, of this store or a received one. Other classes only read it. */
  last = 0;
  /** The fractional part of the issue numbers of this store. Above zero if it exchanges commits with other stores. */
  origin = 0;
  /** The tickets of requests in flight, by issue, in this order. */
  #open = new Map<number, Ticket>();
  #resets = 0;
  /** The tickets of requests from before a reset. Made for the first reset. */
  #revoked: WeakSet<Ticket> | undefined = undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Returns the ticket of a request that begins now. It is in flight until its ticket is used or settled. */
  begin(): Ticket {
    const ticket = this.next();
    this.#open.set(ticket.issue, ticket);
    return ticket;
  }

  /** Returns the ticket of a write without a request, which takes effect at once. */
  next(): Ticket {
    this.last = Math.floor(this.last) + 1 + this.origin;
    return { issue: this.last, fetchedAt: this.#now() };
  }

  /** Notes an issue of another store, so that later requests of this store come after it. */
  noteIssue(issue: number): void {
    this.last = Math.max(this.last, issue);
  }

  /** Uses a ticket. Returns false for a request from before a reset, whose answer must not be stored. */
  take(ticket: Ticket): boolean {
    if (this.#open.get(ticket.issue) === ticket) {
      const { uses = 1 } = ticket;
      ticket.uses = uses - 1;
      return uses > 1 || this.#open.delete(ticket.issue);
    }
    if (this.isRevoked(ticket)) return false;
    throw new DataError('request-settled', `Request ${ticket.issue} was settled before.`, {
      cure: inDevelopment(() => 'Use each ticket of begin() for one write.'),
    });
  }

  /** How many resets there were. */
  get resets(): number {
    return this.#resets;
  }

  /** Returns whether a request is from before a reset. */
  isRevoked(ticket: Ticket): boolean {
    return this.#revoked?.has(ticket) === true;
  }

  /** Ends a request whose answer is not stored. */
  settle(ticket: Ticket): void {
    if (this.#open.get(ticket.issue) === ticket) this.#open.delete(ticket.issue);
  }

  /** Whether any request is in flight. */
  get isAny(): boolean {
    return this.#open.size > 0;
  }

  /**
   * Returns whether an answer can still arrive that was requested before `issue`, so that each field needs its own place in the order.
   * Always true if commits of other stores may arrive.
   */
  isOvertaking(issue: number): boolean {
    return this.origin > 0 || (this.#open.size > 0 && this.isAnyOlder(issue));
  }

  /** Returns whether a request from before `issue` can still be answered. */
  isAnyOlder(issue: number): boolean {
    const [oldest] = this.#open.keys();
    return oldest !== undefined && oldest < issue;
  }

  /** Revokes the tickets of all requests in flight. Returns an undo function. */
  revoke(): () => void {
    const revoked = this.#open;
    const all = (this.#revoked ??= new WeakSet());
    for (const ticket of revoked.values()) all.add(ticket);
    this.#open = new Map();
    this.#resets++;
    return () => {
      this.#resets--;
      for (const ticket of revoked.values()) all.delete(ticket);
      this.#open = new Map([...revoked, ...this.#open]);
    };
  }
}
