import type { ComponentType, ReactNode } from 'react';

/**
 * The features that the benchmark uses of a library. Each file of `peers/` exports one of these objects as `peer`. A library that
 * lacks a feature leaves the member out, and has no figure for it. Each call returns a store of its own.
 */
export interface Peer {
  /** Rows, each shown by a component with a hook of its own. */
  rows(rows: readonly Row[]): Provided & Rows;
  /** The same rows as one list. */
  list(rows: readonly Row[]): Provided & List;
  /** Users that have posts, and posts that have authors, in a circle. */
  graph?(records: { users: readonly object[]; posts: readonly object[] }): Provided & Graph;
  /** Issues for which a component suspends. `get` is called once, and is answered when the page says so. */
  suspending(server: { get(): Promise<readonly Issue[]> }): Provided & { useIssues(): readonly Issue[] };
  /** Whether `issues` can also show changes by fetching its lists again, as the documentation of the library recommends. */
  readonly canRefetch?: boolean;
  /**
   * An issue tracker. `isGuessing`: a change is shown before the server answers. `isMoving`: only
   * `move` will be called. `isRefetching`: a change fetches the lists again.
   */
  issues(server: Server, given: { isGuessing: boolean; isMoving: boolean; isRefetching?: boolean }): Provided & Issues;
}

interface Provided {
  readonly Provider: ComponentType<{ children: ReactNode }>;
  /** Called when the provider is mounted, before data is shown. */
  load?(): unknown;
  dispose?(): void;
}
interface Rows {
  useRow(id: string): Row;
  write(row: Row): unknown;
  /** Changes several rows at once, in the fastest way of the library. */
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
  /** Fetches the issues. `undefined` until they have arrived. */
  useIssues(state: 'open' | 'closed'): readonly Issue[] | undefined;
  /** One issue, also one that is in no list. It is fetched if it is missing. */
  useIssue(id: string, state: 'open' | 'closed'): Issue | undefined;
  update(change: { id: string; title: string; record: Issue }): unknown;
  rename(user: Issue['user']): unknown;
  unshift(issue: Issue): unknown;
  remove(id: string): unknown;
  /** Moves an issue from one list to the end of the other. */
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
