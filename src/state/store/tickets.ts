import { DataError } from '../../std/data-error.ts';

/** A request's place in the order of things. */
export interface Ticket {
  readonly issue: number;
  readonly fetchedAt: number;
  /** How many writes it is good for. Default: one. */
  uses?: number;
}

/**
 * Hands out issue numbers and knows which requests are still under way. What an answer may overwrite depends on these
 * numbers alone, never on a clock.
 */
export class Tickets {
  readonly #now: () => number;
  #last = 0;
  /** What the numbers of this store have behind the point. Above zero it exchanges commits with others. */
  origin = 0;
  /** In order of issue. */
  #open = new Map<number, Ticket>();

  constructor(now: () => number) {
    this.#now = now;
  }

  begin(): Ticket {
    const ticket = this.next();
    this.#open.set(ticket.issue, ticket);
    return ticket;
  }

  /** The ticket of a write that is asked for and takes effect at once. */
  next(): Ticket {
    this.#last = Math.floor(this.#last) + 1 + this.origin;
    return { issue: this.#last, fetchedAt: this.#now() };
  }

  /** The issue that was handed out last. */
  get last(): number {
    return this.#last;
  }

  /** Another store has handed out this issue: what is asked for here from now on comes after it. */
  lift(issue: number): void {
    this.#last = Math.max(this.#last, issue);
  }

  /** How often everything was forgotten. */
  get resets(): number {
    return this.#resets;
  }

  #resets = 0;

  /** Uses a ticket. False for a request from before a reset: nothing of it may be stored. */
  take(ticket: Ticket): boolean {
    if (this.#open.get(ticket.issue) === ticket) {
      const { uses = 1 } = ticket;
      ticket.uses = uses - 1;
      return uses > 1 || this.#open.delete(ticket.issue);
    }
    if (this.#revoked.has(ticket)) return false;
    throw new DataError(
      'request-settled',
      `Request ${ticket.issue} was settled before. A ticket of begin() is good for one write; take a new one.`,
    );
  }

  readonly #revoked = new WeakSet<Ticket>();

  settle(ticket: Ticket): void {
    if (this.#open.get(ticket.issue) === ticket) this.#open.delete(ticket.issue);
  }

  /** Whether any request is under way. */
  get isAny(): boolean {
    return this.#open.size > 0;
  }

  /**
   * Whether something can still arrive that was asked for before `issue`, so that fields have to keep an order of their own. From
   * another store, always.
   */
  isOvertaking(issue: number): boolean {
    return this.origin > 0 || this.isAnyOlder(issue);
  }

  /** Whether a request from before `issue` can still be answered. */
  isAnyOlder(issue: number): boolean {
    if (this.#open.size === 0) return false;
    const [oldest] = this.#open.keys();
    return oldest !== undefined && oldest < issue;
  }

  /** No request that is under way will be listened to. Returns a function that undoes it. */
  revoke(): () => void {
    const revoked = this.#open;
    for (const ticket of revoked.values()) this.#revoked.add(ticket);
    this.#open = new Map();
    this.#resets++;
    return () => {
      this.#resets--;
      this.#open = new Map([...revoked, ...this.#open]);
    };
  }
}
