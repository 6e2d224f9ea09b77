import type { RowState } from '../../define/schema/schema.ts';
import type { RelationOf } from '../../state/query/relations-of.ts';
import type { RowChange } from '../../state/store/commit.ts';
import type { HookPlace } from './hook-place.ts';
import type { ValueChange } from './value-changes.ts';

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
  /** The request that it belongs to. */
  readonly request?: number;
  /** As readers see them. */
  readonly rows: readonly RowChange[];
  /** Without optimistic updates. Left out where readers see the same. */
  readonly confirmed?: readonly RowChange[];
}

/** A render of a component that reads by a hook. */
export interface RenderEntry {
  readonly number: number;
  readonly at: number;
  /** The component, and the hook that it reads by. */
  readonly place: HookPlace;
  /** The request that is read; without one, what is read of the store. */
  readonly reads: string;
  /** `again` says that what the hook gives was the same: the component was rendered by its parent or by its own state. */
  readonly reason: 'first' | 'changed' | 'again';
  readonly changes: readonly ValueChange[];
  readonly commit?: number;
}

/** An answer that is on the screen. */
export interface ShownEntry {
  readonly key: string;
  /** The commits that gave it another value, the newest first. */
  readonly changes: readonly ShownChange[];
}

export interface ShownChange {
  readonly commit: CommitEntry;
  readonly changes: readonly ValueChange[];
}

export interface RowLine {
  readonly pk: string;
  readonly row: RowState;
}

/** What the panel shows: what happens now, a state of before, or a session from elsewhere. */
export interface Session {
  readonly requests: readonly RequestEntry[];
  readonly commits: readonly CommitEntry[];
  readonly renders: readonly RenderEntry[];
  readonly relations: readonly RelationOf[];
  /** The number of the commit whose state this is; none where it is the latest. */
  readonly until?: number;
  shown(): readonly ShownEntry[];
  /** How many records each table has. */
  tables(): ReadonlyMap<string, number>;
  rowsOf(table: string): readonly RowLine[];
  row(table: string, pk: string): RowState;
  /** The row without optimistic updates. */
  confirmed(table: string, pk: string): RowState;
  /** The keys of the answers on the screen that contain a row. */
  showing(table: string, pk: string): readonly string[];
  /** Left out where it can only be looked at. */
  readonly invalidate?: (table: string, pk: string) => void;
}
