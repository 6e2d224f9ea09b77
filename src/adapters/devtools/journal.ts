import { type Action, actionTypes, type FetchAction } from '../../control/controller/action.ts';
import { type Dispatch, type MiddlewareAPI, NO_CONTROLLER } from '../../control/controller/manager.ts';
import { inspect } from '../../control/screen/inspector.ts';
import { isEntity } from '../../define/schema/entity.ts';
import type { RowState } from '../../define/schema/row.ts';
import { type RelationOf, relationsOf } from '../../state/query/relations-of.ts';
import type { Commit } from '../../state/store/commit.ts';
import { Showing } from '../../state/store/showing.ts';
import { messageOf } from '../../std/thrown.ts';
import { Renders } from './renders.ts';
import type { CommitEntry, RenderEntry, RequestEntry, RowLine, Session, ShownChange, ShownEntry } from './session.ts';
import { valueChanges } from './value-changes.ts';
import { notifyEach } from '../../std/listeners.ts';

/** How many requests are kept, and how many commits. */
const MAX_ENTRIES = 500;
/** How many changes are kept for each answer. */
const MAX_CHANGES = 20;
/** How many rows are kept in all commits together. */
const MAX_ROWS = 100_000;

interface Cause {
  readonly text: string;
  readonly key?: string;
}

/** Records the requests and commits of a controller, and the answers on the screen that they changed. */
export class Journal implements Session {
  readonly requests: RequestEntry[] = [];
  readonly commits: CommitEntry[] = [];
  controller: MiddlewareAPI = NO_CONTROLLER;
  readonly #listeners = new Set<() => void>();
  readonly #values = new Map<string, unknown>();
  readonly #changes = new Map<string, ShownChange[]>();
  readonly #renders = new Renders({
    commits: this.commits,
    now: () => this.controller.now(),
    next: () => {
      this.#noteChange();
      return ++this.#counted;
    },
  });
  #cause: Cause | undefined;
  #counted = 0;
  #rows = 0;

  get renders(): readonly RenderEntry[] {
    return this.#renders.entries;
  }

  /** Records an action and passes it on. */
  pass(action: Action, next: Dispatch): Promise<void> {
    const entry = action.type === actionTypes.FETCH ? this.#begin(action) : undefined;
    const outer = this.#cause;
    this.#cause = entry ? undefined : causeOf(action);
    try {
      const done = next(action);
      if (entry) void this.#end(entry, done);
      return done;
    } finally {
      this.#cause = outer;
    }
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
    if (this.requests.length > MAX_ENTRIES) this.requests.shift();
    this.#noteChange();
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
    this.#noteChange();
  }

  /** Starts recording commits and renders. Returns a function that stops it. */
  start(): () => void {
    const { store } = this.controller;
    const stops = [store.onCommit((commit) => this.#commit(commit)), inspect(store, this.#renders)];
    return () => {
      for (const stop of stops) stop();
    };
  }

  #commit({ rows: confirmed, shown: rows, requests }: Commit): void {
    const keys = requests.map(({ key }) => key);
    const summary = keys.length > 0 ? `the answer of ${keys.join(', ')}` : 'a rollback, or an answer';
    const { text, key = keys[0] } = this.#cause ?? { text: summary };
    const request = key === undefined ? undefined : this.requests.findLast((one) => one.key === key)?.number;
    const isAsConfirmed =
      rows.length === confirmed.length && rows.every((row, at) => row.after === confirmed[at]?.after);
    const entry: CommitEntry = {
      number: ++this.#counted,
      at: this.controller.now(),
      cause: text,
      rows,
      ...(request !== undefined && { request }),
      ...(!isAsConfirmed && { confirmed }),
    };
    if (rows.length + confirmed.length > 0) this.#add(entry);
    // The store must not be read during a commit.
    void Promise.resolve().then(() => this.#compare(entry));
    this.#noteChange();
  }

  #add(entry: CommitEntry): void {
    this.commits.push(entry);
    this.#rows += entry.rows.length;
    while (this.commits.length > MAX_ENTRIES || (this.#rows > MAX_ROWS && this.commits.length > 1))
      this.#rows -= this.commits.shift()?.rows.length ?? 0;
  }

  /** Finds the answers on the screen that a commit changed, and what changed in them. Forgets those that have left the screen. */
  #compare(commit: CommitEntry): void {
    const { controller } = this;
    for (const known of [this.#values, this.#changes])
      for (const key of known.keys()) if (!controller.isShown(key)) known.delete(key);
    for (const { key, endpoint, args } of controller.shown()) {
      const value = dataIfReadable(() => controller.getResponse(endpoint, ...args).data);
      const before = this.#values.get(key);
      if (before === value) continue;
      const isFirst = !this.#values.has(key);
      this.#values.set(key, value);
      // A commit without changed rows counts only if it changed an answer on the screen.
      if (commit.rows.length === 0 && !this.commits.includes(commit)) this.#add(commit);
      const changes = isFirst ? [] : valueChanges(before, value);
      const known = this.#changes.get(key) ?? [];
      this.#changes.set(key, [{ commit, changes }, ...known].slice(0, MAX_CHANGES));
    }
    this.#noteChange();
  }

  shown(): readonly ShownEntry[] {
    return Array.from(this.controller.shown(), ({ key }) => ({ key, changes: this.#changes.get(key) ?? [] }));
  }

  get #tables() {
    const { writer } = this.controller.store;
    writer.removeDeletedFromCollections();
    return writer.core.reading.space.tables;
  }

  get relations(): readonly RelationOf[] {
    return relationsOf(Array.from(this.#tables.values(), ({ reader }) => reader.usual).filter(isEntity));
  }

  tables(): ReadonlyMap<string, number> {
    const counts = Array.from(this.#tables.values(), ({ name, size }) => [name, size] as const);
    return new Map(counts.filter(([, size]) => size > 0));
  }

  rowsOf(table: string): readonly RowLine[] {
    return [...(this.#tables.get(table)?.cells.values() ?? [])].filter(({ row }) => row !== undefined);
  }

  row(table: string, pk: string): RowState {
    return this.#tables.get(table)?.find(pk)?.row;
  }

  confirmed(table: string, pk: string): RowState {
    const cell = this.#tables.get(table)?.find(pk);
    return cell && this.controller.store.writer.core.confirmed(cell).row;
  }

  showing(table: string, pk: string): readonly string[] {
    const showing = new Showing(this.controller.store.writer.core, [[table, pk]]);
    return Array.from(this.controller.shown(), ({ key }) => key).filter((key) => showing.distance(key) !== undefined);
  }

  readonly invalidate = (table: string, pk: string): void => this.controller.store.invalidate({ key: table }, pk);

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  clear(): void {
    this.requests.length = 0;
    this.commits.length = 0;
    this.#rows = 0;
    this.#renders.entries.length = 0;
    this.#changes.clear();
    this.#noteChange();
  }

  #noteChange(): void {
    notifyEach(this.#listeners, undefined);
  }
}

/** Returns the data of an answer; `undefined` if its value cannot be built, which its readers report. */
function dataIfReadable(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function causeOf(action: Action): Cause | undefined {
  switch (action.type) {
    case actionTypes.SET:
      return { text: `set(${String((action.schema as { readonly key?: unknown }).key)})` };
    case actionTypes.SET_RESPONSE:
      return {
        text: action.error === true ? `the failure of ${action.key}` : `the answer of ${action.key}`,
        key: action.key,
      };
    case actionTypes.OPTIMISTIC:
      return { text: `the optimistic update of ${action.key}`, key: action.key };
    case actionTypes.RESET:
      return { text: 'a reset' };
    default:
      return undefined;
  }
}
