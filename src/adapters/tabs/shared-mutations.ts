import { actionTypes, type OptimisticAction } from '../../control/controller/action.ts';
import type { MiddlewareAPI } from '../../control/controller/manager.ts';
import { listedNameOf } from '../../control/controller/named-endpoints.ts';
import { recordName } from '../../control/controller/mutated-record.ts';
import type { EndpointCall, RequestInFlight } from '../../control/controller/request-in-flight.ts';
import { ResetError } from '../../control/controller/reset-error.ts';
import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { issueOfParts } from '../../state/store/issue-parts.ts';
import type { TabChannel } from './tab-channel.ts';
import type { MutationName, SentMutation } from './tab-message.ts';

/** A mutation that has not ended. After a logout: one that the server has not answered. */
interface SharedMutation {
  readonly sent: SentMutation;
  /** The request that shows its guess. For a mutation of another tab, it represents the mutation here, if this tab knows the endpoint. */
  readonly request: RequestInFlight | undefined;
}

/** For how many records the last answered mutation is remembered. */
const MAX_ANSWERED = 200;

type SharedMutationsById = Map<number, SharedMutation>;

export interface SharedMutationsParts {
  readonly controller: MiddlewareAPI;
  readonly channel: TabChannel;
  /** The mutations whose guesses are shown in all tabs, by name. */
  readonly endpoints: ReadonlyMap<string, EndpointInterface>;
  /** Resolves when a tab was closed. */
  closed(tab: string): Promise<unknown>;
  /** Called for a mutation whose tab was closed before the answer. */
  onLost(mutation: MutationName): void;
  onError(error: unknown): void;
}

/** The pending mutations of all tabs. For the store, a mutation of another tab is a request that ends when the other tab reports its end. */
export class SharedMutations {
  readonly #parts: SharedMutationsParts;
  /** The mutations of this tab. */
  readonly #own: SharedMutationsById = new Map();
  #ids = 0;
  /** By record: the issue at which the last mutation of this tab was answered. */
  readonly #answered = new Map<string, number>();
  /** The mutations of the other tabs, by tab. */
  readonly #others = new Map<string, SharedMutationsById>();
  /** The requests of this tab that represent mutations of other tabs. */
  readonly #ofOthers = new WeakSet<RequestInFlight>();
  /** The requests of this tab that the other tabs know. */
  readonly #shared = new WeakSet<RequestInFlight>();

  constructor(parts: SharedMutationsParts) {
    this.#parts = parts;
  }

  /** Returns whether the other tabs know the mutation of a request already: it is one of theirs, or its guess is shown again. */
  isKnown(request: RequestInFlight): boolean {
    return this.#ofOthers.has(request) || this.#shared.has(request);
  }

  /** Sends a mutation to the other tabs, and later its end. `request`: the request that shows its guess. */
  async share(
    name: MutationName,
    call: EndpointCall,
    over: Promise<unknown>,
    request?: RequestInFlight,
  ): Promise<void> {
    const id = ++this.#ids;
    const { call: guessed, mutation } = request ?? {};
    const listed = guessed && listedNameOf(call.endpoint, this.#parts.endpoints);
    const sent: SentMutation = {
      ...name,
      id,
      ...(guessed && {
        ...(listed !== undefined && { call: { name: listed, args: call.args, fetchedAt: guessed.fetchedAt } }),
        created: mutation?.created ?? [],
        ...(mutation?.place !== undefined && { place: mutation.place }),
      }),
    };
    this.#own.set(id, { sent, request: mutation?.layer && request });
    if (request !== undefined) this.#shared.add(request);
    this.#showLater(sent);
    this.#post(sent);
    try {
      await over;
    } catch (error) {
      // Its caller gets the error. After a logout, the server can still carry it out.
      if (error instanceof ResetError) return;
    }
    if (this.#own.delete(id)) this.#parts.channel.send({ type: 'over', id });
  }

  /** Notes that a mutation of this tab was answered. */
  noteAnswer(name: MutationName, issue: number): void {
    const record = recordOf(name);
    this.#answered.delete(record);
    this.#answered.set(record, issue);
    const [oldest = ''] = this.#answered.keys();
    if (this.#answered.size > MAX_ANSWERED) this.#answered.delete(oldest);
  }

  /** Returns whether a mutation of this tab was in flight after another tab had sent its own. Then only the server knows which came last. */
  overlaps(name: MutationName): boolean {
    const record = recordOf(name);
    const isPending = [...this.#own.values()].some(({ sent }) => recordOf(sent) === record);
    return isPending || (this.#answered.get(record) ?? 0) > issueOfParts(name.sent);
  }

  /** Sends the pending mutations again, for a tab that was opened. */
  repeat(): void {
    for (const { sent } of this.#own.values()) this.#post(sent);
  }

  #post(sent: SentMutation): void {
    const { channel } = this.#parts;
    try {
      channel.send({ type: 'sent', mutation: sent });
    } catch {
      // Arguments such as `FormData` cannot be copied to another tab. The other tabs then show no guess.
      const { call: _, ...others } = sent;
      channel.send({ type: 'sent', mutation: others });
    }
  }

  begin(tab: string, sent: SentMutation): void {
    const known = this.#others.get(tab);
    if (known?.has(sent.id) === true) return;
    const mutations: SharedMutationsById = known ?? new Map();
    if (known === undefined) {
      this.#others.set(tab, mutations);
      void this.#parts.closed(tab).then(() => this.#endMutationsOf(tab, mutations), ignore);
    }
    mutations.set(sent.id, { sent, request: this.#show(sent) });
    this.#showLater(sent);
  }

  /** Shows the guesses of later edits of the same records again, above that of a mutation which has just been shown. */
  #showLater({ created = [], place = Number.POSITIVE_INFINITY, pk }: SentMutation): void {
    const known = [this.#own, ...this.#others.values()].flatMap((mutations) => [...mutations.values()]);
    const later = known.filter(({ request, sent }) => {
      // Tables are not compared: two tabs can take a record of a union for one of different classes.
      const isSame = sent.pk !== undefined && (sent.pk === pk || created.includes(sent.pk));
      return request?.mutation?.layer !== undefined && isSame && (sent.place ?? 0) > place;
    });
    later.sort((one, other) => (one.sent.place ?? 0) - (other.sent.place ?? 0));
    for (const { request } of later) this.#showAgain(request as RequestInFlight);
  }

  #showAgain(request: RequestInFlight): void {
    const { controller } = this.#parts;
    controller.batch(() => {
      request.mutation?.layer?.drop();
      this.#guess(request);
    });
  }

  #guess(request: RequestInFlight): void {
    const { controller, onError } = this.#parts;
    const { endpoint, args, key } = request.call;
    const action: OptimisticAction = { type: actionTypes.OPTIMISTIC, endpoint, args, key, request };
    controller.dispatch(action).catch(onError);
  }

  #show({ call, created = [], place }: SentMutation): RequestInFlight | undefined {
    const endpoint = call && this.#parts.endpoints.get(call.name);
    if (endpoint === undefined) return undefined;
    const { args, fetchedAt } = call as NonNullable<typeof call>;
    const key = endpoint.key(...args);
    const request = this.#parts.controller.mutations.begin({ endpoint, args, key, fetchedAt });
    this.#ofOthers.add(request);
    if (request.mutation) {
      request.mutation.created = created;
      request.mutation.place = place;
    }
    this.#guess(request);
    return request;
  }

  /** Returns the mutations of this tab whose guesses the present commit has replaced by their answers. */
  takeAnswered(): readonly number[] {
    const answered = [...this.#own].filter(
      ([, { request }]) => request && request.failure === undefined && request.mutation?.layer === undefined,
    );
    for (const [id, { sent }] of answered) this.#own.set(id, { sent, request: undefined });
    return answered.map(([id]) => id);
  }

  /** Ends the guess of a mutation of another tab whose answer is in the present commit. */
  endGuess(tab: string, id: number): void {
    const { layer } = this.#parts.controller.mutations.noteAnswer(this.#others.get(tab)?.get(id)?.request);
    layer?.drop();
  }

  /** Ends a mutation of another tab, which has ended there. */
  noteEnd(tab: string, id: number): void {
    const mutations = this.#others.get(tab);
    const mutation = mutations?.get(id);
    mutations?.delete(id);
    this.#end(mutation?.request);
  }

  #end(request: RequestInFlight | undefined): void {
    if (request === undefined) return;
    const { mutations } = this.#parts.controller;
    mutations.settle(request, false);
    mutations.end(request);
    request.resolve(undefined);
    mutations.notifyIfIdle(request);
  }

  /** Ends the mutations of a tab that was closed. The server may have carried them out or not. */
  #endMutationsOf(tab: string, mutations: SharedMutationsById): void {
    if (this.#others.get(tab) !== mutations) return;
    this.#others.delete(tab);
    for (const { sent, request } of mutations.values()) {
      this.#parts.onLost(sent);
      this.#end(request);
    }
  }

  /** Handles a logout. The server can still carry out mutations that were sent. */
  dropGuesses(): void {
    for (const mutations of [this.#own, ...this.#others.values()])
      for (const [id, { sent, request }] of mutations) {
        const { table, pk, sent: at } = sent;
        mutations.set(id, { sent: { table, pk, sent: at, id }, request: undefined });
        if (mutations !== this.#own) this.#end(request);
      }
  }

  /** Handles the answer of a mutation that was sent before a logout. `tab`: the tab that sent it, if it was another one. */
  noteLateAnswer({ sent }: MutationName, tab?: string): void {
    const mutations = tab === undefined ? this.#own : this.#others.get(tab);
    for (const [id, known] of mutations ?? [])
      if (issueOfParts(known.sent.sent) === issueOfParts(sent)) mutations?.delete(id);
  }
}

/** Returns the name of the record that a mutation changes, or of its table if the mutation creates a record. */
function recordOf({ table, pk = '' }: MutationName): string {
  return recordName(table, pk);
}

function ignore(): void {}
