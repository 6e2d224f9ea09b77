import type { MiddlewareAPI } from '../../control/controller/manager.ts';
import { mutatedTableOf, recordName } from '../../control/controller/mutated-record.ts';
import type { DataToRefetch } from '../../control/controller/pending-refetches.ts';
import type { EndpointCall, RequestInFlight } from '../../control/controller/request-in-flight.ts';
import { ResetError } from '../../control/controller/reset-error.ts';
import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { applyCommit } from '../../state/hydrate/apply-commit.ts';
import { dehydrateCommit } from '../../state/hydrate/dehydrate-commit.ts';
import type { DehydratedCommit } from '../../state/hydrate/dehydrated.ts';
import { exchangeCommits } from '../../state/hydrate/exchange-commits.ts';
import type { Commit } from '../../state/store/commit.ts';
import { listsIn } from '../../state/store/lists-of-table.ts';
import { withoutRestored } from '../../state/store/restore.ts';
import { issueOfParts, type IssueParts, partsOfIssue } from '../../state/store/issue-parts.ts';
import type { Platform } from '../../std/platform.ts';
import { SharedMutations, type SharedMutationsParts } from './shared-mutations.ts';
import { storedContent } from './stored-content.ts';
import { UnknownLists } from './unknown-lists.ts';
import type { TabChannel } from './tab-channel.ts';
import type { CommitMessage, MutationName, OverMutation, TabMessage } from './tab-message.ts';

/** How many milliseconds a tab waits for an answer that another tab has just stored. */
const ARRIVAL_TIME = 50;

/** The endpoint of a request that represents a mutation of another tab. */
const elsewhere: EndpointInterface = Object.assign(() => Promise.resolve(), {
  key: () => 'a request of another tab',
  testKey: () => false,
});

/** How many stores can exchange commits: the largest origin. */
const ORIGINS = 2 ** 20 - 1;

/** The milliseconds of the clock for each issue. A tab sends fewer requests than one in this time. */
const ISSUE_TIME = 250;
/** The highest first issue. The issues above it are for requests. */
const MAX_FIRST_ISSUE = 2 ** 31;

export interface SharedStoreParts extends Omit<SharedMutationsParts, 'onLost'> {
  readonly platform: Pick<Platform, 'setTimeout' | 'clearTimeout' | 'random'>;
}

/** Sends the commits of a store to the other tabs, and applies theirs. */
export class SharedStore {
  readonly #controller: MiddlewareAPI;
  readonly #channel: TabChannel;
  readonly #platform: SharedStoreParts['platform'];
  readonly #onError: (error: unknown) => void;
  readonly #stopListening: readonly (() => void)[];
  /** Called when a commit with an answer of the request was applied. */
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #lists: UnknownLists;
  readonly mutations: SharedMutations;
  /** The content of the store at the start, which the server sent with the page of this tab. */
  readonly #hydrated: DehydratedCommit[];
  #isApplying = false;
  /** The issue at which the latest mutation of any tab ended. */
  mutatedAt = 0;
  hasJoined = false;
  /** Whether another tab has sent data that it had from the server, so that a logout concerns this tab. */
  hasSessionData = false;
  /** Called when another tab has sent all of its data, and when this store stops. */
  onWelcome: () => void = () => {};

  constructor(parts: SharedStoreParts) {
    const { controller, channel, platform, onError } = parts;
    this.#controller = controller;
    this.#channel = channel;
    this.#platform = platform;
    this.#onError = onError;
    this.mutations = new SharedMutations({ ...parts, onLost: (mutation) => this.#doubt(mutation) });
    const { store } = controller;
    this.#lists = new UnknownLists(store);
    this.#hydrated = [...storedContent(store)];
    if (store.writer.core.tickets.origin === 0) exchangeCommits(store, 1 + Math.floor(platform.random() * ORIGINS));
    store.writer.core.tickets.noteIssue(firstIssue(controller.now()));
    this.#stopListening = [
      store.onCommit((commit) => this.#send(commit)),
      controller.mutations.onIdle((data) => this.#noteEnd(data)),
    ];
  }

  /** The highest issue that the store knows. */
  get latest(): IssueParts {
    return partsOfIssue(this.#controller.store.writer.core.tickets.last);
  }

  stop(): void {
    for (const stop of this.#stopListening) stop();
    this.onWelcome();
  }

  /** Handles a logout. The server can still carry out mutations that were sent. */
  forget(): void {
    this.hasSessionData = false;
    this.#lists.clear();
    this.mutations.dropGuesses();
  }

  /** Sends the data that the server sent with the page of this tab, once. */
  sendHydrated(): void {
    for (const commit of this.#hydrated.splice(0)) this.#sendChanges(commit, true);
  }

  /** Sends all data to a tab that was opened. */
  async sendContent(to: string, pause: () => Promise<void>): Promise<void> {
    try {
      for (const commit of storedContent(this.#controller.store)) {
        this.#channel.post({ type: 'commit', commit, to });
        // oxlint-disable-next-line no-await-in-loop -- So that this tab stays responsive.
        await pause();
      }
      this.#channel.post({ type: 'welcome', to });
    } catch (error) {
      this.#onError(error);
    }
  }

  receive(message: TabMessage, from: string): void {
    const { id } = this.#channel;
    if (message.type === 'commit' && (message.to ?? id) === id) this.#apply(message, from);
    else if (message.type === 'request')
      this.#controller.store.writer.core.tickets.noteIssue(issueOfParts(message.latest));
    else if (message.type === 'sent') this.mutations.begin(from, message.mutation);
    else if (message.type === 'mutation') this.#noteCarriedOut(message.mutation, from);
    else if (message.type === 'over') this.mutations.noteEnd(from, message.id);
    else if (message.type === 'welcome' && message.to === id) {
      this.hasJoined = true;
      this.onWelcome();
    }
  }

  /** Resolves when a commit has stored the answer of a request, or after some time without such a commit. */
  arrival(key: string): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(key) ?? new Set();
      const end = (): void => {
        this.#platform.clearTimeout(timer);
        waiting.delete(end);
        if (waiting.size === 0) this.#waiting.delete(key);
        resolve();
      };
      const timer = this.#platform.setTimeout(end, ARRIVAL_TIME);
      this.#waiting.set(key, waiting.add(end));
    });
  }

  /** Notes a mutation of this tab, which is in flight until `over` settles. `request`: the request that shows its guess. */
  async mutate(call: EndpointCall, over: Promise<unknown>, request?: RequestInFlight): Promise<void> {
    const name = this.#nameOf(call, request?.sent ?? this.#controller.store.writer.core.tickets.last);
    await (name ? this.mutations.share(name, call, over, request) : over.catch(ignore));
  }

  /** Notifies the other tabs that a mutation has ended. */
  sendMutation(request: RequestInFlight): void {
    const mutation = this.#nameOf(request.call, request.sent);
    if (mutation === undefined) return;
    const { writer } = this.#controller.store;
    const { tables } = writer.core.reading.space;
    this.mutatedAt = writer.core.tickets.last;
    this.mutations.noteAnswer(mutation, writer.core.tickets.last);
    // A tab knows whether the record belongs to a list only if it has the rules of the list.
    const isKept = ([name]: readonly [table: string, pk: string]): boolean =>
      tables.get(name)?.collection !== undefined;
    const lists = Array.from(listsIn(writer, mutation.table)).filter(isKept);
    this.#channel.post({
      type: 'mutation',
      mutation: { ...mutation, lists: lists.map((list) => recordName(...list)) },
    });
  }

  /** Returns the name of a mutation for the other tabs; `undefined` if its records are not known. */
  #nameOf({ endpoint, args }: EndpointCall, sent: number): MutationName | undefined {
    const record = mutatedTableOf(endpoint, args, this.#controller.store);
    return record && { ...record, sent: partsOfIssue(sent) };
  }

  /** Handles the end of a mutation that was sent before a logout. Data that was read in the meantime may be from before the mutation. */
  #noteEnd({ last }: DataToRefetch): void {
    const mutation =
      last.mutation && last.failure?.error instanceof ResetError ? this.#nameOf(last.call, last.sent) : undefined;
    if (mutation === undefined) return;
    this.mutations.noteLateAnswer(mutation);
    this.#channel.post({ type: 'mutation', mutation });
    this.#doubt(mutation);
  }

  #noteCarriedOut(mutation: OverMutation, from: string): void {
    if (mutation.lists === undefined) this.mutations.noteLateAnswer(mutation, from);
    this.#doubt(mutation);
  }

  #send(commit: Commit): void {
    if (this.#isApplying || !this.#channel.hasOthers) return;
    try {
      // The other tabs have restored data from the disk themselves.
      this.#sendChanges(
        dehydrateCommit(this.#controller.store, withoutRestored(this.#controller.store.writer, commit)),
      );
    } catch (error) {
      this.#onError(error);
    }
  }

  #sendChanges(commit: DehydratedCommit, isOfPage = false): void {
    const { tables, results, invalidated, aliases = [] } = commit;
    if ([tables, results, invalidated, aliases].some(({ length }) => length > 0))
      this.#channel.post({ type: 'commit', commit, answered: this.mutations.takeAnswered(), isOfPage });
  }

  #apply({ commit, answered = [], isOfPage = false }: CommitMessage, from: string): void {
    const { store } = this.#controller;
    this.hasSessionData ||= !isOfPage;
    this.#isApplying = true;
    try {
      store.batch(() => {
        for (const id of answered) this.mutations.endGuess(from, id);
        applyCommit(store, { ...commit, tables: this.#lists.take(commit.tables) });
      });
    } finally {
      this.#isApplying = false;
    }
    for (const [key] of commit.results) for (const end of this.#waiting.get(key) ?? []) end();
  }

  /**
   * Handles the end of a mutation of another tab. Shown data is fetched again if only the server knows it: reads that were sent before, lists that the
   * other tab does not have, and the record if this tab has changed it at the same time.
   */
  #doubt({ table, pk, sent, lists }: OverMutation): void {
    const { mutations, store } = this.#controller;
    this.mutatedAt = store.writer.core.tickets.last;
    const request = mutations.begin({ endpoint: elsewhere, args: [], key: elsewhere.key(), fetchedAt: 0 });
    const { doubt } = mutations.answeredRequestOf(request);
    const isUnknown = lists === undefined || this.mutations.overlaps({ table, pk, sent });
    if (isUnknown && pk !== undefined) doubt(table, pk);
    const kept = new Set(isUnknown && pk === undefined ? [] : lists);
    for (const [name, key] of listsIn(store.writer, table)) if (!kept.has(recordName(name, key))) doubt(name, key);
    mutations.settle(request, false);
    mutations.end(request);
    mutations.notifyIfIdle(request);
  }
}

/**
 * Returns the issue before the first one of a tab. A tab that the browser has stopped sends nothing, so a tab that is opened meanwhile learns no issue of it:
 * the time lets the requests of the later tab come later.
 */
function firstIssue(now: number): number {
  return Math.min(Math.max(0, Math.floor((now - Date.UTC(2026)) / ISSUE_TIME)), MAX_FIRST_ISSUE);
}

function ignore(): void {}
