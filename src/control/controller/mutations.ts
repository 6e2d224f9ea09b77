import { memoOn } from '../../std/memo.ts';
import type { Layer } from '../../state/store/layer.ts';
import { isMemberChange } from '../../define/schema/collection-schema.ts';
import { isDeletion } from '../../define/schema/invalidate.ts';
import type { AnsweredRequest } from '../../define/schema/answered-request.ts';
import type { ChangedRows, PkChange } from '../../state/store/change-pk.ts';
import type { Store } from '../../state/store/store.ts';
import type { Ticket } from '../../state/store/tickets.ts';
import { pkOfPart } from '../../define/schema/pk.ts';
import { ChosenPks } from './chosen-pks.ts';
import { isRefusal } from './refusal.ts';
import { EditedGuesses } from './edited-guesses.ts';
import { Edits } from './edits.ts';
import { PendingRecords } from './pending-records.ts';
import { type DataToRefetch, PendingRefetches } from './pending-refetches.ts';
import { type EndpointCall, Mutation, RequestInFlight } from './request-in-flight.ts';
import { type AnsweredMutation, OverlappingAnswer, restoredBy } from './overlapping-answer.ts';
import { Overlaps } from './overlaps.ts';
import {
  collectionTableOf,
  entityOfRecord,
  type MutatedRecord,
  nameNow,
  recordName,
  tableAndPkOf,
  mutatedRecordOf,
} from './mutated-record.ts';
import { TemporaryPks } from './temporary-pks.ts';
import { MutationQueues } from './mutation-queues.ts';

/** What a network does when any controller of its store does something that affects its requests. */
interface NetworkEvents {
  /** Called before a reset. */
  onReset(): void;
  /** Called before request keys become stale, or their answers are removed. */
  onExpire(test: (call: EndpointCall) => boolean): void;
}

const NOT_PENDING: AnsweredMutation = { layer: undefined, answer: undefined };

const OF_STORE: unique symbol = Symbol('mutations');

/** The pending mutations of a store, from all its controllers. `overlaps.ts` has the rules by which they are ordered. */
export class Mutations {
  readonly temporaryPks: TemporaryPks;
  readonly #queues: MutationQueues;
  readonly #chosenPks: ChosenPks;
  readonly pendingRecords: PendingRecords;
  readonly guesses: EditedGuesses;
  readonly #store: Store;
  readonly #pending = new Set<RequestInFlight>();
  readonly #overlaps = new Overlaps((record, issue) => this.guesses.outdateBefore(record, issue));
  readonly refetches: PendingRefetches;
  /** The listeners for the end of all mutations, each with the network that it belongs to. */
  readonly #listeners = new Map<(data: DataToRefetch) => void, NetworkEvents | undefined>();
  /** Called when an edit has changed the pk of a record. */
  readonly pkListeners: Set<(change: PkChange) => void> = new Set();
  /** How many mutations have settled, and how many of them failed. */
  readonly ended: { all: number; failed: number } = { all: 0, failed: 0 };
  /** The names of records that the server may have deleted, although no deletion was answered. */
  readonly lostDeletions: Set<string> = new Set();

  constructor(store: Store) {
    this.#store = store;
    this.temporaryPks = new TemporaryPks(store);
    this.#queues = new MutationQueues(store);
    this.#chosenPks = new ChosenPks(store);
    this.pendingRecords = new PendingRecords(store, this.temporaryPks);
    this.guesses = new EditedGuesses(store, this.#overlaps, this.pendingRecords);
    this.refetches = new PendingRefetches(store, this.#overlaps, (mutation) => this.#namesOf(mutation));
  }

  static of(store: Store): Mutations {
    return memoOn(store, OF_STORE, () => new Mutations(store));
  }

  get isAny(): boolean {
    return this.#pending.size > 0;
  }

  /** Resolves when the mutations that are pending now are over. Never rejects. */
  async settled(): Promise<void> {
    await Promise.allSettled(Array.from(this.#pending, ({ promise }) => promise));
  }

  /** Starts a request. */
  begin(call: RequestInFlight['call']): RequestInFlight {
    const request = new RequestInFlight(call, this.#store.begin());
    const { endpoint, args } = call;
    if (!endpoint.sideEffect) return request;
    const mutatedRecord = mutatedRecordOf(endpoint, args, this.#store);
    request.mutation = new Mutation(mutatedRecord, new Edits(endpoint, args, mutatedRecord));
    this.#pending.add(request);
    this.pendingRecords.begin(request, this.#namesOf(request.mutation));
    this.pendingRecords.noteChange();
    return request;
  }

  /** Returns a promise that resolves when the mutations have ended for which this request waits. `undefined` if there are none. Call it once for each request. */
  turnOf(request: RequestInFlight): Promise<unknown> | undefined {
    const turn = request.mutation && this.#queues.take(request);
    const creates = this.#chosenPks.createsBefore(request);
    return turn && creates ? Promise.all([turn, creates]) : (turn ?? creates);
  }

  /** Notes the record that the sent arguments of a mutation name: they have the pks of the server. */
  noteSentRecord(request: RequestInFlight, sentRecord: MutatedRecord | undefined): void {
    if (sentRecord === undefined || request.mutation === undefined) return;
    request.mutation.mutatedRecord = sentRecord;
    this.pendingRecords.note(request, sentRecord.name);
  }

  /** Keeps the layer that shows the guess of a mutation, until the mutation settles. */
  guess(request: RequestInFlight, layer: Layer): void {
    const { mutation } = request;
    if (mutation === undefined || !this.#pending.has(request)) return layer.drop();
    mutation.layer = layer;
    this.temporaryPks.noteCreates(request, mutation, layer);
    this.#chosenPks.noteCreates(request, layer);
    this.pendingRecords.noteChange();
  }

  /** Notes created records. If creates of a table overlap, only the server knows the order of the list, so the records are in doubt. */
  noteCreated({ call, sent, ticket }: RequestInFlight, created: Iterable<readonly [table: string, pk: string]>): void {
    if (this.#pending.size === 0 && !this.#overlaps.isAny) return;
    const { schema } = call.endpoint;
    if (!isMemberChange(schema)) return;
    const records = Array.from(created);
    // The records of one list may be of several tables.
    const tables = new Set([collectionTableOf(schema), ...records.map(([table]) => table)]);
    const isDoubtful = Array.from(tables, (table) =>
      this.#overlaps.answer(recordName(String(table), ''), sent, ticket.issue),
    );
    if (isDoubtful.includes(true)) for (const [table, pk] of records) this.#overlaps.doubt(this.#nameNow(table, pk));
  }

  /** Puts the records of a mutation in doubt: its answer did not contain all of them. */
  doubt({ mutation }: RequestInFlight, written: Iterable<readonly [table: string, pk: string]>): void {
    for (const name of this.#namesOf(mutation as Mutation)) this.#overlaps.doubt(name);
    for (const [table, pk] of written) this.#overlaps.doubt(this.#nameNow(table, pk));
  }

  /**
   * Returns the facts about a request that the write of its answer needs. The write calls `doubt` for each list and total to put in doubt, and
   * `isMutated` because the answer of a read may already have the effect of a pending mutation.
   */
  answeredRequestOf({
    issue,
    mutation,
    isAskedAgain,
    sent,
    settledBefore,
  }: Pick<RequestInFlight, 'issue' | 'sent'> & Partial<RequestInFlight>): AnsweredRequest {
    const doubt = (table: string, pk: string): void => this.refetches.doubt(table, pk);
    const names = mutation && this.#namesOf(mutation);
    const isMutated = names
      ? (table: string, pk: string): boolean => names.size > 0 && names.has(this.#nameNow(table, pk))
      : this.pendingRecords.test();
    const isMutation = mutation !== undefined;
    const [oldest] = this.#pending;
    const issued = isMutation ? { issue, oldestPending: oldest?.issue ?? Number.POSITIVE_INFINITY } : undefined;
    const isPlainRead = !isMutation && !isAskedAgain && !this.isAny;
    const isCurrentRead = !isMutation && settledBefore === this.ended.all;
    return { isMutation, isPlainRead, isCurrentRead, sent, issued, doubt, isMutated };
  }

  /**
   * If a message is about a record that pending mutations change: returns what its write needs to put lists in doubt, as the answers of the mutations
   * would. These may change nothing more, because the message may have come from the mutations.
   */
  answeredByMessage(schema: unknown, value: unknown, { issue }: Ticket): AnsweredRequest | undefined {
    const entity = entityOfRecord(schema, value);
    const isPending = entity && this.pendingRecords.test()(entity.key, String(pkOfPart(entity, value, [])));
    return isPending ? this.answeredRequestOf({ issue, sent: issue }) : undefined;
  }

  /** Removes a request from those that are pending. */
  #forget(request: RequestInFlight): void {
    if (this.#pending.delete(request)) this.guesses.forget(request);
    this.pendingRecords.forget(request);
    if (this.#pending.size === 0) this.guesses.clear();
  }

  /** Returns the name of a record, with the pk of the server in place of a temporary one once it is known. */
  #nameNow(table: string, pk: string): string {
    return nameNow(this.#store, table, pk);
  }

  /** Returns whether the overlapping mutation that deleted the record was issued after this one. `undefined` if none deleted the record. */
  isBeforeDeletion({ issue, mutation }: RequestInFlight): boolean | undefined {
    const mutatedRecord = mutation?.mutatedRecord;
    if (mutatedRecord === undefined) return undefined;
    const { deletionIssue = 0 } = this.#overlaps.find(this.#nameNow(mutatedRecord.entity.key, mutatedRecord.pk)) ?? {};
    return deletionIssue === 0 ? undefined : deletionIssue > issue;
  }

  /** Notes that a mutation was answered. Its answer is newer than every read that was issued before now. */
  noteAnswer(request: RequestInFlight | undefined): AnsweredMutation {
    if (request?.mutation === undefined || !this.#pending.has(request)) return NOT_PENDING;
    const { call, mutation, issue, sent } = request;
    this.#store.settle(request.ticket);
    request.ticket = this.#store.begin();
    const isOverlapping = this.#pending.size > 1 || this.#overlaps.isAny;
    const at = request.ticket.issue;
    if (isOverlapping) {
      this.#overlaps.settled.add(at);
      for (const name of this.#namesOf(mutation)) this.#overlaps.answer(name, sent, at);
    }
    this.#forget(request);
    this.pendingRecords.noteChange();
    const { layer } = mutation;
    mutation.layer = undefined;
    if (!isOverlapping && at <= sent + 1) return { layer, answer: undefined };
    const restores = restoredBy(call.endpoint);
    const order = { issue: isOverlapping ? issue : at, sent, at, restores };
    return { layer, answer: new OverlappingAnswer(this.#overlaps, mutation.edits, order) };
  }

  /** Call it when an edit has changed the pk of a record. The other mutations of the record, and their guesses, then use the present pk. */
  changePk(change: PkChange): void {
    const [from, to] = [recordName(change.table, change.from), recordName(change.table, change.to)];
    for (const { mutation } of this.#pending) mutation?.changePk(change, (name) => (name === from ? to : name));
    this.guesses.changePk(from, to);
    this.pendingRecords.changePk(from, to);
    this.#overlaps.changePk(from, to);
    this.#queues.changePk(from, to);
    for (const listener of this.pkListeners) listener(change);
    this.pendingRecords.noteChange();
  }

  /**
   * Puts the rows of a changed pk in doubt, if another record was known by the present pk, or if mutations overlap: only the server knows which
   * record the others meant by the former pk.
   */
  doubtIfUnsure({ rows, wasKnown }: ChangedRows): void {
    if (!wasKnown && this.#pending.size < 2 && !this.#overlaps.isAny) return;
    for (const { table, pk } of rows) this.refetches.doubt(table.name, pk);
  }

  /** Notes that a message of a stream was written. */
  noteMessage(issue: number): void {
    if (this.isAny) this.#overlaps.messages.add(issue);
  }

  /** Returns the present names of the records that a mutation is known to change. */
  #namesOf({ mutatedRecord, edits }: Mutation): ReadonlySet<string> {
    const names = edits.rename((record) => this.#nameNow(...tableAndPkOf(record)));
    if (mutatedRecord !== undefined) names.add(this.#nameNow(mutatedRecord.entity.key, mutatedRecord.pk));
    return names;
  }

  /** Ends a request. If it was not answered, only its guess is removed. */
  end(request: RequestInFlight): void {
    const { mutation, sent } = request;
    this.#store.settle(request.ticket);
    if (mutation === undefined) return;
    if (this.#pending.has(request) && (this.#pending.size > 1 || this.#overlaps.isAny)) {
      this.#overlaps.settled.add(request.ticket.issue);
      if (this.#namesOf(mutation).size === 0) this.#overlaps.fail(sent);
    }
    this.#forget(request);
    mutation.layer?.drop();
    mutation.layer = undefined;
    this.temporaryPks.settle(request, mutation);
    this.pendingRecords.noteChange();
  }

  /** Counts a mutation as settled. If the server may have carried out one that failed, its records are in doubt. */
  settle(request: RequestInFlight, isFailed: boolean): void {
    const { isRepeated = false, isReplay = false } = request.answered;
    this.ended.all++;
    if (isFailed) this.ended.failed++;
    const isUnknown = isFailed ? isRepeated || !isRefusal(request.failure?.error) : isReplay;
    // A mutation that was never sent has changed nothing.
    if (!isUnknown || request.sentArgs === undefined) return;
    this.refetches.unknownOutcomes.add(request);
    const { mutatedRecord } = request.mutation ?? {};
    if (mutatedRecord !== undefined && isDeletion(request.call.endpoint.schema))
      this.lostDeletions.add(mutatedRecord.name);
    for (const record of request.mutation?.layer?.changed ?? []) this.refetches.doubt(...record);
    this.refetches.addEndpoints(request.call.endpoint.refetches ?? []);
  }

  /**
   * Calls `listener` whenever a request has ended and no mutation is pending. With `network`, also calls its methods. Returns an unsubscribe function
   * for both.
   */
  onIdle(listener: (data: DataToRefetch) => void, network?: NetworkEvents): () => void {
    const own = (data: DataToRefetch): void => listener(data);
    this.#listeners.set(own, network);
    return () => void this.#listeners.delete(own);
  }

  /** Call it before requests become stale, or their answers are removed: the answers of reads in flight may be older. */
  expireReads(test: (call: EndpointCall) => boolean): void {
    for (const network of this.#listeners.values()) network?.onExpire(test);
  }

  /** Call it when a request has ended. If no mutation is pending, calls the listeners with the data to fetch again. */
  notifyIfIdle(last: RequestInFlight): void {
    if (this.isAny) return;
    const data = this.refetches.take(last);
    for (const listener of Array.from(this.#listeners.keys())) listener(data);
  }

  clear(): void {
    for (const network of this.#listeners.values()) network?.onReset();
    this.#pending.clear();
    this.guesses.clear();
    this.#overlaps.clear();
    this.refetches.clear();
    this.lostDeletions.clear();
    this.temporaryPks.clear();
    this.#chosenPks.clear();
    this.pendingRecords.clear();
    this.pendingRecords.noteChange();
  }
}
