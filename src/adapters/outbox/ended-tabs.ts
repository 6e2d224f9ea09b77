import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { deferred } from '../../std/deferred.ts';
import type { Platform } from '../../std/platform.ts';
import type { StorageContent } from '../../std/text-storage.ts';
import { withTimeout } from '../../std/timeout.ts';
import type { Marker } from '../persist/marker.ts';
import { runInSlices } from '../persist/time-slices.ts';
import type { EntryList } from './entry-list.ts';
import type { EntryRuns } from './entry-runs.ts';
import type { QueuedEntry } from './outbox-entry.ts';
import { isKnownHere } from './outbox-errors.ts';
import type { OutboxEvent } from './outbox-event.ts';
import type { OutboxJournal } from './outbox-journal.ts';
import type { OvertakenEdits } from './overtaken-edits.ts';
import type { TabClaims } from './tab-claims.ts';
import type { TabEntries } from './tab-entries.ts';

/** The longest time before edits are sent although another tab holds up the start, in milliseconds. */
const MAX_START_MS = 30_000;
/** How often, and after which time in milliseconds, entries that could not be read are read again. The time doubles. */
const MAX_READS = 6;
const FIRST_READ = 1000;

/** The parts and options of an outbox that `EndedTabs` needs. */
export interface TakeOverParts {
  readonly endpoints: ReadonlyMap<string, EndpointInterface>;
  readonly journal: OutboxJournal;
  readonly marker: Marker;
  readonly claims: TabClaims;
  readonly timeout: number;
  readonly onEvent: (event: OutboxEvent) => void;
  readonly platform: Platform;
}

/** An outbox that takes over entries. */
export interface EndedTabsQueue {
  readonly list: EntryList;
  readonly isEnded: boolean;
  readonly runs: Pick<EntryRuns, 'beginRestored' | 'restart'>;
  readonly elsewhere: Pick<TabEntries, 'isOver' | 'drop' | 'changes' | 'read' | 'set'>;
  readonly overtaken: Pick<OvertakenEdits, 'clear'>;
  /** Leaves an entry to another tab, which has taken it over. */
  leave(entry: QueuedEntry): void;
  /** Writes the present pks of records into the arguments of all entries. */
  rename(renamed: ReadonlyMap<string, unknown>): void;
}

interface FoundContent {
  readonly content: StorageContent;
  readonly alive: ReadonlySet<string>;
  /** Whether the storage had entries when the application last ran. */
  readonly isMarked: boolean;
  /** The entries of this tab that another tab may have taken over. */
  readonly lost: readonly QueuedEntry[];
  /** Called when those are left to the other tab. */
  readonly onLeft: (() => void) | undefined;
}

interface TakenEntries {
  readonly taken: readonly QueuedEntry[];
  readonly renamed: ReadonlyMap<string, unknown>;
}

/**
 * Takes over the entries of tabs that have ended: those of earlier starts of the application, and those of tabs that were closed or killed. It
 * also takes over the entries that their own tab cannot send, because that tab does not know the endpoint.
 */
export class EndedTabs {
  readonly #parts: TakeOverParts;
  readonly #queue: EndedTabsQueue;
  readonly #restored = deferred();
  readonly #listed = deferred();
  /** Resolves when the entries that the storage has answered with have their guesses. */
  #taking: Promise<unknown> | undefined;
  /** The latest call of `takeOver`, until it begins to read. */
  #next: Promise<readonly QueuedEntry[] | undefined> | undefined;
  /** How often in a row the entries could not be read. */
  #failedReads = 0;
  /** Called when the page goes on after the browser has stopped it. */
  #goOn: ((begun: Promise<unknown>) => void) | undefined;
  /** Ends the hold of `stop`. */
  #letGo: (() => void) | undefined;
  /** Called when the entries that other tabs have taken over meanwhile are left to them. */
  #onLeft: (() => void) | undefined;
  /** Whether the storage may have entries that were not read. */
  isUnread = true;
  /** Whether the entries of earlier starts have been taken over. */
  isRestored = false;
  /** Resolves when the entries of earlier starts have been taken over, or that has taken too long. */
  begun: Promise<unknown> = Promise.resolve();

  constructor(parts: TakeOverParts, queue: EndedTabsQueue) {
    this.#parts = parts;
    this.#queue = queue;
  }

  get restored(): Promise<void> {
    return this.#restored.promise;
  }

  /** Reads the entries of earlier starts. From then on, entries are sent. */
  async start(): Promise<void> {
    const { platform, timeout } = this.#parts;
    const first = this.takeOver();
    this.begun = this.#inTime(Promise.race([first, this.#listed.promise]));
    try {
      // From here on, a slow storage does not delay the first screen. Guesses that are being made still delay it, because they end soon.
      await withTimeout(first, 2 * timeout, () => this.#taking, platform);
    } finally {
      this.isRestored = true;
      this.#restored.resolve();
    }
  }

  /** Sends nothing until `resume`. A timer that was due meanwhile may run before it. */
  stop(): void {
    this.#letGo = this.#parts.journal.hold();
    this.begun = new Promise((resolve) => (this.#goOn = resolve));
  }

  /**
   * Goes on when it is known which entries other tabs have taken over meanwhile. Until then, changes of this tab would bring back entries that are
   * over. They are written before anything is sent.
   */
  resume(): void {
    const letGo = this.#letGo;
    this.#onLeft = letGo;
    const goOn = async (): Promise<unknown> => {
      await this.#inTime(this.takeOver());
      letGo?.();
      return this.#parts.journal.flush();
    };
    this.#goOn?.(goOn());
  }

  /** Another tab may be frozen in the middle of its own start. */
  #inTime(work: Promise<unknown>): Promise<unknown> {
    return withTimeout(work, MAX_START_MS, () => undefined, this.#parts.platform);
  }

  /**
   * Takes over entries. Resolves to those of the other tabs, or to `undefined` if they could not be read. Never rejects. Calls that come before it
   * begins to read share one promise.
   */
  takeOver(): Promise<readonly QueuedEntry[] | undefined> {
    return (this.#next ??= this.#takeOver());
  }

  async #takeOver(): Promise<readonly QueuedEntry[] | undefined> {
    const { elsewhere, overtaken } = this.#queue;
    const { changes } = elsewhere;
    const others = await this.#tryToTake();
    this.isUnread = others === undefined;
    if (others === undefined) this.#takeOverLater();
    else {
      this.#failedReads = 0;
      overtaken.clear();
    }
    if (changes !== elsewhere.changes) await elsewhere.read();
    else if (!this.#queue.isEnded && others !== undefined) elsewhere.set(others);
    this.restartUnblocked();
    return others;
  }

  /** Begins the runs of entries again that no other entry blocks any more. */
  restartUnblocked(): void {
    const { list, runs } = this.#queue;
    for (const entry of list.unblocked) runs.restart(entry);
  }

  /** The storage of a busy device may answer too late. */
  #takeOverLater(): void {
    if (this.#queue.isEnded || this.#failedReads === MAX_READS) return;
    const delay = FIRST_READ * 2 ** this.#failedReads++;
    this.#parts.platform.setTimeout(() => this.#takeOverUnlessEnded(), delay);
  }

  #takeOverUnlessEnded(): void {
    if (!this.#queue.isEnded) void this.takeOver();
  }

  /** Takes over the entries of another tab as soon as it has ended. */
  watch(tab: string): void {
    if (!this.#queue.isEnded) this.#parts.claims.watch(tab, () => this.#takeOverUnlessEnded());
  }

  async #tryToTake(): Promise<readonly QueuedEntry[] | undefined> {
    try {
      return await this.#parts.claims.alone((...tabs) => this.#takeOverFrom(...tabs));
    } catch (error) {
      this.#next = undefined;
      // The manager may have been started again meanwhile.
      if (this.#failedReads === 0 && !this.#queue.isEnded) this.#parts.journal.report(error);
      return undefined;
    }
  }

  async #takeOverFrom(alive: ReadonlySet<string>, wasLost: boolean): Promise<readonly QueuedEntry[]> {
    const { claims, journal, marker, timeout } = this.#parts;
    // A change that another tab makes after this line has to be read again.
    this.#next = undefined;
    const onLeft = this.#onLeft;
    for (const tab of alive) this.watch(tab);
    const isMarked = !this.isRestored && (await marker.isSet());
    const kept = this.#queue.list.all.filter(({ isKept }) => isKept);
    const content = await journal.read(timeout);
    const taking = this.#take({ alive, content, isMarked, lost: wasLost ? kept : [], onLeft });
    // From now on, the first screen waits until the entries have their guesses.
    this.#taking = taking;
    const left = await taking;
    // Another tab may read the entries as soon as this returns.
    if (claims.isShared && !this.#queue.isEnded) await journal.flush();
    return left;
  }

  /** Takes over what the storage has. Resolves to the entries of the other tabs. */
  async #take({ alive, content, isMarked, lost, onLeft }: FoundContent): Promise<readonly QueuedEntry[]> {
    const { claims, endpoints, journal, marker, onEvent, platform } = this.#parts;
    const queue = this.#queue;
    const { damaged, entries, isEmpty, renamed } = await journal.parse(content, endpoints);
    if (queue.isEnded) return [];
    const own = new Set(entries.flatMap(({ id, tab }) => (tab === claims.id ? id : [])));
    for (const entry of lost) if (!own.has(entry.id) && queue.list.includes(entry)) queue.leave(entry);
    onLeft?.();
    const known = new Set(queue.list.all.map(({ id }) => id));
    // As long as there are entries or other tabs, the new pks are kept: another tab may show a record under its temporary pk, and keep an edit of it.
    if (entries.length + damaged + queue.list.all.length + alive.size === 0) journal.forget(renamed.keys());
    if (isMarked && isEmpty) onEvent({ type: 'lost' });
    if (!this.isRestored && damaged > 0) onEvent({ type: 'dropped', entries: damaged });
    const isLeft = ({ id, tab }: QueuedEntry): boolean => queue.elsewhere.isOver(id) && !alive.has(tab);
    for (const entry of entries.filter(isLeft)) void journal.remove(entry, new Map());
    const others = entries.filter(({ id, tab }) => !known.has(id) && tab !== claims.id && !queue.elsewhere.isOver(id));
    const taken = others.filter((entry) => !alive.has(entry.tab) || isKnownHere(entry));
    const isTaken = new Set(taken);
    const left = others.filter((entry) => !isTaken.has(entry));
    const steps = this.#restore({ taken, renamed });
    await runInSlices(() => steps.next(), { platform, isWanted: () => !queue.isEnded });
    if (queue.isEnded) return [];
    if (!this.isRestored) void marker.set(entries.length > 0);
    if (taken.length > 0) onEvent({ type: 'restored', entries: taken.length });
    return left;
  }

  /** Adds entries to the list, and begins their runs, one for each step. People can make, edit and discard entries between the steps. */
  *#restore({ renamed, taken }: TakenEntries): Generator<undefined, void> {
    const { claims, journal } = this.#parts;
    const queue = this.#queue;
    for (const entry of taken) {
      queue.elsewhere.drop(entry.id);
      queue.list.add(entry);
      yield;
    }
    queue.rename(renamed);
    this.isUnread = false;
    this.#listed.resolve();
    for (const entry of queue.runs.beginRestored(taken)) {
      if (claims.isShared) {
        entry.tab = claims.id;
        void journal.put(entry);
      }
      yield;
    }
  }
}
