import { INVALID } from '../../define/schema/row.ts';
import type { Stamp } from '../../define/schema/stamp.ts';
import { copyPlain } from '../../std/plain.ts';
import type { Note, Result } from '../store/request-state.ts';
import { aliasesOf, invalidatedOf, nestedFieldsOf, type StoredRow } from '../store/restore.ts';
import type { Store } from '../store/store.ts';
import {
  type Dehydrated,
  type DehydratedRow,
  type DehydratedTimes,
  type DehydratedVersion,
  DEEPEST_STORED,
} from './dehydrated.ts';

/** Returns the confirmed content of a store as plain JSON. Guesses are not included, because their mutations belong to this session. */
export function dehydrate(store: Store): Dehydrated {
  const tables = new Map<string, DehydratedRow[]>();
  for (const stored of store.rows()) {
    const rows = tables.get(stored.table) ?? [];
    rows.push(dehydrateRow(stored));
    tables.set(stored.table, rows);
  }
  const results = [...store.requests()].flatMap(
    ([
      key,
      {
        results: [result],
        note,
      },
    ]) => (result === undefined ? [] : [dehydrateResult(key, result, note)]),
  );
  const relations = [...nestedFieldsOf(store.writer)];
  const aliases = Array.from(aliasesOf(store.writer), ({ table, temporary, pk }) => [table, temporary, pk] as const);
  const invalidated = [...invalidatedOf(store.writer)];
  const versions = [...store.requests()].flatMap(([key, { note }]) => dehydrateVersions(key, note));
  return {
    format: 'rejoin',
    version: 1,
    tables: [...tables],
    results,
    ...(relations.length > 0 && { relations }),
    ...(aliases.length > 0 && { aliases }),
    ...(invalidated.length > 0 && { invalidated }),
    ...(versions.length > 0 && { versions }),
  };
}

export function dehydrateRow({
  pk,
  row,
  stamp,
}: StoredRow): readonly [pk: string, row: object | null, ...DehydratedTimes] {
  return [pk, row === INVALID ? null : (copyPlain(row, DEEPEST_STORED) as object), ...timesOf(stamp)];
}

/** Returns a result with the freshness that the note of its request gives it. */
export function dehydrateResult(
  key: string,
  { stored, args, stamp }: Result,
  note: Note | undefined,
): readonly [key: string, stored: unknown, args: readonly unknown[], ...DehydratedTimes] {
  const noted = note?.expiresAt === undefined ? stamp : { ...stamp, date: note.since, expiresAt: note.expiresAt };
  const times = timesOf(note?.isExpired === true ? { ...noted, expiresAt: 0 } : noted);
  return [key, copyPlain(stored, DEEPEST_STORED), copyPlain(args) as readonly unknown[], ...times];
}

/** Returns the version of a result, or that which a mutation has made since, in a list; an empty list if there is none. */
export function dehydrateVersions(key: string, note: Note | undefined): readonly DehydratedVersion[] {
  const version = note?.written ?? note?.version;
  return version === undefined ? [] : [[key, copyPlain(version) as object]];
}

function timesOf({ fetchedAt, date, expiresAt }: Stamp): DehydratedTimes {
  return [fetchedAt, date, Number.isFinite(expiresAt) ? expiresAt : null];
}
