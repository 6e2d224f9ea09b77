import type { Answer, LiveView } from '../../control/view/answer.ts';
import { type Entry, Moment } from '../../control/screen/moment.ts';
import type { Dehydrated } from '../../state/hydrate/dehydrated.ts';
import { hydrate } from '../../state/hydrate/hydrate.ts';
import { INVALID } from '../../define/schema/schema.ts';
import type { RowChange } from '../../state/store/commit.ts';
import type { Store } from '../../state/store/store.ts';
import { withLaterTimes, type PagePart } from './page-part.ts';
import { PageRendering } from './page-rendering.ts';

/** The largest number of recorded commits. After that, components that are not hydrated and show an earlier state are rendered again. */
const MAX_COMMITS = 2000;

/** Writes the parts of a page to a store, and keeps for each reader the state that the server rendered. */
export class BrowserLog extends PageRendering {
  readonly #store: Store;
  readonly #stop: () => void;
  /** Every commit since the page began. */
  #log: Entry[] = [];
  /** The commits that came with the page. */
  #states: Entry[] = [];
  /** How many of the states a reader shows. Only for readers that do not show all of them. */
  readonly #early = new Map<string, number>();
  /** The earlier states of the store, by how many of the sent states they contain. */
  readonly #moments = new Map<number, Moment>();
  #isReading = false;

  constructor(store: Store) {
    super();
    this.#store = store;
    this.#stop = store.onCommit((commit) => this.#note({ commit, isOnScreen: false }));
  }

  #note(entry: Entry): void {
    this.#log.push(entry);
    if (this.#isReading) this.#states.push(entry);
    this.#moments.clear();
    if (this.#log.length >= MAX_COMMITS) this.#end();
  }

  #end(): void {
    this.#stop();
    this.#log = [];
    this.#states = [];
    this.#early.clear();
  }

  add({ states, early, now }: PagePart, present: number): void {
    const before = this.#states.length;
    const places = [before];
    for (const state of states) {
      this.#isReading = true;
      try {
        // Data that was fresh on the server is fresh here, even if the clock of this device differs.
        hydrate(this.#store, withLaterTimes(state, present - now), { isLater: true });
        this.#noteSent(state);
      } finally {
        this.#isReading = false;
      }
      places.push(this.#states.length);
    }
    for (const [id, at] of early) this.#early.set(id, places[at] ?? before);
  }

  /**
   * Records the rows as they were sent, if the browser has changed records itself before they came. Its commit of them may then lack some,
   * or contain guesses, but the server has rendered them as they are.
   */
  #noteSent({ tables }: Dehydrated): void {
    if (this.#log.length === this.#states.length && !this.#store.writer.core.hasLayers) return;
    const shown = tables.flatMap(([table, rows]) =>
      rows.map(([pk, row]): RowChange => ({
        table,
        pk,
        before: undefined,
        after: row === null ? INVALID : row,
      })),
    );
    this.#note({ commit: { rows: [], shown, requests: [] }, isOnScreen: false });
  }

  override first<Value>(id: string, view: LiveView<Value>): Answer<Value> {
    const answer = view.current();
    const seen = this.#states.slice(0, this.#early.get(id));
    if (seen.length === this.#log.length || answer.status === 'failed') return answer;
    return view.at(this.#moment(seen));
  }

  /** The state of the store with only these commits. */
  #moment(seen: readonly Entry[]): Moment {
    const known = this.#moments.get(seen.length);
    if (known !== undefined) return known;
    const missing = new Set(this.#log);
    for (const entry of seen) missing.delete(entry);
    const moment = new Moment(this.#store, this.#log, [...missing]);
    this.#moments.set(seen.length, moment);
    return moment;
  }
}
