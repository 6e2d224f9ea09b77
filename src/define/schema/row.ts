import type { Stamp } from './stamp.ts';

/** The content of a table for a deleted record, and the value of a record that is not valid. */
export const INVALID: unique symbol = Symbol('INVALID');
export type Invalid = typeof INVALID;

/** The content of a cell: a row, INVALID if the row was deleted, or `undefined` if there was never one. */
export type RowState = Row | Invalid | undefined;

/** A row of a table: a plain record, or the members of a collection. */
export type Row = object;

/** The merge rules of a schema that has rows: Entity, Collection, Scalar. */
export interface TableSchema {
  readonly key: string;
  merge(existing: never, incoming: never): unknown;
  mergeWithStore(existingMeta: Stamp, incomingMeta: Stamp, existing: never, incoming: never): unknown;
  mergeMetaWithStore(existingMeta: Stamp, incomingMeta: Stamp, existing: never, incoming: never): Stamp;
  /**
   * Returns the stamp of the first row, if it differs from that of the write.
   *
   * @internal
   */
  firstMeta?(meta: Stamp, row: Row): Stamp;
  /**
   * Returns whether an answer comes too late for the row, which then stays, and the result of the request too.
   *
   * @internal
   */
  isLate?(known: Stamp, incoming: Stamp): boolean;
  /**
   * For rules that edit a row, whatever it contains: applies their edits to other rows.
   *
   * @internal
   */
  readonly repeat?: RepeatEdits | undefined;
}

/** An edit of a row: the merged data, and how to merge it again. */
export interface RowEdit {
  readonly repeat: RepeatEdits;
  readonly incoming: Row;
  /** When the mutation of the guess was issued. */
  readonly issue?: number | undefined;
}

/** A kind of edit. Edits with the same `over` are applied at once. */
export interface RepeatEdits {
  /** Returns a row with edits applied in order. Absent for the edits of the members of lists, which the store applies. */
  readonly over?: (row: Row, edits: readonly RowEdit[]) => Row;
  /** Whether the result depends on other rows, such as those of the members of a list. */
  readonly readsRows?: boolean;
  /** Whether an edit that is applied twice has the same result as if it was applied once. */
  readonly isOnce?: boolean;
}

/** A row with its stamp. */
export interface StampedRow {
  readonly row: Row | Invalid | undefined;
  readonly stamp: Stamp | undefined;
}

/** A stored collection. */
export interface StoredCollection {
  readonly pk: string;
  readonly row: Row;
  /** The key object whose JSON is the pk. */
  readonly args: Readonly<Record<string, unknown>>;
  /** When the collection was requested as a whole. */
  readonly issue: number;
}

/** A record that a write changed. Without `after`, the write deleted it. Without `before`, a mutation changed it, and it was not stored. */
export interface RecordChange {
  readonly table: string;
  readonly pk: string;
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

/** Returns a text that no other row has, whatever characters tables and pks contain. */
export function rowName(table: string, pk: string): string {
  return `${table.length} ${table}${pk}`;
}

/** A table and a pk. */
export interface TableRef {
  readonly table: string;
  readonly pk: string;
}
