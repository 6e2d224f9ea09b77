import { rowName } from '../../define/schema/row.ts';
import type { AddedPages, Stamp } from '../../define/schema/stamp.ts';
import { copyPlain } from '../../std/plain.ts';
import { deletionOf, fieldIssues, wholeOf } from '../normalize/field-order.ts';
import type { Commit } from '../store/commit.ts';
import { partsOfIssue } from '../store/issue-parts.ts';
import { aliasesOf, nestedFieldsOf, storedRow } from '../store/restore.ts';
import type { Store } from '../store/store.ts';
import { dehydrateResult, dehydrateRow, dehydrateVersions } from './dehydrate.ts';
import type {
  DehydratedCommit,
  DehydratedOrder,
  DehydratedPage,
  DehydratedResult,
  DehydratedRow,
  DehydratedVersion,
} from './dehydrated.ts';

/**
 * Returns the changes of a commit as plain JSON, for `applyCommit` of another store. Call it in `onCommit`. Rows that were only removed to
 * save memory, and guesses, are not included.
 */
export function dehydrateCommit(store: Store, commit: Commit, session: string = ''): DehydratedCommit {
  const tables = new Map<string, (readonly [...DehydratedRow, DehydratedOrder])[]>();
  const changed = new Map(
    [...commit.rows, ...(commit.confirmed ?? [])].map((row) => [rowName(row.table, row.pk), row]),
  );
  for (const { table, pk } of changed.values()) {
    const stored = storedRow(store.writer, table, pk);
    if (stored === undefined) continue;
    const rows = tables.get(table) ?? [];
    rows.push([...dehydrateRow(stored), orderOf(stored.stamp)]);
    tables.set(table, rows);
  }
  const results: (readonly [...DehydratedResult, DehydratedOrder])[] = [];
  const invalidated: string[] = [];
  const versions: DehydratedVersion[] = [];
  for (const { key } of commit.requests) {
    const { results: [result] = [], note } = store.request(key) ?? {};
    if (note?.isInvalidated === true) invalidated.push(key);
    if (result === undefined) continue;
    results.push([...dehydrateResult(key, result, note), orderOf(result.stamp)]);
    versions.push(...dehydrateVersions(key, note));
  }
  return {
    format: 'rejoin',
    version: 1,
    session,
    latest: partsOfIssue(store.writer.core.tickets.last),
    tables: [...tables],
    results,
    invalidated,
    ...(versions.length > 0 && { versions }),
    relations: [...nestedFieldsOf(store.writer)].filter(([table]) => tables.has(table)),
    aliases: [...aliasesOf(store.writer)]
      .filter(({ table, pk }) => changed.has(rowName(table, pk)))
      .map(({ table, temporary, pk }) => [table, temporary, pk]),
  };
}

function orderOf(stamp: Stamp): DehydratedOrder {
  const fields = fieldIssues(stamp);
  const deletion = deletionOf(stamp);
  const whole = wholeOf(stamp);
  const { pages } = stamp;
  return {
    at: partsOfIssue(stamp.issue),
    ...(fields && { fields: Array.from(fields, ([name, issue]) => [name, partsOfIssue(issue)] as const) }),
    ...(deletion > 0 && { deletion: partsOfIssue(deletion) }),
    ...(whole >= 0 && { whole: partsOfIssue(whole) }),
    ...(stamp.sent !== undefined && { sent: partsOfIssue(stamp.sent) }),
    ...(pages && {
      pages: [partsOfIssue(pages.without), partsOfIssue(pages.arrived), ...pages.added.map(dehydratePage)],
    }),
  };
}

function dehydratePage([issue, members]: AddedPages['added'][number]): DehydratedPage {
  return [partsOfIssue(issue), copyPlain(members) as readonly unknown[]];
}
