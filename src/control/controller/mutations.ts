import type { Ticket } from '../../state/store/requests.ts';
import type { Layer } from '../../state/store/guess.ts';
import type { Store } from '../../state/store/store.ts';
import { equalPlain, isPlain } from '../../std/plain.ts';
import type { Subject } from './subject.ts';
import { type Creation, TemporaryPks } from './temporary-pks.ts';

/** A field, and what a mutation makes of it. */
type Edit = readonly [field: string, value: unknown];

interface Pending {
  /** The place that its response will have in the order, once that is settled. */
  ticket: Ticket;
  /** Names the record that it is about. */
  readonly subject: string | undefined;
  layer: Layer | undefined;
  /** What it guesses of its record that does not show without it. */
  guessed: readonly Edit[];
  /** The same of mutations of its record that were asked for later, and whose answers have landed and say of it too. */
  readonly overruledBy: Edit[];
  isOvertaken: boolean;
  readonly creation: Creation;
}

/** A mutation that lands. */
export interface Landed {
  /** The ticket to write with. */
  readonly ticket: Ticket;
  readonly layer: Layer | undefined;
  /** Says whether its response is stored. */
  readonly end: (isConfirmed: boolean) => void;
}

/**
 * Mutations under way. A read that was asked for while one is pending may or may not have seen it, so a response to a
 * mutation counts as newer than every read that was asked for before it landed. Among mutations of one record, those
 * asked for later stay newer, in whatever order they land.
 */
export class Mutations {
  readonly temporaryPks: TemporaryPks;
  readonly #store: Store;
  readonly #pending = new Map<number, Pending>();
  /** While others are pending: the issue of the latest mutation of a record that has landed. */
  readonly #landed = new Map<string, number>();

  constructor(store: Store) {
    this.#store = store;
    this.temporaryPks = new TemporaryPks(store);
  }

  begin(about: Subject | undefined): Ticket {
    const ticket = this.#store.begin();
    this.#pending.set(ticket.issue, {
      ticket,
      subject: nameOf(about),
      layer: undefined,
      guessed: [],
      overruledBy: [],
      isOvertaken: false,
      creation: this.temporaryPks.creation(),
    });
    return ticket;
  }

  guess(request: Ticket, layer: Layer): void {
    const pending = this.#pending.get(request.issue);
    if (pending === undefined) return layer.drop();
    pending.layer = layer;
    pending.creation.show(layer);
  }

  /**
   * What counts of a guess, given what shows below it: where a mutation of the same record that was asked for later has
   * landed, and said something else of a field, that field stays as it was answered.
   */
  guessable(request: Ticket, response: unknown, below: object): unknown {
    const pending = this.#pending.get(request.issue);
    if (pending === undefined || !isPlain(response) || Array.isArray(response)) return response;
    pending.guessed = Object.entries(response).filter(
      ([field, value]) => !equalPlain(Reflect.get(below, field), value),
    );
    const { overruledBy } = pending;
    if (overruledBy.length === 0) return response;
    const isLeft = ([field, value]: Edit): boolean =>
      overruledBy.every(([other, later]) => other !== field || equalPlain(later, value));
    return Object.fromEntries(Object.entries(response).filter(isLeft));
  }

  /** A mutation lands, with an answer about a record. `undefined` for what is no mutation under way. */
  land(request: Ticket, about: Subject | undefined, response: unknown): Landed | undefined {
    const landing = this.#pending.get(request.issue);
    if (landing === undefined) return undefined;
    const answered = Object(response) as object;
    const said = landing.guessed.filter(([field]) => Object.hasOwn(answered, field));
    const subject = landing.subject ?? nameOf(about);
    // Of a create it is only known now which record it is about: that may have changed, or gone, since.
    landing.isOvertaken ||= (this.#landed.get(subject ?? '') ?? 0) > request.issue;
    for (const [issue, pending] of this.#pending) {
      const isAboutTheSame = subject !== undefined && pending.subject === subject;
      if (issue >= request.issue || !isAboutTheSame) continue;
      pending.overruledBy.push(...said);
      if (pending.isOvertaken) continue;
      this.#replace(pending);
      pending.isOvertaken = true;
    }
    if (!landing.isOvertaken) this.#replace(landing);
    if (subject !== undefined) this.#landed.set(subject, Math.max(request.issue, this.#landed.get(subject) ?? 0));
    this.#delete(request);
    const { ticket, layer, creation } = landing;
    return { ticket, layer, end: creation.end };
  }

  isOvertaken({ issue }: Ticket): boolean {
    return this.#pending.get(issue)?.isOvertaken === true;
  }

  /** From now on its place is behind everything that was asked for. */
  #replace(pending: Pending): void {
    this.#store.settle(pending.ticket);
    pending.ticket = this.#store.begin();
  }

  /** A mutation failed: its guess goes, and nothing else. */
  drop(request: Ticket): void {
    const pending = this.#pending.get(request.issue);
    if (pending === undefined) return;
    this.#delete(request);
    this.#store.settle(pending.ticket);
    pending.layer?.drop();
    pending.creation.end(false);
  }

  #delete({ issue }: Ticket): void {
    this.#pending.delete(issue);
    if (this.#pending.size === 0) this.#landed.clear();
  }

  clear(): void {
    this.#pending.clear();
    this.#landed.clear();
    this.temporaryPks.clear();
  }
}

function nameOf(subject: Subject | undefined): string | undefined {
  return subject && `${subject.entity.key} ${subject.pk}`;
}
