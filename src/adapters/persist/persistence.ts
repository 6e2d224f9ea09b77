import type { Page } from '../../control/manager/presence.ts';
import type { Commit } from '../../state/store/commit.ts';
import { withoutRestored } from '../../state/store/restore.ts';
import type { Store } from '../../state/store/store.ts';
import { deferred } from '../../std/deferred.ts';
import type { Platform } from '../../std/platform.ts';
import type { TextStorage } from '../../std/text-storage.ts';
import { thrown } from '../../std/thrown.ts';
import { withTimeout } from '../../std/timeout.ts';
import { Disk, storageLater, storageTimeout } from './disk.ts';
import { Marker } from './marker.ts';
import { PendingEntry, type PendingMutations } from './pending-entry.ts';
import type { PersistEvent } from './persist-event.ts';
import { RestoredEntries, type RestoreLimits } from './restored-entries.ts';
import { type Include, PARTIAL, SESSION, STALE } from './saved-entries.ts';
import { beginSession, DiskSession } from './disk-session.ts';
import { runInSlices } from './time-slices.ts';
import { UnsavedChanges } from './unsaved-changes.ts';

export interface PersistenceOptions {
  readonly name: string;
  readonly mutations: PendingMutations;
  readonly storage: TextStorage;
  readonly include: Include;
  readonly limits: Omit<RestoreLimits, 'now' | 'alive'>;
  readonly timeout: number;
  readonly platform: Pick<Platform, 'setTimeout' | 'clearTimeout' | 'now'>;
  readonly page: Page;
  readonly onEvent: (event: PersistEvent) => void;
}

/** For how many milliseconds changes are collected before they are written together. */
const WRITE_DELAY = 100;
/** The timeout of a write, in milliseconds. It runs in the background. */
const MAX_WRITE_MS = 30_000;
/** How often a write that has failed is tried again, and after which time in milliseconds. The time doubles. */
const MAX_RETRIES = 5;
const FIRST_RETRY = 1000;

/** Restores a store from its disk, then writes its changes, until it is stopped. */
export class Persistence {
  readonly #store: Store;
  readonly #options: PersistenceOptions;
  readonly #disk: Disk;
  readonly #changes: UnsavedChanges;
  readonly #marker: Marker;
  readonly #pending: PendingEntry;
  readonly #restored = deferred();
  isRestored = false;
  /** Whether a step of the restore is running. What it puts into the store is on the disk already, and not noted as a change. */
  #isRestoring = false;
  /** Whether entries of this tab are on the disk, as far as it knows. */
  #isSaved = false;
  /** Whether changes are written. False until the stored data has been read, and after the disk has failed. */
  #isWriting = false;
  /** How many writes have failed in a row, and the entries that are not on the disk because of that. */
  #failures = 0;
  #unwritten: ReadonlyMap<string, string | undefined> = new Map();
  readonly #session: DiskSession;
  /** Operations run one after another. Resolves when the last one has ended. */
  #work: Promise<void> = Promise.resolve();
  #timer: unknown;
  #stops: (() => void)[] = [];
  /** Whether the page may be closed at any moment. Then work is not cut into slices. */
  #isUrgent = false;

  constructor(store: Store, options: PersistenceOptions) {
    this.#store = store;
    this.#options = options;
    this.#disk = new Disk(options.storage, options.name, options.platform);
    this.#marker = new Marker(options.name);
    this.#pending = new PendingEntry(options.name);
    this.#changes = new UnsavedChanges(store, options.include, (error) => options.onEvent({ type: 'skipped', error }));
    const onUncleared = (error: unknown): void => options.onEvent({ type: 'uncleared', error });
    this.#session = new DiskSession(() => this.#resets, onUncleared);
  }

  get restored(): Promise<void> {
    return this.#restored.promise;
  }

  /** How often the store was reset. */
  get #resets(): number {
    return this.#store.writer.core.tickets.resets;
  }

  start(): void {
    const { mutations, page } = this.#options;
    this.#stops = [
      this.#store.onCommit((commit) => this.#note(commit)),
      mutations.pendingRecords.watch(() => this.#notePending()),
      ...(['pagehide', 'visibilitychange'] as const).map((type) => {
        // The page may be closed at any moment.
        const flushNow = (): void => void this.#flushUrgently();
        const target = type === 'pagehide' ? page : page.document;
        target?.addEventListener?.(type, flushNow);
        return () => target?.removeEventListener?.(type, flushNow);
      }),
    ];
    this.#work = this.#restore();
  }

  stop(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
    void this.flush().then(() => {
      this.#pending.release();
      return this.#disk.close();
    });
  }

  #note(commit: Commit): void {
    this.#session.noteReset();
    // The disk has failed.
    if (this.isRestored && !this.#isWriting && !this.#session.mustClear) return;
    // A listener of the restore may write too.
    this.#changes.add(this.#isRestoring ? withoutRestored(this.#store.writer, commit) : commit);
    if (this.#session.mustClear) void this.flush();
    else if (this.#changes.isAny) this.#flushSoon();
  }

  #flushSoon(delay: number = WRITE_DELAY): void {
    this.#timer ??= this.#options.platform.setTimeout(() => void this.flush(), delay);
  }

  /** Writes when the present work is done. An outbox forgets an edit when it is answered, so from then on only the disk has its change. */
  #flushAtOnce(): void {
    this.#options.platform.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flushSoon(0);
  }

  /**
   * Saves whether a mutation is pending: at once when it begins, and together with its answer when it is over. From it, the next start knows
   * whether the server may have carried out a mutation whose answer is not on the disk.
   */
  #notePending(): void {
    const { isAny } = this.#options.mutations;
    if (isAny === this.#pending.isSaved) return;
    this.#pending.isSaved = isAny;
    this.#setPending();
    if (isAny) void this.#pending.hold().then(() => this.flush());
    else this.#flushAtOnce();
  }

  #setPending(): void {
    this.#changes.set(this.#pending.key, this.#pending.isSaved ? '1' : undefined);
  }

  /** Writes the changes until now. */
  flush(): Promise<void> {
    this.#options.platform.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#work = this.#work.then(() => this.#write());
    return this.#work;
  }

  /** Resolves when the data from before a reset is deleted, or deleting it has failed or timed out. */
  async cleared(): Promise<void> {
    const { name, platform, timeout } = this.#options;
    this.#session.noteReset();
    // A write from before may not have ended.
    const onLate = (): void => {
      if (this.#session.mustClear) this.#session.noteUncleared(storageTimeout(name, timeout));
    };
    await withTimeout(this.flush(), timeout, onLate, platform);
  }

  async #flushUrgently(): Promise<void> {
    this.#isUrgent = true;
    await this.flush();
    this.#isUrgent = false;
  }

  async #restore(): Promise<void> {
    const { limits, onEvent, platform, timeout } = this.#options;
    const began = platform.now();
    const resets = this.#resets;
    const isWanted = (): boolean => resets === this.#resets;
    try {
      const [content, isMarked, alive] = await this.#disk.use(timeout, (storage) =>
        Promise.all([storage.read(), this.#marker.isSet(), this.#pending.alive()]),
      );
      const restored = new RestoredEntries(this.#store, { ...limits, now: began, alive });
      await this.#inSlices(restored.run(content), isWanted);
      this.#session.number = restored.session;
      if (restored.isLater) return onEvent({ type: 'memory', error: storageLater(this.#options.name) });
      this.#isWriting = true;
      if (!isWanted()) return;
      this.#isSaved = !restored.isEmpty;
      if (restored.isEmpty && isMarked) onEvent({ type: 'lost' });
      void this.#marker.set(!restored.isEmpty);
      if (restored.isUnusable) this.#session.mustClear = true;
      for (const key of restored.unwanted) this.#changes.set(key, undefined);
      if (restored.isDoubted) this.#changes.set(STALE, String(began));
      if (restored.isMigrated) this.#changes.addAll();
      for (const [reason, entries] of restored.dropped) onEvent({ type: 'dropped', reason, entries });
      const { rows, results } = restored;
      if (rows + results > 0) onEvent({ type: 'restored', rows, results, milliseconds: platform.now() - began });
      if (this.#session.mustClear || this.#changes.isAny) void this.flush();
    } catch (error) {
      await this.#startOver(error);
    } finally {
      this.isRestored = true;
      this.#restored.resolve();
    }
  }

  /** Deletes stored data that cannot be read, because it could not be read at the next start either. */
  async #startOver(error: unknown): Promise<void> {
    const { onEvent, timeout } = this.#options;
    try {
      if (thrown(error).code === 'storage-timeout') throw error;
      await this.#disk.use(timeout, (storage) => storage.clear());
      this.#session.number = 0;
      this.#isWriting = true;
      onEvent({ type: 'dropped', reason: 'damage', entries: 0 });
    } catch {
      // The manager may have been started again meanwhile.
      if (this.#stops.length === 0) return;
      onEvent({ type: 'memory', error });
      void this.#giveUp();
    }
  }

  /** Runs work in slices as long as it is wanted. Returns `undefined` if it is not. */
  #inSlices<Value>(work: Generator<undefined, Value>, isWanted: () => boolean): Promise<Value | undefined> {
    const isUrgent = (): boolean => this.#isUrgent;
    return runInSlices(() => this.#step(work), { isUrgent, isWanted, platform: this.#options.platform });
  }

  #step<Value>(work: Generator<undefined, Value>): IteratorResult<undefined, Value> {
    this.#isRestoring = true;
    try {
      return work.next();
    } finally {
      this.#isRestoring = false;
    }
  }

  async #write(): Promise<void> {
    const { limits, platform } = this.#options;
    if (this.#session.mustClear) await this.#clear();
    if (this.#session.mustClear || !this.#isWriting || (!this.#changes.isAny && this.#failures === 0)) return;
    // Another tab that has started since may have deleted the entry.
    if (this.#pending.isSaved) this.#setPending();
    const resets = this.#resets;
    const taken = await this.#inSlices(
      this.#changes.take(platform.now(), { model: limits.model, session: this.#session.number ?? 0 }),
      () => resets === this.#resets,
    );
    // After a reset, the next write deletes everything first. The entry about all entries is not written alone.
    const entries = new Map([...this.#unwritten, ...(taken ?? [])]);
    if (taken === undefined || entries.size === 1) return;
    try {
      const isLost = await this.#disk.use(MAX_WRITE_MS, async (storage) => {
        if (this.#isSaved && (await this.#disk.isEmptied(storage))) return true;
        await this.#marker.set(true);
        await storage.write(entries);
        return false;
      });
      this.#disk.noteSeen();
      this.#failures = 0;
      this.#unwritten = new Map();
      this.#isSaved = !isLost;
      if (isLost) return this.#writeAll();
      if (!this.#pending.isSaved) this.#pending.release();
    } catch (error) {
      await this.#handleFailure(error, entries);
    }
  }

  /** Browsers close the connections of a storage for some time, as when another program changes it. So a write is tried again later. */
  async #handleFailure(error: unknown, entries: ReadonlyMap<string, string | undefined>): Promise<void> {
    const { code, name } = thrown(error);
    const type = name === 'QuotaExceededError' ? 'full' : 'memory';
    if (this.#failures === 0 || type === 'full') this.#options.onEvent({ type, error });
    const isPassing = type === 'memory' && code !== 'storage-timeout' && this.#stops.length > 0;
    if (isPassing && this.#failures < MAX_RETRIES) {
      this.#unwritten = entries;
      this.#flushSoon(FIRST_RETRY * 2 ** this.#failures++);
    } else await this.#giveUp();
  }

  /** Saves nothing more. The next start finds what was saved before, so that is stale then: a short entry often fits on a disk that is full. */
  async #giveUp(): Promise<void> {
    this.#isWriting = false;
    this.#unwritten = new Map();
    this.#changes.forget();
    try {
      await this.#disk.use(MAX_WRITE_MS, (storage) => storage.write(new Map([[PARTIAL, '1']])));
    } catch {
      // The application knows already that nothing is saved.
    }
  }

  /** Writes everything again to a storage that the browser has deleted. */
  #writeAll(): Promise<void> {
    this.#options.onEvent({ type: 'lost' });
    this.#changes.addAll();
    this.#changes.set(SESSION, String(this.#session.number ?? 0));
    return this.#write();
  }

  async #clear(): Promise<void> {
    try {
      const before = this.#session.number;
      this.#session.number = await this.#disk.use(this.#options.timeout, (storage) => beginSession(storage, before));
      this.#session.mustClear = false;
      this.#unwritten = new Map();
      await this.#marker.set(false);
    } catch (error) {
      // Each later write tries again, and writes nothing before that.
      this.#session.noteUncleared(error);
    }
  }
}
