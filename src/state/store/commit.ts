import type { RowState } from '../../define/schema/row.ts';
import { callListener } from '../../std/listeners.ts';
import type { RowCell } from '../tables/table.ts';
import type { RequestState } from './request-state.ts';

/** A row before and after a commit. */
export interface RowChange {
  readonly table: string;
  readonly pk: string;
  readonly before: RowState;
  readonly after: RowState;
}

/** A request key with its state before and after a commit. */
export interface RequestChange {
  readonly key: string;
  readonly before: RequestState | undefined;
  readonly after: RequestState | undefined;
}

/** All changes of one batch. Immutable. */
export interface Commit {
  /** Changes of confirmed rows. */
  readonly rows: readonly RowChange[];
  /** Changes of rows as readers see them. Without optimistic layers the same as `rows`. */
  readonly shown: readonly RowChange[];
  readonly requests: readonly RequestChange[];
  /** Rows that were written again with the same content: `before` is `after`. Only in a store that exchanges commits, or if a listener needs them. */
  readonly confirmed?: readonly RowChange[];
}

/** Returns the rows that a commit lets readers see: those that it changed, and those that it confirmed. */
export function rowsSeen({ shown, confirmed }: Commit): readonly RowChange[] {
  return confirmed === undefined ? shown : [...shown, ...confirmed];
}

/** Returns a change from a row to itself. */
export function unchanged(table: string, pk: string, row: RowState): RowChange {
  return { table, pk, before: row, after: row };
}

/** Returns rows and requests as they are at the end of a batch. */
export interface CommitEnd {
  /** Returns the confirmed row of a cell. */
  row(cell: RowCell): RowState;
  request(key: string): RequestState | undefined;
  /** Whether the store exchanges commits with others. */
  isExchanged(): boolean;
}

/** Records the rows and requests from before a batch, if there are listeners, and notifies the listeners at its end. */
export class Commits {
  readonly #end: CommitEnd;
  /** The listeners, each with a function that returns whether it needs the confirmed rows of the present batch. */
  readonly #listeners = new Map<(commit: Commit) => void, () => boolean>();
  /** The last commit, for each listener that does not know it yet. */
  readonly #unsent: (readonly [listener: (commit: Commit) => void, commit: Commit])[] = [];
  readonly #rows = new Map<RowCell, RowState>();
  readonly #shown = new Map<RowCell, RowState>();
  readonly #requests = new Map<string, RequestState | undefined>();
  readonly #confirmed = new Set<RowCell>();

  constructor(end: CommitEnd) {
    this.#end = end;
  }

  listen(listener: (commit: Commit) => void, needsConfirmed: () => boolean = never): () => void {
    const own = (commit: Commit): void => listener(commit);
    this.#listeners.set(own, needsConfirmed);
    return () => void this.#listeners.delete(own);
  }

  noteRow(cell: RowCell, before: RowState): void {
    if (this.#listeners.size > 0) note(this.#rows, cell, before);
  }

  noteShown(cell: RowCell, before: RowState): void {
    if (this.#listeners.size > 0) note(this.#shown, cell, before);
  }

  noteRequest(key: string, before: RequestState | undefined): void {
    if (this.#listeners.size > 0) note(this.#requests, key, before);
  }

  /** Whether rows that are confirmed now have to be noted. */
  get needsConfirmed(): boolean {
    if (this.#end.isExchanged()) return this.#listeners.size > 0;
    for (const needs of this.#listeners.values()) if (needs()) return true;
    return false;
  }

  /** Notes a row that was written again with the same content. */
  noteConfirmed(cell: RowCell): void {
    this.#confirmed.add(cell);
  }

  /** Reports the net changes. Parts of a batch may have been undone, or may have restored the former state. */
  send(): void {
    if (this.#rows.size + this.#shown.size + this.#requests.size + this.#confirmed.size > 0) this.#sendChanges();
  }

  #sendChanges(): void {
    const rows = changes(this.#rows, (cell) => this.#end.row(cell));
    const shown = changes(this.#shown, (cell) => cell.row);
    const requests: RequestChange[] = [];
    for (const [key, before] of this.#requests) {
      const after = this.#end.request(key);
      if (before !== after) requests.push({ key, before, after });
    }
    this.#rows.clear();
    this.#shown.clear();
    this.#requests.clear();
    const confirmed = this.#takeConfirmed();
    const isAny = rows.length + shown.length + requests.length + confirmed.length > 0;
    const commit: Commit = { rows, shown, requests, ...(confirmed.length > 0 && { confirmed }) };
    if (isAny) for (const listener of this.#listeners.keys()) this.#unsent.push([listener, commit]);
    this.sendRest();
  }

  /** Readers do not see a confirmed row below a guess. */
  #takeConfirmed(): RowChange[] {
    const cells = Array.from(this.#confirmed);
    this.#confirmed.clear();
    const sent = this.#end.isExchanged() ? cells : cells.filter((cell) => cell.row === this.#end.row(cell));
    return sent.map(({ table, pk, row }) => unchanged(table.name, pk, row));
  }

  /** Ends the sending of the last commit. Also called when one of the listeners writes, so that all of them get the commits in order. */
  sendRest(): void {
    for (let next = this.#unsent.shift(); next !== undefined; next = this.#unsent.shift()) {
      const [listener, commit] = next;
      if (this.#listeners.has(listener)) callListener(listener, commit);
    }
  }
}

function never(): boolean {
  return false;
}

/** Keeps the first noted value. */
function note<Key, Before>(noted: Map<Key, Before>, key: Key, before: Before): void {
  if (!noted.has(key)) noted.set(key, before);
}

function changes(noted: ReadonlyMap<RowCell, RowState>, now: (cell: RowCell) => RowState): RowChange[] {
  const changed: RowChange[] = [];
  for (const [cell, before] of noted) {
    const after = now(cell);
    if (before !== after) changed.push({ table: cell.table.name, pk: cell.pk, before, after });
  }
  return changed;
}
