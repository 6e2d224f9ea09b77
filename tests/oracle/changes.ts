import { All, Invalidate } from '../../src/index.ts';
import type { Change } from './history.ts';
import type { Write } from './model.ts';
import type { Temporary } from './placeholders.ts';
import type { CollectionShape, Fields } from './shape.ts';
import { classes, sources } from './entities.ts';

/** The arguments of a write to the store. */
export interface Call {
  readonly schema: unknown;
  readonly input: unknown;
  readonly args: readonly unknown[];
}

/** Returns the table of the records of a create. */
export function tableOf(change: Change): string {
  const shape = change.kind === 'push' || change.kind === 'unshift' ? sources[change.source].shape : undefined;
  return shape?.kind === 'collection' && shape.content.of.kind === 'entity' ? shape.content.of.table : '';
}

/** Returns the records of a create that have no pk. */
export function recordsWithoutPk(change: Change): readonly Fields[] {
  if (change.kind !== 'push' && change.kind !== 'unshift') return [];
  return [change.input].flat().filter((record) => !('id' in (record as Fields))) as Fields[];
}

/** Returns the same create with pks for the model. */
export function named(change: Change, temporaries: readonly Temporary[]): Change {
  if (change.kind !== 'push' && change.kind !== 'unshift') return change;
  const left = [...temporaries];
  const name = (record: Fields): Fields => ('id' in record ? record : { ...record, id: left.shift() });
  return { ...change, input: Array.isArray(change.input) ? change.input.map(name) : name(change.input as Fields) };
}

/** Returns what a guess writes over the rows below, or `undefined` for no guess. */
export function guessOf(
  change: Change,
  about: unknown,
  row: (table: string, pk: string) => unknown,
): Change | undefined {
  if (change.kind === 'touch') {
    const input = { ...change.fields, id: about };
    return { kind: 'response', source: change.source, args: 0, input };
  }
  if (change.kind !== 'count') return change;
  const found = row(change.table, change.pk);
  if (typeof found !== 'object' || found === null) return undefined;
  const count = (found as Fields)[change.field];
  const input = { id: change.pk, [change.field]: (typeof count === 'number' ? count : 0) + 1 };
  return { kind: 'response', source: 'user', args: 0, input };
}

export function callOf(change: Change): Call {
  switch (change.kind) {
    case 'response': {
      const { schema, args } = sources[change.source];
      return { schema, input: change.input, args: args[change.args] ?? [] };
    }
    case 'delete':
      return { schema: deletions.get(change.table), input: { id: change.pk }, args: [] };
    case 'touch':
    case 'count':
      throw new Error('A guess was not made.');
    default: {
      const { schema, args } = sources[change.source];
      const list = schema as Record<typeof change.kind, unknown>;
      return { schema: list[change.kind], input: change.input, args: args[change.args] ?? [] };
    }
  }
}

/** All records of each table. */
export const everyOf: ReadonlyMap<string, All> = new Map(
  Object.entries(classes).map(([table, entity]) => [table, new All(entity)]),
);

const deletions = new Map(Object.entries(classes).map(([table, entity]) => [table, new Invalidate(entity)]));

export function writeOf(change: Change): Write {
  switch (change.kind) {
    case 'response': {
      const { shape, args } = sources[change.source];
      return { kind: 'response', shape, input: change.input, args: args[change.args] ?? [] };
    }
    case 'delete':
      return { kind: 'delete', table: change.table, pk: change.pk };
    case 'touch':
    case 'count':
      throw new Error('A guess was not made.');
    default: {
      const { shape, args } = sources[change.source];
      return { kind: change.kind, shape: shape as CollectionShape, input: change.input, args: args[change.args] ?? [] };
    }
  }
}
