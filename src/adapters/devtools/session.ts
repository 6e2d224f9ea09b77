import type { RowState } from '../../define/schema/row.ts';
import type { RelationOf } from '../../state/query/relations-of.ts';
import type { RowChange } from '../../state/store/commit.ts';
import type { HookCall } from './hook-call.ts';
import type { ValueChange } from './value-changes.ts';

/** A request, from the moment it was issued. */
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

/** A commit: rows that changed together, and the cause. */
export interface CommitEntry {
  readonly number: number;
  readonly at: number;
  readonly cause: string;
  /** The request that caused it. */
  readonly request?: number;
  /** The changed rows as readers see them. */
  readonly rows: readonly RowChange[];
  /** The changed rows without optimistic updates. Absent if readers see the same. */
  readonly confirmed?: readonly RowChange[];
}

/** A render of a component that uses a hook. */
export interface RenderEntry {
  readonly number: number;
  readonly at: number;
  /** The component and the hook. */
  readonly call: HookCall;
  /** The request that the hook reads, or else the queryable. */
  readonly reads: string;
  /** `again`: the hook returned the same value, so the parent or the state of the component caused the render. */
  readonly reason: 'first' | 'changed' | 'again';
  readonly changes: readonly ValueChange[];
  readonly commit?: number;
}

/** An answer on the screen. */
export interface ShownEntry {
  readonly key: string;
  /** The commits that changed its value, the newest first. */
  readonly changes: readonly ShownChange[];
}

/** A commit that changed an answer on the screen, and what it changed. */
export interface ShownChange {
  readonly commit: CommitEntry;
  readonly changes: readonly ValueChange[];
}

/** A row in the list of a table. */
export interface RowLine {
  readonly pk: string;
  readonly row: RowState;
}

/** What happened in a session, and the relations of its model. */
export interface SessionEntries {
  readonly requests: readonly RequestEntry[];
  readonly commits: readonly CommitEntry[];
  readonly renders: readonly RenderEntry[];
  readonly relations: readonly RelationOf[];
}

/** The data that the panel shows: the present, an earlier state, or an imported session. */
export interface Session extends SessionEntries {
  /** The number of the commit after which this is the state. `undefined` for the latest state. */
  readonly until?: number;
  shown(): readonly ShownEntry[];
  /** The number of records of each table. */
  tables(): ReadonlyMap<string, number>;
  rowsOf(table: string): readonly RowLine[];
  row(table: string, pk: string): RowState;
  /** The row without optimistic updates. */
  confirmed(table: string, pk: string): RowState;
  /** The keys of the answers on the screen that contain a row. */
  showing(table: string, pk: string): readonly string[];
  /** Absent if the data cannot be changed. */
  readonly invalidate?: (table: string, pk: string) => void;
}
