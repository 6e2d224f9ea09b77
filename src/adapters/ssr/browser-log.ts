import { type Answer, type EarlierReader, type LiveView, nextAnswer } from '../../control/view/answer.ts';
import type { Dehydrated } from '../../state/hydrate/dehydrated.ts';
import { hydrate } from '../../state/hydrate/hydrate.ts';
import type { Commit } from '../../state/store/commit.ts';
import { EarlierStore } from '../../state/store/earlier-store.ts';
import type { KeptRequests, KeptRows } from '../../state/store/kept-states.ts';
import type { Store } from '../../state/store/store.ts';
import { memo } from '../../std/memo.ts';
import { withLaterTimes, type PagePart } from './page-part.ts';
import { PageRendering } from './page-rendering.ts';
import { type SentState, sentByCommit, sentState } from './sent-state.ts';

/** The largest number of recorded commits. After that, components that are not hydrated and show an earlier state are rendered again. */
const MAX_COMMITS = 2000;

/** Writes the parts of a page to a store, and keeps for each reader the state that the server rendered. */
export class BrowserLog extends PageRendering {
  readonly #store: Store;
  readonly #stop: () => void;
  /** The rows and requests that have changed since the page began, as they were before. */
  readonly #rows: KeptRows = new Map();
  readonly #requests: KeptRequests = new Map();
  /** The states that came with the page. */
  readonly #states: SentState[] = [];
  /** By reader: how many of the states it shows. Only for readers that do not show all of them. */
  readonly #early = new Map<string, number>();
  /** The stores as the server had them, by how many of the states they contain. */
  readonly #earlier = new Map<number, EarlierReader>();
  #commits = 0;
  /** Whether the browser has changed records itself. Its store may then differ from that of the server. */
  #isChanged = false;
  /** The commit of the state that is being added. */
  #adding: { commit?: Commit } | undefined;

  constructor(store: Store) {
    super();
    this.#store = store;
    this.#stop = store.onCommit((commit) => this.#keepFormer(commit));
  }

  /** Keeps the rows and requests that a commit has changed, as they were before. */
  #keepFormer(commit: Commit): void {
    for (const { table, pk, before } of commit.shown) {
      const rows = memo(this.#rows, table, () => new Map());
      if (!rows.has(pk)) rows.set(pk, before);
    }
    for (const { key, before } of commit.requests) if (!this.#requests.has(key)) this.#requests.set(key, before);
    if (this.#adding === undefined) this.#isChanged = true;
    else this.#adding.commit = commit;
    this.#earlier.clear();
    if (++this.#commits >= MAX_COMMITS) this.#end();
  }

  /** From now on, each reader shows the present state first. */
  #end(): void {
    this.#stop();
    for (const kept of [this.#rows, this.#requests, this.#early, this.#earlier]) kept.clear();
    this.#states.length = 0;
    this.#isChanged = false;
  }

  /** `isStale`: the part may be older than changes of the browser. */
  add({ states, early, now }: PagePart, present: number, isStale: boolean): void {
    const before = this.#states.length;
    const latest = isStale ? present - 1 : undefined;
    // Data that was fresh on the server is fresh here, even if the clock of this device differs.
    for (const state of states) this.#add(withLaterTimes(state, present - now, latest));
    if (this.#commits >= MAX_COMMITS) return this.#end();
    for (const [id, at] of early) this.#early.set(id, before + at);
  }

  #add(state: Dehydrated): void {
    const adding: { commit?: Commit } = {};
    this.#adding = adding;
    try {
      hydrate(this.#store, state, { isLater: true });
    } finally {
      this.#adding = undefined;
    }
    if (this.#store.writer.core.hasLayers) this.#isChanged = true;
    // If the browser has changed records before, the commit may lack some, but the server has rendered them as they were sent.
    this.#states.push(this.#isChanged || adding.commit === undefined ? sentState(state) : sentByCommit(adding.commit));
    this.#earlier.clear();
  }

  override first<Value>(id: string, view: LiveView<Value>, isWaiting: boolean): Answer<Value> {
    const answer = view.current();
    const seen = this.#early.get(id) ?? this.#states.length;
    if (seen >= this.#states.length && !this.#isChanged) return answer;
    const sent = nextAnswer(answer, () => view.at(memo(this.#earlier, seen, () => this.#at(seen))));
    // A reader that waits was rendered with a value. If that could not be sent, the browser has fetched it.
    return isWaiting && sent.status === 'missing' ? answer : sent;
  }

  /** Returns the store with only the first states of the server. */
  #at(seen: number): EarlierReader {
    const rows: KeptRows = new Map([...this.#rows].map(([table, before]) => [table, new Map(before)]));
    const requests: KeptRequests = new Map(this.#requests);
    for (const sent of this.#states.slice(0, seen)) {
      for (const [table, sentRows] of sent.rows)
        for (const [pk, row] of sentRows) memo(rows, table, () => new Map()).set(pk, row);
      for (const [key, request] of sent.requests) requests.set(key, request);
    }
    const earlier = new EarlierStore(this.#store.writer.core, rows, requests);
    return {
      get: (queryable, args) => earlier.get(queryable, args).value,
      request: (read) => earlier.request(read).value,
    };
  }
}
