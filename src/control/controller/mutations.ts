import type { Layer } from '../../state/store/guess.ts';
import type { SnapshotReader } from '../../state/store/snapshot.ts';
import type { Store } from '../../state/store/store.ts';
import type { Queryable } from '../../define/schema/infer.ts';
import { equalPlain, isPlain } from '../../std/plain.ts';
import { Edits } from './edits.ts';
import { Flight, Mutation } from './flight.ts';
import { OverlappingAnswer, Overlaps } from './overlaps.ts';
import { entityOf, nameOf, pkOf, recordOf, subjectOf } from './subject.ts';
import { TemporaryPks } from './temporary-pks.ts';

/** How the answer of a mutation is stored. */
export interface Landing {
  /** The guess whose place the answer takes. */
  readonly layer: Layer | undefined;
  /** How the answer is ordered among those of other mutations; `undefined` where no other overlaps it. */
  readonly answer: OverlappingAnswer | undefined;
}

const NOT_PENDING: Landing = { layer: undefined, answer: undefined };

/** The mutations that are pending. `overlaps.ts` has the rule by which they are ordered. */
export class Mutations {
  readonly temporaryPks: TemporaryPks;
  readonly #store: Store;
  readonly #pending = new Set<Flight>();
  readonly #overlaps = new Overlaps((record, issue) => this.#outdateEarlier(record, issue));
  /** Those that show a guess, by the records that they edit, in the order of issue. */
  readonly #guessing = new Map<string, Set<Flight>>();

  constructor(store: Store) {
    this.#store = store;
    this.temporaryPks = new TemporaryPks(store);
  }

  get isAny(): boolean {
    return this.#pending.size > 0;
  }

  /** Resolves when those that are pending now are over. It never rejects. */
  async settled(): Promise<void> {
    await Promise.allSettled(Array.from(this.#pending, ({ promise }) => promise));
  }

  /** Starts a request. */
  begin(asked: Flight['asked']): Flight {
    const flight = new Flight(asked, this.#store.begin());
    const { endpoint, args } = asked;
    if (!endpoint.sideEffect) return flight;
    const subject = subjectOf(endpoint, args);
    flight.mutation = new Mutation(subject, new Edits(endpoint, args, subject));
    this.#pending.add(flight);
    return flight;
  }

  /** Keeps the layer that shows the guess of a mutation, until the mutation settles. */
  guess(flight: Flight, layer: Layer): void {
    const { mutation } = flight;
    if (mutation === undefined || !this.#pending.has(flight)) return layer.drop();
    mutation.layer = layer;
    this.temporaryPks.show(flight, mutation, layer);
  }

  /** Returns what a guess shows, given what shows below it: without the fields that a later mutation has edited. */
  guessable(flight: Flight, response: unknown, below: SnapshotReader): unknown {
    const { asked, issue, mutation } = flight;
    const entity = entityOf(asked.endpoint.schema);
    if (mutation === undefined || entity === undefined || !isPlain(response)) return response;
    const { subject, edits } = mutation;
    const show = (item: unknown, pk: string | number | undefined): unknown => {
      if (!isPlain(item) || Array.isArray(item) || pk === undefined) return item;
      const record = this.#nameNow(entity.key, String(pk));
      this.#guesses(record).add(flight);
      const before = Object(below.get(entity as Queryable, pk)) as object;
      const fields = Object.entries(item);
      edits.guess(
        record,
        fields.filter(([field, value]) => !equalPlain(Reflect.get(before, field), value)),
      );
      return this.#withoutLaterEdits(record, issue, item);
    };
    if (!Array.isArray(response)) return show(response, subject?.pk ?? pkOf(entity, response, asked.args));
    return response.map((item: unknown) => show(item, isPlain(item) ? pkOf(entity, item, asked.args) : undefined));
  }

  #guesses(record: string): Set<Flight> {
    let flights = this.#guessing.get(record);
    if (flights === undefined) this.#guessing.set(record, (flights = new Set()));
    return flights;
  }

  /** A mutation has edited a record, and landed: guesses that were issued before do not show what it has edited. */
  #outdateEarlier(record: string, issue: number): void {
    for (const { issue: earlier, mutation } of this.#guessing.get(record) ?? []) {
      if (earlier >= issue) break;
      mutation?.layer?.outdate();
    }
  }

  #forget(flight: Flight): void {
    this.#pending.delete(flight);
    for (const record of flight.mutation?.edits.records ?? []) {
      const flights = this.#guessing.get(record);
      if (flights?.delete(flight) === true && flights.size === 0) this.#guessing.delete(record);
    }
    if (this.#pending.size === 0) this.#guessing.clear();
  }

  /** Names a record; a temporary pk stands for the one of the server as soon as that is known. */
  #nameNow(table: string, pk: string): string {
    return nameOf(table, this.#store.pkOf(table, pk));
  }

  #withoutLaterEdits(record: string, issue: number, guessed: object): object {
    if (this.#overlaps.find(record) === undefined) return guessed;
    const isShown = ([field, value]: readonly [string, unknown]): boolean => {
      const later = this.#overlaps.laterEdit(record, field, issue);
      return later === undefined || equalPlain(later.edit, value);
    };
    return Object.fromEntries(Object.entries(guessed).filter(isShown));
  }

  /** Whether a mutation that overlaps this one, and was issued later, deleted its record; `undefined` where none deleted it. */
  isBeforeDeletion({ issue, mutation }: Flight): boolean | undefined {
    const subject = mutation?.subject;
    if (subject === undefined) return undefined;
    const { deletionIssue = 0 } = this.#overlaps.find(this.#nameNow(subject.entity.key, subject.pk)) ?? {};
    return deletionIssue === 0 ? undefined : deletionIssue > issue;
  }

  /** A mutation was answered. Its answer is newer than every read that was issued before now. */
  land(flight: Flight | undefined): Landing {
    if (flight?.mutation === undefined || !this.#pending.has(flight)) return NOT_PENDING;
    const { mutation, issue } = flight;
    this.#store.settle(flight.ticket);
    flight.ticket = this.#store.begin();
    const isOverlapping = this.#pending.size > 1 || this.#overlaps.isAny;
    const at = flight.ticket.issue;
    if (isOverlapping) this.#settleRecords(mutation, issue, { at, isAnswered: true });
    this.#forget(flight);
    const { layer } = mutation;
    mutation.layer = undefined;
    return {
      layer,
      answer: isOverlapping ? new OverlappingAnswer(this.#overlaps, mutation.edits, issue, at) : undefined,
    };
  }

  #settleRecords(
    { subject, edits }: Mutation,
    issue: number,
    settled: { readonly at: number; readonly isAnswered: boolean },
  ): void {
    edits.rename((record) => this.#nameNow(...recordOf(record)));
    const names = new Set(edits.records);
    if (subject !== undefined) names.add(this.#nameNow(subject.entity.key, subject.pk));
    for (const name of names) {
      this.#overlaps.settle(name, issue, settled);
    }
    if (names.size === 0 && !settled.isAnswered) this.#overlaps.fail(issue);
  }

  /** A request is over. Where it was not answered, its guess goes, and nothing else. */
  end(flight: Flight): void {
    const { mutation, issue } = flight;
    this.#store.settle(flight.ticket);
    if (mutation === undefined) return;
    if (this.#pending.has(flight) && (this.#pending.size > 1 || this.#overlaps.isAny)) {
      const ticket = this.#store.begin();
      this.#store.settle(ticket);
      this.#settleRecords(mutation, issue, { at: ticket.issue, isAnswered: false });
    }
    this.#forget(flight);
    mutation.layer?.drop();
    mutation.layer = undefined;
    this.temporaryPks.settle(mutation);
  }

  /** No mutation is pending any more. Returns the records about which overlapping mutations leave a doubt. */
  takeDoubted(): ReturnType<Overlaps['take']> {
    return this.#overlaps.take();
  }

  clear(): void {
    this.#pending.clear();
    this.#guessing.clear();
    this.#overlaps.clear();
    this.temporaryPks.clear();
  }
}
