import { INVALID, type RowState } from '../../define/schema/row.ts';
import type { RelationOf } from '../../state/query/relations-of.ts';
import type {
  CommitEntry,
  RenderEntry,
  RequestEntry,
  RowLine,
  Session,
  SessionEntries,
  ShownEntry,
} from './session.ts';

/** The rows of each table by pk. */
export type RecordedTables = ReadonlyMap<string, ReadonlyMap<string, RowState>>;

/** The content of a recorded session. */
export interface Recorded extends SessionEntries {
  readonly answers: readonly ShownEntry[];
  readonly rows: RecordedTables;
  readonly until?: number;
}

/** An imported session, or a session as it was after a commit. It can be viewed, and never changes. */
export class RecordedSession implements Session {
  readonly requests: readonly RequestEntry[];
  readonly commits: readonly CommitEntry[];
  readonly renders: readonly RenderEntry[];
  readonly relations: readonly RelationOf[];
  readonly until?: number;
  readonly #answers: readonly ShownEntry[];
  readonly #rows: RecordedTables;

  constructor({ requests, commits, renders, relations, answers, rows, until }: Recorded) {
    this.requests = requests;
    this.commits = commits;
    this.renders = renders;
    this.relations = relations;
    this.#answers = answers;
    this.#rows = rows;
    if (until !== undefined) this.until = until;
  }

  shown(): readonly ShownEntry[] {
    return this.#answers;
  }

  tables(): ReadonlyMap<string, number> {
    const counts = Array.from(this.#rows, ([name, rows]) => [name, countOf(rows)] as const);
    return new Map(counts.filter(([, count]) => count > 0));
  }

  rowsOf(table: string): readonly RowLine[] {
    return Array.from(this.#rows.get(table) ?? [], ([pk, row]) => ({ pk, row }));
  }

  row(table: string, pk: string): RowState {
    return this.#rows.get(table)?.get(pk);
  }

  confirmed(table: string, pk: string): RowState {
    return this.row(table, pk);
  }

  showing(): readonly string[] {
    return [];
  }
}

function countOf(rows: ReadonlyMap<string, RowState>): number {
  let count = 0;
  for (const row of rows.values()) if (row !== INVALID) count++;
  return count;
}

/** Returns the rows of a session, table by table. */
export function rowsIn(session: Session): Map<string, Map<string, RowState>> {
  return new Map(
    Array.from(session.tables().keys(), (name) => [
      name,
      new Map(session.rowsOf(name).map(({ pk, row }) => [pk, row] as const)),
    ]),
  );
}

/** Returns the state after a commit of a session. It does not affect the page. */
export function sessionAt(session: Session, number: number): RecordedSession {
  const rows = rowsIn(session);
  for (const commit of session.commits.toReversed()) {
    if (commit.number <= number) break;
    for (const { table, pk, before } of commit.rows) {
      const known = rows.get(table) ?? new Map<string, RowState>();
      rows.set(table, known);
      if (before === undefined) known.delete(pk);
      else known.set(pk, before);
    }
  }
  const { commits, renders, requests, relations } = session;
  return new RecordedSession({ commits, renders, requests, relations, rows, answers: [], until: number });
}
