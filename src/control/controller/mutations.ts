import type { Ticket } from '../../state/store/requests.ts';
import type { Layer, Store } from '../../state/store/store.ts';

interface Pending {
  /** The place that its response will have in the order. */
  ticket: Ticket;
  layer: Layer | undefined;
  isOvertaken: boolean;
}

/**
 * Mutations under way. A read that was asked for while one is pending may or may not have seen it, so a response to a
 * mutation counts as newer than every read that was asked for before it landed. Among mutations, those asked for later
 * stay newer, in whatever order they land.
 */
export class Mutations {
  readonly #store: Store;
  readonly #pending = new Map<number, Pending>();

  constructor(store: Store) {
    this.#store = store;
  }

  begin(): Ticket {
    const ticket = this.#store.begin();
    this.#pending.set(ticket.issue, { ticket, layer: undefined, isOvertaken: false });
    return ticket;
  }

  guess(request: Ticket, layer: Layer): void {
    const pending = this.#pending.get(request.issue);
    if (pending === undefined) layer.drop();
    else pending.layer = layer;
  }

  /** A mutation lands: its guess, and the ticket to write with. `undefined` for what is no mutation under way. */
  land(request: Ticket): { readonly ticket: Ticket; readonly layer: Layer | undefined } | undefined {
    const landing = this.#pending.get(request.issue);
    if (landing === undefined) return undefined;
    for (const [issue, pending] of this.#pending) {
      if (issue > request.issue || pending.isOvertaken) continue;
      this.#store.settle(pending.ticket);
      pending.ticket = this.#store.begin();
      pending.isOvertaken = issue < request.issue;
    }
    this.#pending.delete(request.issue);
    return landing;
  }

  /** A mutation failed: its guess goes, and nothing else. */
  drop(request: Ticket): void {
    const pending = this.#pending.get(request.issue);
    if (pending === undefined) return;
    this.#pending.delete(request.issue);
    this.#store.settle(pending.ticket);
    pending.layer?.drop();
  }

  clear(): void {
    this.#pending.clear();
  }
}
