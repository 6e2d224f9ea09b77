import type { Answer, LiveView } from '../../control/view/answer.ts';
import { type Entry, Moment } from '../../control/screen/moment.ts';
import { hydrate } from '../../state/hydrate/hydrate.ts';
import type { Store } from '../../state/store/store.ts';
import { later, type PagePart } from './page-part.ts';
import { PageRendering } from './page-rendering.ts';

/** Commits that are noted at most. What has not been hydrated by then, and shows something else, is rendered anew. */
const MOST = 2000;

/** Puts the parts of a page into a store, and knows for each reader what the server had shown it. */
export class BrowserLog extends PageRendering {
  readonly #store: Store;
  readonly #stop: () => void;
  /** Every commit since the page began. */
  #log: Entry[] = [];
  /** Those that came with the page. */
  #states: Entry[] = [];
  /** How many of the states a reader shows, where it is not all of them. */
  readonly #early = new Map<string, number>();
  /** The store as it was, by how many of the states were in it. */
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
    if (this.#log.length >= MOST) this.#end();
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
        // What a server took for fresh a moment ago is fresh, whatever the clock of this device says.
        hydrate(this.#store, later(state, present - now), { isLater: true });
      } finally {
        this.#isReading = false;
      }
      places.push(this.#states.length);
    }
    for (const [id, at] of early) this.#early.set(id, places[at] ?? before);
  }

  override first<Value>(id: string, view: LiveView<Value>): Answer<Value> {
    const answer = view.current();
    const seen = this.#states.slice(0, this.#early.get(id));
    if (seen.length === this.#log.length || answer.status === 'failed') return answer;
    return view.at(this.#moment(seen));
  }

  /** The store with these commits alone. */
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
