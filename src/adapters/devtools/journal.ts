import { type Action, actionTypes, type FetchAction } from '../../control/controller/action.ts';
import { type Dispatch, type MiddlewareAPI, NO_CONTROLLER } from '../../control/controller/manager.ts';
import type { Commit } from '../../state/store/commit.ts';
import { Showing } from '../../state/store/showing.ts';
import { messageOf } from '../../std/thrown.ts';
import { type RowDiff, rowDiff } from './row-diff.ts';

/** A request, from the moment in which it was asked for. */
export interface RequestEntry {
  readonly number: number;
  readonly key: string;
  readonly args: readonly unknown[];
  readonly isMutation: boolean;
  readonly startedAt: number;
  endedAt?: number;
  status: 'pending' | 'done' | 'failed';
  error?: string;
}

/** What changed at once, and why. */
export interface CommitEntry {
  readonly number: number;
  readonly at: number;
  readonly cause: string;
  readonly rows: readonly RowDiff[];
}

/** An answer that is on the screen. */
export interface ShownEntry {
  readonly key: string;
  /** The commits that gave it another value, the newest first. */
  readonly changes: readonly ShownChange[];
}

export interface ShownChange {
  readonly commit: CommitEntry;
  /** The rows of the commit that the answer contains. */
  readonly rows: readonly RowDiff[];
}

/** How many requests, commits, and changes of one answer are kept. */
const MOST = 500;
const MOST_CHANGES = 20;

/** Notes what happens in a controller: its requests, its commits, and which answers on the screen they changed. */
export class Journal {
  readonly requests: RequestEntry[] = [];
  readonly commits: CommitEntry[] = [];
  controller: MiddlewareAPI = NO_CONTROLLER;
  readonly #listeners = new Set<() => void>();
  readonly #values = new Map<string, unknown>();
  readonly #changes = new Map<string, ShownChange[]>();
  /** The commit that each field is from, by table, pk and field. */
  readonly #origins = new Map<string, CommitEntry>();
  #cause: string | undefined;
  #counted = 0;

  /** Hands an action on, and notes it. */
  pass(action: Action, next: Dispatch): Promise<void> {
    const entry = action.type === actionTypes.FETCH ? this.#begin(action) : undefined;
    this.#cause = entry ? undefined : causeOf(action);
    const done = next(action);
    this.#cause = undefined;
    if (entry) void this.#end(entry, done);
    return done;
  }

  #begin({ key, args, endpoint }: FetchAction): RequestEntry {
    const entry: RequestEntry = {
      number: ++this.#counted,
      key,
      args,
      isMutation: Boolean(endpoint.sideEffect),
      startedAt: this.controller.now(),
      status: 'pending',
    };
    this.requests.push(entry);
    if (this.requests.length > MOST) this.requests.shift();
    this.#changed();
    return entry;
  }

  async #end(entry: RequestEntry, done: Promise<void>): Promise<void> {
    try {
      await done;
      entry.status = 'done';
    } catch (error) {
      entry.status = 'failed';
      entry.error = messageOf(error);
    }
    entry.endedAt = this.controller.now();
    this.#changed();
  }

  /** Notes commits from now on. Returns what ends it. */
  start(): () => void {
    return this.controller.store.onCommit((commit) => this.#commit(commit));
  }

  #commit({ shown, requests }: Commit): void {
    const keys = requests.map(({ key }) => key);
    const cause = this.#cause ?? (keys.length > 0 ? `the answer of ${keys.join(', ')}` : 'a rollback, or an answer');
    const rows = shown.map(rowDiff);
    const entry: CommitEntry = { number: ++this.#counted, at: this.controller.now(), cause, rows };
    if (rows.length > 0) this.#add(entry);
    for (const { table, pk, fields } of rows)
      for (const { field } of fields) this.#origins.set(originKey(table, pk, field), entry);
    // Reading is not for the middle of a commit.
    void Promise.resolve().then(() => this.#compare(entry));
    this.#changed();
  }

  #add(entry: CommitEntry): void {
    this.commits.push(entry);
    if (this.commits.length > MOST) this.commits.shift();
  }

  /** Which answers on the screen are others after a commit, and by which of its rows. */
  #compare(commit: CommitEntry): void {
    const { controller } = this;
    const around = commit.rows.map(
      (row) => [row, new Showing(controller.store.writer.core, [[row.table, row.pk]])] as const,
    );
    for (const { key, endpoint, args } of controller.shown()) {
      const value: unknown = controller.getResponse(endpoint, ...args).data;
      const isFirst = !this.#values.has(key);
      if (!isFirst && this.#values.get(key) === value) continue;
      this.#values.set(key, value);
      if (isFirst && value === undefined) continue;
      // What changes no row is of interest where it is seen.
      if (commit.rows.length === 0 && !this.commits.includes(commit)) this.#add(commit);
      const rows = around.flatMap(([row, showing]) => (showing.distance(key) === undefined ? [] : [row]));
      const changes = this.#changes.get(key) ?? [];
      this.#changes.set(key, [{ commit, rows }, ...changes].slice(0, MOST_CHANGES));
    }
    this.#changed();
  }

  /** The answers on the screen. */
  shown(): ShownEntry[] {
    return Array.from(this.controller.shown(), ({ key }) => ({ key, changes: this.#changes.get(key) ?? [] }));
  }

  /** The keys of the answers on the screen that contain a row. */
  showing(table: string, pk: string): string[] {
    const showing = new Showing(this.controller.store.writer.core, [[table, pk]]);
    return Array.from(this.controller.shown(), ({ key }) => key).filter((key) => showing.distance(key) !== undefined);
  }

  /** The commit that a field is from, where it is known. */
  originOf(table: string, pk: string, field: string): CommitEntry | undefined {
    return this.#origins.get(originKey(table, pk, field));
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  clear(): void {
    this.requests.length = 0;
    this.commits.length = 0;
    this.#changes.clear();
    this.#origins.clear();
    this.#changed();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

function originKey(table: string, pk: string, field: string): string {
  return JSON.stringify([table, pk, field]);
}

function causeOf(action: Action): string | undefined {
  switch (action.type) {
    case actionTypes.SET:
      return `set(${String((action.schema as { readonly key?: unknown }).key)})`;
    case actionTypes.SET_RESPONSE:
      return action.error === true ? `the failure of ${action.key}` : `the answer of ${action.key}`;
    case actionTypes.OPTIMISTIC:
      return `the optimistic update of ${action.key}`;
    case actionTypes.RESET:
      return 'a reset';
    default:
      return undefined;
  }
}
