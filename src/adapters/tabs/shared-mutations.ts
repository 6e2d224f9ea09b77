import { actionTypes, type OptimisticAction } from '../../control/controller/action.ts';
import type { MiddlewareAPI } from '../../control/controller/manager.ts';
import { lastingNameOf } from '../../control/controller/named-endpoints.ts';
import type { EndpointCall, RequestInFlight } from '../../control/controller/request-in-flight.ts';
import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import type { TabChannel } from './tab-channel.ts';
import type { MutationName, SentMutation } from './tab-message.ts';

/** A mutation of another tab that is not over. */
interface MutationElsewhere {
  readonly sent: SentMutation;
  /** Stands for it in this tab. `undefined` if this tab does not know its endpoint. */
  readonly request: RequestInFlight | undefined;
}

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

/** The mutations under way in all tabs. For the store, one of another tab is a request that takes until the other tab says that it is over. */
export class SharedMutations {
  readonly #parts: SharedMutationsParts;
  /** The mutations of this tab, by id. */
  readonly #own = new Map<number, SentMutation>();
  /** Those of them that show a guess. */
  readonly #guessed = new Map<number, RequestInFlight>();
  #ids = 0;
  /** Those of the other tabs, by tab and id. */
  readonly #others = new Map<string, Map<number, MutationElsewhere>>();
  readonly #requests = new WeakSet<RequestInFlight>();

  constructor(parts: SharedMutationsParts) {
    this.#parts = parts;
  }

  /** Whether a request stands for one of another tab. */
  isElsewhere(request: RequestInFlight): boolean {
    return this.#requests.has(request);
  }

  /** Tells the other tabs of a mutation until it is over. `request`: what shows its guess. */
  async share(
    name: MutationName,
    call: EndpointCall,
    over: Promise<unknown>,
    request?: RequestInFlight,
  ): Promise<void> {
    const id = ++this.#ids;
    const { asked, mutation } = request ?? {};
    const sent: SentMutation = {
      ...name,
      id,
      ...(asked && {
        call: { name: lastingNameOf(call.endpoint), args: call.args, fetchedAt: asked.fetchedAt },
        created: mutation?.created ?? [],
      }),
    };
    this.#own.set(id, sent);
    if (request !== undefined && mutation?.layer !== undefined) this.#guessed.set(id, request);
    this.#post(sent);
    try {
      await over;
    } catch {
      // Its caller gets the error.
    } finally {
      this.#guessed.delete(id);
      if (this.#own.delete(id)) this.#parts.channel.tell({ type: 'over', id });
    }
  }

  /** Tells a tab that was opened of the mutations under way. */
  repeat(): void {
    for (const sent of this.#own.values()) this.#post(sent);
  }

  #post(sent: SentMutation): void {
    const { channel } = this.#parts;
    try {
      channel.tell({ type: 'sent', mutation: sent });
    } catch {
      // Its arguments cannot be copied to another tab, such as `FormData`: no guess there.
      const { call: _, ...others } = sent;
      channel.tell({ type: 'sent', mutation: others });
    }
  }

  begin(tab: string, sent: SentMutation): void {
    const known = this.#others.get(tab);
    if (known?.has(sent.id) === true) return;
    const mutations = known ?? new Map<number, MutationElsewhere>();
    if (known === undefined) {
      this.#others.set(tab, mutations);
      void this.#parts.closed(tab).then(() => this.#lose(tab, mutations), ignore);
    }
    mutations.set(sent.id, { sent, request: this.#show(sent) });
  }

  #show({ call, created = [] }: SentMutation): RequestInFlight | undefined {
    const endpoint = call && this.#parts.endpoints.get(call.name);
    if (endpoint === undefined) return undefined;
    const { controller, onError } = this.#parts;
    const { args, fetchedAt } = call as NonNullable<typeof call>;
    const key = endpoint.key(...args);
    const request = controller.mutations.begin({ endpoint, args, key, fetchedAt });
    this.#requests.add(request);
    if (request.mutation) request.mutation.created = created;
    const action: OptimisticAction = { type: actionTypes.OPTIMISTIC, endpoint, args, key, request };
    controller.dispatch(action).catch(onError);
    return request;
  }

  /** The mutations of this tab whose guesses the present commit has replaced by their answers. */
  takeAnswered(): readonly number[] {
    const answered = [...this.#guessed].filter(
      ([, { failure, mutation }]) => failure === undefined && mutation?.layer === undefined,
    );
    for (const [id] of answered) this.#guessed.delete(id);
    return answered.map(([id]) => id);
  }

  /** The present commit has the answer of a mutation of another tab: ends its guess. */
  answered(tab: string, id: number): void {
    const { layer } = this.#parts.controller.mutations.answered(this.#others.get(tab)?.get(id)?.request);
    layer?.drop();
  }

  over(tab: string, id: number): void {
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
    mutations.rest(request);
  }

  /** A tab was closed. The server may have carried out its mutations or not. */
  #lose(tab: string, mutations: ReadonlyMap<number, MutationElsewhere>): void {
    if (this.#others.get(tab) !== mutations) return;
    this.#others.delete(tab);
    for (const { sent, request } of mutations.values()) {
      this.#parts.onLost(sent);
      this.#end(request);
    }
  }

  /** The user has logged out. */
  clear(): void {
    this.#own.clear();
    this.#guessed.clear();
    for (const mutations of this.#others.values()) {
      for (const { request } of mutations.values()) this.#end(request);
      mutations.clear();
    }
  }
}

function ignore(): void {}
