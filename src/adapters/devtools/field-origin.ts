import type { CommitEntry, Session } from './session.ts';
import { fieldsOf } from './row-diff.ts';

/** The origin of a field. */
export interface FieldOrigin {
  /** The commit that set the value that readers see. */
  readonly shown?: CommitEntry;
  /** Under an optimistic update: the confirmed value and its commit. */
  readonly under?: { readonly value: unknown; readonly commit?: CommitEntry };
}

/** Returns the origin of each field of a row, as far back as commits are kept. */
export function originsOf(session: Session, table: string, pk: string): (field: string) => FieldOrigin {
  const { commits, until = Number.POSITIVE_INFINITY } = session;
  const known = commits.filter(({ number }) => number <= until).toReversed();
  const rowIn = (rows: CommitEntry['rows']): CommitEntry['rows'][number] | undefined =>
    rows.find((row) => row.table === table && row.pk === pk);
  const shown = known.flatMap((commit) => {
    const row = rowIn(commit.rows);
    return row ? [{ commit, row }] : [];
  });
  const confirmed = known.flatMap((commit) => {
    const row = rowIn(commit.confirmed ?? commit.rows);
    return row ? [{ commit, row }] : [];
  });
  const latest = (changes: typeof shown, field: string): CommitEntry | undefined =>
    changes.find(({ row }) => fieldsOf(row.before)?.[field] !== fieldsOf(row.after)?.[field])?.commit;
  const seen = fieldsOf(session.row(table, pk));
  const below = fieldsOf(session.confirmed(table, pk));
  return (field) => {
    const commit = latest(shown, field);
    const under = latest(confirmed, field);
    return {
      ...(commit && { shown: commit }),
      ...(seen?.[field] !== below?.[field] && { under: { value: below?.[field], ...(under && { commit: under }) } }),
    };
  };
}
