import { INVALID, type Row } from '../../define/schema/row.ts';
import type { Stamp } from '../../define/schema/stamp.ts';
import type { Fields } from '../../std/plain.ts';
import { mark } from '../graph/mark.ts';
import { mergeFields } from '../normalize/combine.ts';
import { WriteLog } from '../normalize/write-log.ts';
import { ChangedPks } from '../tables/changed-pks.ts';
import { type ChangedRecord, withChangedRefs } from '../tables/changed-refs.ts';
import { fieldsWithPks } from '../tables/fields-with-pks.ts';
import type { Space } from '../tables/space.ts';
import { withVariants } from '../tables/row-variants.ts';
import { isRow, type RowCell, type Table } from '../tables/table.ts';
import type { StoreWriter } from './store-writer.ts';
import type { Ticket } from './tickets.ts';

/** An edit that has changed the pk of a record. */
export interface PkChange extends ChangedRecord {
  /** The fields of its present pk. */
  readonly fields: Fields;
  /** When the edit was issued. */
  readonly edited: number;
}

/** The rows that changed with a pk. `wasKnown`: they may have been about another record with the present pk. */
export interface ChangedRows {
  readonly rows: readonly RowCell[];
  readonly wasKnown: boolean;
}

/**
 * Changes the pk of a record: in its table, and in every row that refers to it. From then on, the former pk is that of a deleted record, until
 * an answer contains another record with it. Returns the rows that it has changed, and whether a record with the present pk was known before.
 */
export function changePk(writer: StoreWriter, change: PkChange): ChangedRows {
  const { core } = writer;
  const { space } = core.reading;
  writer.removeDeletedFromCollections();
  const table = space.table(change.table);
  const before = table.find(change.from);
  if (before === undefined || !isRow(core.confirmed(before).row)) return { rows: [], wasKnown: false };
  const after = table.cellOf(change.to);
  const wasShown = isRow(core.confirmed(after).row);
  const ticket = core.tickets.next();
  const log = new WriteLog(core.covered);
  core.runBatch((batch) => {
    // Guesses that are made again may read the record.
    batch.onUndo(noteChange(table, change, ticket, wasShown));
    moveRow(log, before, after, change, ticket);
    const owned = fieldsWithPks(space, change.table);
    for (const one of space.tables.values()) changeRefs(space, one, change, owned.get(one.name) ?? [], log);
    for (const [name, fields] of owned)
      for (const field of fields) (space.table(name).aliases.owners ??= new Map()).set(field, table.aliases);
    writer.apply(log, batch);
    core.takePlace(after, before, wasShown);
    // A value knows its React key, so it is built again, even if another record with this pk had the same content.
    for (const one of [...withVariants(before), ...withVariants(after)]) one.noteReplaced();
    mark(after, batch.toNotify);
    changeResults(writer, change);
  });
  return { rows: log.cells, wasKnown: wasShown };
}

function moveRow(log: WriteLog, before: RowCell, after: RowCell, { fields }: PkChange, ticket: Ticket): void {
  const { row, stamp } = log.confirmed(before);
  const moved = { ...(row as Row), ...fields };
  const { row: known } = log.confirmed(after);
  if (!isRow(known)) log.put(after, moved, stamp);
  else mergeFields(after, known, moved, { log, stamp: stamp as Stamp, isOvertaking: true }, undefined);
  log.put(before, INVALID, { ...ticket, date: ticket.fetchedAt, expiresAt: Number.POSITIVE_INFINITY });
}

/** Changes the references in the rows of a table. `owned`: the fields in which a relation finds the pk of the record. */
function changeRefs(space: Space, table: Table, change: PkChange, owned: readonly string[], log: WriteLog): void {
  if (!table.hasReader) return;
  const { planOf } = space;
  const list = table.collection && planOf(table.collection.schema);
  const entity = list === undefined ? planOf(space.entityOf(table)) : undefined;
  const refs = entity?.kind === 'entity' ? entity.current.refs : [];
  for (const cell of table.cells.values()) {
    const { row, stamp } = log.confirmed(cell);
    if (!isRow(row)) continue;
    let next = list === undefined ? row : (withChangedRefs(list, row, change, planOf) as Row);
    const set = (name: string, value: unknown): void => {
      if (value !== Reflect.get(row, name)) next = { ...next, [name]: value };
    };
    for (const { name, plan } of refs) set(name, withChangedRefs(plan, Reflect.get(row, name), change, planOf));
    for (const name of owned) {
      const pk: unknown = Reflect.get(row, name);
      if (String(pk) === change.from) set(name, change.to);
    }
    if (next === row) continue;
    log.put(cell, next, stamp);
    if (list !== undefined) space.unlinked.add(cell);
  }
}

/** Notes the former pk for answers of earlier requests, and the React key of the record. Returns an undo function. */
function noteChange(table: Table, { from, to, edited }: PkChange, { issue }: Ticket, wasShown: boolean): () => void {
  const { aliases } = table;
  const changed = (aliases.changed ??= new ChangedPks());
  const temporaries = aliases.temporariesOf(from);
  const key = changed.keyOf(from) ?? temporaries[0] ?? from;
  const undo = changed.add(from, { to, issue, edited }, wasShown ? undefined : key);
  for (const temporary of temporaries) aliases.set(temporary, to);
  return () => {
    undo();
    for (const temporary of temporaries) aliases.set(temporary, from);
  };
}

/** Changes the references in the answers of requests. */
function changeResults(writer: StoreWriter, change: PkChange): void {
  const { reading, states } = writer.core;
  const { planOf } = reading.space;
  for (const [key, { results, note }] of [...states.entries()]) {
    const next = results.map((result) => {
      const stored = withChangedRefs(planOf(result.schema), result.stored, change, planOf);
      return stored === result.stored ? result : { ...result, stored };
    });
    if (next.some((result, at) => result !== results[at])) writer.setRequest(key, { results: next, note });
  }
}
