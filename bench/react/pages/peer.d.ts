import type { ComponentType, ReactNode } from 'react';

/**
 * What a library has to be able to do to take part. Each file of `peers/` exports one of these as `peer`; a library that
 * has no such feature leaves the member out, and has no figure there. Each call gives a store of its own.
 */
export interface Peer {
  /** Rows, each of which is shown by a component with a hook of its own. */
  rows(rows: readonly Row[]): Provided & Rows;
  /** The same rows as one list. */
  list(rows: readonly Row[]): Provided & List;
  /** Users that have posts, and posts that have authors, in a circle. */
  graph?(records: { users: readonly object[]; posts: readonly object[] }): Provided & Graph;
  /** Issues that a component suspends for. `get` is called once, and answered when the page says so. */
  suspending(server: { get(): Promise<readonly Issue[]> }): Provided & { useIssues(): readonly Issue[] };
  /** Whether `issues` can also show changes by asking for its lists again, as its documents teach it. */
  readonly canRefetch?: boolean;
  /**
   * An issue tracker. `isGuessing`: what a change will do is shown before the server answers. `isMoving`: nothing but
   * `move` will be called. `isRefetching`: a change asks for the lists again.
   */
  issues(server: Server, given: { isGuessing: boolean; isMoving: boolean; isRefetching?: boolean }): Provided & Issues;
}

interface Provided {
  readonly Provider: ComponentType<{ children: ReactNode }>;
  /** Called once the provider is mounted, before anything is shown. */
  load?(): unknown;
  dispose?(): void;
}
interface Rows {
  useRow(id: string): Row;
  write(row: Row): unknown;
  /** Several at once, as the library does that best. */
  writeAll(rows: readonly Row[]): unknown;
}
interface List {
  useList(): readonly Row[];
  write(row: Row): unknown;
}
interface Graph {
  usePosts(): readonly object[];
  rename(id: string, name: string): unknown;
}
interface Issues {
  /** `undefined` until they have come; they are asked for. */
  useIssues(state: 'open' | 'closed'): readonly Issue[] | undefined;
  /** One of them, or of those that are in no list; asked for where it is not there. */
  useIssue(id: string, state: 'open' | 'closed'): Issue | undefined;
  update(change: { id: string; title: string; record: Issue }): unknown;
  rename(user: Issue['user']): unknown;
  unshift(issue: Issue): unknown;
  remove(id: string): unknown;
  /** From one list to the end of the other. */
  move(issue: Issue): unknown;
}

interface Server {
  get(name: string): Promise<unknown>;
  change(record: object): Promise<unknown>;
}
interface Row {
  id: string;
  title: string;
  rank: number;
}
interface Issue {
  id: string;
  title: string;
  state: 'open' | 'closed';
  user: { id: string; login: string };
}
