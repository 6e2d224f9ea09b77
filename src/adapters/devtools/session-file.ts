import { INVALID, type RowState } from '../../define/schema/row.ts';
import { RecordedSession, rowsIn } from './recorded-session.ts';
import type { CommitEntry, Session, SessionEntries, ShownEntry } from './session.ts';

/** Fields whose names contain one of these texts are not exported. */
const SECRETS = ['password', 'passwd', 'token', 'secret', 'authorization', 'cookie', 'apikey', 'api_key'];
const LEFT_OUT = '(left out)';

/** An exported session. Fixed format: files of users have it. */
interface SessionFile extends SessionEntries {
  readonly format: 'rejoin-session';
  readonly version: 1;
  readonly tables: readonly (readonly [
    table: string,
    rows: readonly (readonly [pk: string, row: RowState | null])[],
  ])[];
  readonly answers: readonly ShownEntry[];
}

/**
 * Exports a session as text, for bug reports. Fields whose names contain one of `secrets` are left out too, and so are texts with such fields in
 * JSON: the keys of requests contain their arguments, and changes contain short texts of values.
 */
export function sessionText(session: Session, secrets: readonly string[] = []): string {
  const words = [...SECRETS, ...secrets.map((word) => word.toLowerCase())];
  const isSecret = (name: string): boolean => words.some((word) => name.toLowerCase().includes(word));
  const { commits, renders, requests, relations } = session;
  const file = {
    format: 'rejoin-session',
    version: 1,
    tables: Array.from(rowsIn(session), ([name, rows]) => [name, [...rows]]),
    requests,
    commits,
    renders,
    relations,
    answers: session.shown(),
  };
  return JSON.stringify(file, (name, value: unknown) => {
    if (isSecret(name) || (typeof value === 'string' && hasField(value, words))) return LEFT_OUT;
    if (value === INVALID) return null;
    const { field } = Object(value) as { readonly field?: unknown };
    // The change of a field.
    if (typeof field === 'string' && isSecret(field)) return { ...Object(value), before: LEFT_OUT, after: LEFT_OUT };
    return typeof value === 'bigint' ? `${value}n` : value;
  });
}

/** Returns whether a text contains JSON with a field whose name contains one of these words. */
function hasField(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.some((word) =>
    lower
      .split(word)
      .slice(1)
      .some((rest) => rest[rest.indexOf('"') + 1] === ':'),
  );
}

/** Imports a session. Throws if the text is not an exported session. */
export function importedSession(text: string): RecordedSession {
  const file = JSON.parse(text) as Partial<SessionFile> | null;
  if (file?.format !== 'rejoin-session' || file.version !== 1)
    throw new TypeError('This is not a session of the Rejoin developer tools, or one of another version.');
  const { tables = [], commits = [], renders = [], requests = [], relations = [], answers = [] } = file;
  const rows = new Map(
    tables.map(([name, given]) => [name, new Map(given.map(([pk, row]) => [pk, stateOf(row)] as const))]),
  );
  return new RecordedSession({ rows, requests, renders, relations, answers, commits: commits.map(commitOf) });
}

function commitOf(commit: CommitEntry): CommitEntry {
  const { confirmed, rows } = commit;
  return { ...commit, rows: changesOf(rows), ...(confirmed && { confirmed: changesOf(confirmed) }) };
}

function changesOf(rows: CommitEntry['rows']): CommitEntry['rows'] {
  return rows.map((row) => ({ ...row, before: stateOf(row.before), after: stateOf(row.after) }));
}

/** `null` means that the record was deleted. */
function stateOf(row: RowState | null): RowState {
  return row === null ? INVALID : row;
}
