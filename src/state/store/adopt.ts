import type { EntityInterface } from '../../define/schema/entity.ts';
import type { Row } from '../../define/schema/row.ts';
import type { Stamp } from '../../define/schema/stamp.ts';
import type { WriteInProgress } from '../normalize/write-in-progress.ts';
import { Normalizer } from '../normalize/normalizer.ts';
import { isNormalized } from '../tables/normalized.ts';
import type { Space } from '../tables/space.ts';
import type { Covered } from '../normalize/write-log.ts';
import { isRow, type RowCell, type Table } from '../tables/table.ts';
import { abandonWalk } from './row-recorder.ts';

type CarryOut = (stamp: Stamp, run: (writing: WriteInProgress) => void) => void;

/** Stores the records that are nested in confirmed rows. Each gets the age of the row that contained it. */
export function adoptAll(space: Space, confirmed: (cell: RowCell) => Covered, carryOut: CarryOut): void {
  const tables = [...space.unadopted];
  space.unadopted.clear();
  for (const table of tables) adopt(space, table, confirmed, carryOut);
}

function adopt(space: Space, table: Table, confirmed: (cell: RowCell) => Covered, carryOut: CarryOut): void {
  const entity = space.entityOf(table);
  for (const cell of [...table.cells.values()]) {
    const { row, stamp } = confirmed(cell);
    if (!isRow(row) || stamp === undefined) continue;
    try {
      carryOut(stamp, (writing) => {
        adoptRow(space, writing, entity, cell, row);
      });
    } catch {
      // The value may not be records at all, or hooks may reject them. The row then stays as it is.
    }
  }
}

/** Stores records nested in a row whose class did not know the relation when the row was stored. */
function adoptRow(space: Space, writing: WriteInProgress, entity: EntityInterface, cell: RowCell, row: Row): void {
  const { log, stamp } = writing;
  const normalizer = new Normalizer(writing, space, [], { temporaryPk: abandonWalk, created: abandonWalk });
  const adopted: Record<string, unknown> = { ...row };
  let isChanged = false;
  for (const relation of space.relationsOf(cell.table.name).values()) {
    const { name, schema } = relation;
    if (isNormalized(space.planOf(schema), adopted[name], space.planOf)) continue;
    log.nest(relation, cell.table.name);
    adopted[name] = normalizer.visit(schema, adopted[name], row, name, entity);
    isChanged = true;
  }
  normalizer.finish();
  if (isChanged) log.put(cell, adopted, stamp);
}
