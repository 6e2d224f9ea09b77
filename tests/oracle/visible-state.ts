import { INVALID, type Invalid } from '../../src/define/schema/row.ts';
import { Ref, nameOf } from './placeholders.ts';
import { type Fields, type Lists, type Shape, type TableShape, type Tables, mapFields } from './shape.ts';

export type Row = Fields | readonly unknown[];

/** The values that readers see at one moment. */
export class VisibleState {
  readonly rows: ReadonlyMap<string, ReadonlyMap<string, Row | Invalid>>;
  /** The value of each record and list by name. `INVALID` if it is deleted, or requires a deleted record. */
  readonly values = new Map<string, unknown>();

  constructor(tables: Tables, lists: Lists, rows: ReadonlyMap<string, ReadonlyMap<string, Row | Invalid>>) {
    this.rows = rows;
    // An invalid record can make records invalid that were computed before it.
    let invalid = -1;
    for (let before = -2; before !== invalid;) {
      before = invalid;
      invalid = 0;
      for (const [table, visible] of rows)
        for (const [pk, row] of visible) {
          const list = lists.get(table);
          const record = (): Fields | Invalid => this.record(tables[table] as TableShape, row as Fields);
          const value = row === INVALID ? INVALID : list ? this.value(list.content, row) : record();
          if (value === INVALID) invalid++;
          this.values.set(nameOf(table, pk), value);
        }
    }
  }

  row(table: string, pk: string): Row | Invalid | undefined {
    return this.rows.get(table)?.get(pk);
  }

  /** Returns the value of `stored`, with refs in place of records. */
  value(shape: Shape, stored: unknown): unknown {
    if (stored === null || stored === undefined) return stored;
    switch (shape.kind) {
      case 'plain':
        return stored;
      case 'convert':
        return shape.convert(stored as never);
      case 'entity':
        return this.ref(shape.table, stored as string);
      case 'collection':
        return this.ref(shape.lists, stored as string);
      case 'union': {
        const { id, schema } = stored as { id: string; schema: string };
        return this.ref(shape.tables[schema] as string, id);
      }
      case 'list':
        return (stored as unknown[])
          .map((item) => this.value(shape.of, item))
          .filter((item) => item !== undefined && item !== INVALID);
      case 'map': {
        const entries = Object.entries(mapFields(stored as Fields, (item) => this.value(shape.of, item)));
        return Object.fromEntries(entries.filter(([, item]) => Boolean(item) && item !== INVALID));
      }
      case 'object': {
        const value = mapFields(stored as Fields, (item, name) => {
          const inner = shape.fields[name];
          return inner === undefined ? item : this.value(inner, item);
        });
        return Object.values(value).includes(INVALID) ? INVALID : value;
      }
    }
  }

  ref(table: string, pk: string): Ref | Invalid | undefined {
    if (this.row(table, pk) === undefined) return undefined;
    return this.values.get(nameOf(table, pk)) === INVALID ? INVALID : new Ref(table, pk);
  }

  /** Returns the fields of a record, with refs in place of records. */
  record({ fields, defaults }: TableShape, row: Fields): Fields | Invalid {
    const value = defaults();
    for (const name of Object.keys(row)) {
      const shape = fields[name];
      const made = shape === undefined ? row[name] : this.value(shape, row[name]);
      if (made === INVALID && Boolean(value[name])) return INVALID;
      value[name] = made === INVALID ? undefined : made;
    }
    return value;
  }
}
