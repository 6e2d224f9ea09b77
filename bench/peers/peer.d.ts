import type { TextDisk } from '../harness/text-disk.mjs';

/**
 * What a library has to be able to do to take part in a row. Each file of this folder exports one or more of these;
 * a library that has no such feature leaves the member out.
 */
export interface Peer {
  /** Its engine takes text that is not parsed yet. */
  takesText?: boolean;
  /** S1–S5, S10: takes the response of `GET /posts`, gives the posts with their authors and comments. */
  engine?(): Engine;
  /** S6: `count` rows, each with a mounted reader of its own. */
  readers?(rows: readonly Row[]): Readers | Promise<Readers>;
  /**
   * S7: the 20 currencies with the highest volume of their joined stats. Of several queries at once, each looks at the
   * tenth of the currencies whose tier is its number modulo 10.
   */
  liveTop?(given: {
    currencies: readonly Currency[];
    stats: readonly Stats[];
    queries: number;
  }): LiveTop | Promise<LiveTop>;
  /** Whether `liveTop` is fast enough to be timed on every stream and on many queries at once. */
  manyStreams?: boolean;
  /** S8: a list that is shown. */
  list?(rows: readonly Row[]): List | Promise<List>;
  /** S2c, S12: fetches the response of `GET /posts`, and shows it. */
  client?(): Client;
  /** S6c: as `readers`, with the library's own way to fetch, write and watch around it. */
  watchers?(rows: readonly Row[]): Watchers | Promise<Watchers>;
  /** S9c: as `pending`, where each guess is that of a mutation whose server does not answer. */
  pendingMutations?(rows: readonly Row[], guesses: readonly Partial<Row>[]): Promise<Mutating>;
  /** S18: rows that are saved on a disk. */
  saved?(rows: readonly Row[], disk: TextDisk): Promise<Saved>;
  /** S18: the next start: reads what is on the disk. */
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
  /** Calls back when what `read` gives changed. Only where the library promises to stay silent otherwise. */
  watch?(onChange: () => void): void;
}
export interface Client {
  /** Resolves when the response can be read. */
  fetch(response: unknown): Promise<unknown>;
  read(): readonly unknown[];
  watch?(onChange: () => void): void;
  /** How many records can be read. */
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
  /** Changes one row; every reader that the library wakes has read again when this returns. */
  write(id: string, title: string): void;
  /** The title that the reader of this row saw last. */
  seen(index: number): string;
}
export interface LiveTop {
  /** Changes one volume; the answers are up to date when this returns. */
  update(statsId: string, volume: number): void;
  /** The ids of the currencies that a query shows, best first. */
  top(query: number): readonly string[];
}
export interface List {
  push(row: Row): void;
  /** `at` is where the row stands, for who has no other way to find it. */
  remove(id: string, at: number): void;
  /** The rows shown. */
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
