import type { TextDisk } from '../harness/text-disk.mjs';

/**
 * The features that the rows use of a library. Each file of this folder exports one or more of these objects.
 * A library that lacks a feature leaves the member out.
 */
export interface Peer {
  /** Whether its engine takes text that is not parsed yet. */
  takesText?: boolean;
  /** S1–S5, S10: takes the response of `GET /posts`, and returns the posts with their authors and comments. */
  engine?(): Engine;
  /** S6: `count` rows, each with a mounted reader of its own. */
  readers?(rows: readonly Row[]): Readers | Promise<Readers>;
  /**
   * S7: the 20 currencies with the highest volume of their joined stats. If there are several queries, each reads the
   * tenth of the currencies whose tier is the number of the query modulo 10.
   */
  liveTop?(given: {
    currencies: readonly Currency[];
    stats: readonly Stats[];
    queries: number;
  }): LiveTop | Promise<LiveTop>;
  /** Whether `liveTop` is fast enough to be measured with every stream and with many queries at once. */
  manyStreams?: boolean;
  /** S8: a shown list. */
  list?(rows: readonly Row[]): List | Promise<List>;
  /** S2c, S12: fetches the response of `GET /posts`, and shows it. */
  client?(): Client;
  /** S6c: the same as `readers`, through the functions of the library that fetch, write and watch. */
  watchers?(rows: readonly Row[]): Watchers | Promise<Watchers>;
  /** S9c: the same as `pending`, where each guess belongs to a mutation that the server does not answer. */
  pendingMutations?(rows: readonly Row[], guesses: readonly Partial<Row>[]): Promise<Mutating>;
  /** S18: rows that are saved on a disk. */
  saved?(rows: readonly Row[], disk: TextDisk): Promise<Saved>;
  /** S18: the next start, which reads the disk. */
  restored?(disk: TextDisk): Promise<{ read(id: string): string | undefined }>;
  /** S9: a table of rows with the given guesses pending, one layer each. */
  pending?(rows: readonly Row[], guesses: readonly Partial<Row>[]): Pending | Promise<Pending>;
}

export interface Saved {
  /** Changes a row. Resolves when the change is on the disk. */
  change(id: string, title: string): Promise<void>;
  end(): void;
}
export interface Engine {
  write(response: unknown): void;
  read(): readonly unknown[];
  changePost(id: string, title: string): void;
  changeUser(id: string, name: string): void;
  /** Calls back when the result of `read` has changed. Left out if the library also calls back at other times. */
  watch?(onChange: () => void): void;
}
export interface Client {
  /** Resolves when the response can be read. */
  fetch(response: unknown): Promise<unknown>;
  read(): readonly unknown[];
  watch?(onChange: () => void): void;
  /** The number of records that can be read. */
  rows?(): number;
}
export interface Watchers {
  write(id: string, title: string): Promise<void> | void;
  seen(index: number): string;
}
export interface Mutating {
  write(id: string, title: string): Promise<void>;
  read(id: string): string | undefined;
}
export interface Readers {
  /** Changes one row. When it returns, every notified reader has read again. */
  write(id: string, title: string): void;
  /** The title that the reader of this row has read last. */
  seen(index: number): string;
}
export interface LiveTop {
  /** Changes one volume. When it returns, the results are up to date. */
  update(statsId: string, volume: number): void;
  /** The ids of the currencies that a query shows, best first. */
  top(query: number): readonly string[];
}
export interface List {
  push(row: Row): void;
  /** `at` is the index of the row, for libraries that cannot find the row otherwise. */
  remove(id: string, at: number): void;
  /** The shown rows. */
  read(): readonly { id: string; title: string }[];
}
export interface Pending {
  write(id: string, title: string): void;
  read(id: string): string | undefined;
}

export interface Row {
  id: string;
  title: string;
  done: boolean;
  rank: number;
  updatedAt: string;
}
export interface Currency {
  id: string;
  name: string;
  tier: number;
}
export interface Stats {
  id: string;
  volume: number;
  price: number;
}
