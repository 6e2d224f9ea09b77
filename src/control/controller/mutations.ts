import type { Layer } from '../../state/store/guess.ts';
import type { SnapshotReader } from '../../state/store/snapshot.ts';
import type { Store } from '../../state/store/store.ts';
import type { Queryable } from '../../define/schema/infer.ts';
import { equalPlain, isPlain } from '../../std/plain.ts';
import { type Edit, Flight } from './flight.ts';
import { subjectOf } from './subject.ts';
import { TemporaryPks } from './temporary-pks.ts';

/**
 * Mutations under way. A read that was asked for while one is pending may or may not have seen it, so a response to a
 * mutation counts as newer than every read that was asked for before it landed. Among mutations of one record, those
 * asked for later stay newer, in whatever order they land.
 */
export class Mutations {
  readonly temporaryPks: TemporaryPks;
  readonly #store: Store;
  /** In the order in which they were asked for. */
  readonly #pending = new Set<Flight>();
  /** While others are pending: the issue of the latest mutation of a record that has landed. */
  readonly #landed = new Map<string, number>();

  constructor(store: Store) {
    this.#store = store;
    this.temporaryPks = new TemporaryPks(store);
  }

  get isAny(): boolean {
    return this.#pending.size > 0;
  }

  /** A request starts; what there is to know of mutations, reads do without. */
  begin(asked: Flight['asked']): Flight {
    const flight = new Flight(asked, this.#store.begin());
    const { endpoint, args } = asked;
    if (!endpoint.sideEffect) return flight;
    flight.subject = subjectOf(endpoint, args);
    this.#pending.add(flight);
    return flight;
  }

  guess(flight: Flight, layer: Layer): void {
    if (!this.#pending.has(flight)) return layer.drop();
    flight.layer = layer;
    this.temporaryPks.show(flight, layer);
  }

  /**
   * What counts of a guess, given what shows below it: where a mutation of the same record that was asked for later has
   * landed, and said something else of a field, that field stays as it was answered.
   */
  guessable(flight: Flight, response: unknown, below: SnapshotReader): unknown {
    const { subject, overruledBy } = flight;
    const [first] = this.#pending;
    // Whom nobody is before or after, can do without knowing what it changes.
    const isAlone = first === flight && overruledBy.length === 0;
    if (isAlone || !isPlain(response) || Array.isArray(response)) return response;
    const edits = Object.entries(response);
    const before = Object(subject && below.get(subject.entity as Queryable, subject.pk)) as object;
    flight.guessed = edits.filter(([field, value]) => !equalPlain(Reflect.get(before, field), value));
    const isLeft = ([field, value]: Edit): boolean =>
      overruledBy.every(([other, later]) => other !== field || equalPlain(later, value));
    return edits.every(isLeft) ? response : Object.fromEntries(edits.filter(isLeft));
  }

  /** A mutation lands. From now on its ticket is that to write with. Gives its guess, for the answer to take its place. */
  land(landing: Flight, response: unknown): Layer | undefined {
    if (!this.#pending.has(landing)) return undefined;
    // Of a create it is only known now which record it is about: that may have changed, or gone, since.
    landing.subject ??= subjectOf(landing.asked.endpoint, [response]);
    const { subject, issue, layer } = landing;
    if (subject !== undefined) this.#order(landing, subject.name, Object(response) as object);
    if (!landing.isOvertaken) {
      this.#replace(landing);
      if (subject !== undefined && this.#pending.size > 1) this.#landed.set(subject.name, issue);
    }
    this.#delete(landing);
    landing.layer = undefined;
    return layer;
  }

  /** Whatever was asked for later about the same record, and has landed, is before it; what was asked for earlier, behind. */
  #order(landing: Flight, name: string, answered: object): void {
    const said = landing.guessed.filter(([field]) => Object.hasOwn(answered, field));
    landing.isOvertaken ||= (this.#landed.get(name) ?? 0) > landing.issue;
    for (const pending of this.#pending) {
      if (pending === landing) break;
      if (pending.subject?.name !== name) continue;
      pending.overruledBy = [...pending.overruledBy, ...said];
      pending.layer?.outdate();
      if (pending.isOvertaken) continue;
      this.#replace(pending);
      pending.isOvertaken = true;
    }
  }

  /** From now on its place is behind everything that was asked for. */
  #replace(flight: Flight): void {
    this.#store.settle(flight.ticket);
    flight.ticket = this.#store.begin();
  }

  /** A request is over. Where that is not because it has landed, its guess goes, and nothing else. */
  end(flight: Flight): void {
    this.#delete(flight);
    this.#store.settle(flight.ticket);
    flight.layer?.drop();
    flight.layer = undefined;
    for (const created of flight.created) created.creating = undefined;
  }

  #delete(flight: Flight): void {
    this.#pending.delete(flight);
    if (this.#pending.size === 0 && this.#landed.size > 0) this.#landed.clear();
  }

  clear(): void {
    this.#pending.clear();
    this.#landed.clear();
    this.temporaryPks.clear();
  }
}
