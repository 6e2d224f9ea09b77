import { All, Invalidate } from '../../src/index.ts';
import type { Saying } from './history.ts';
import type { Write } from './model.ts';
import type { Temporary } from './names.ts';
import type { CollectionShape, Fields } from './shape.ts';
import { classes, sources } from './zoo.ts';

/** What is said to the store. */
export interface Call {
  readonly schema: unknown;
  readonly input: unknown;
  readonly args: readonly unknown[];
}

/** The table of the records of a create. */
export function tableOf(saying: Saying): string {
  const shape = saying.say === 'push' || saying.say === 'unshift' ? sources[saying.source].shape : undefined;
  return shape?.kind === 'collection' && shape.content.of.kind === 'entity' ? shape.content.of.table : '';
}

/** The records of a create that have no pk of their own. */
export function idless(saying: Saying): readonly Fields[] {
  if (saying.say !== 'push' && saying.say !== 'unshift') return [];
  return [saying.input].flat().filter((record) => !('id' in (record as Fields))) as Fields[];
}

/** The same create with pks for the model. */
export function named(saying: Saying, temporaries: readonly Temporary[]): Saying {
  if (saying.say !== 'push' && saying.say !== 'unshift') return saying;
  const left = [...temporaries];
  const name = (record: Fields): Fields => ('id' in record ? record : { ...record, id: left.shift() });
  return { ...saying, input: Array.isArray(saying.input) ? saying.input.map(name) : name(saying.input as Fields) };
}

/** What a guess says, given what it finds; `undefined` where it has nothing to say. */
export function guessOf(
  saying: Saying,
  about: unknown,
  row: (table: string, pk: string) => unknown,
): Saying | undefined {
  if (saying.say === 'touch') {
    const input = { ...saying.fields, id: about };
    return { say: 'response', source: saying.source, args: 0, input };
  }
  if (saying.say !== 'count') return saying;
  const found = row(saying.table, saying.pk);
  if (typeof found !== 'object' || found === null) return undefined;
  const count = (found as Fields)[saying.field];
  const input = { id: saying.pk, [saying.field]: (typeof count === 'number' ? count : 0) + 1 };
  return { say: 'response', source: 'user', args: 0, input };
}

export function callOf(saying: Saying): Call {
  switch (saying.say) {
    case 'response': {
      const { schema, args } = sources[saying.source];
      return { schema, input: saying.input, args: args[saying.args] ?? [] };
    }
    case 'delete':
      return { schema: deletions.get(saying.table), input: { id: saying.pk }, args: [] };
    case 'touch':
    case 'count':
      throw new Error('A guess was not made.');
    default: {
      const { schema, args } = sources[saying.source];
      const list = schema as Record<typeof saying.say, unknown>;
      return { schema: list[saying.say], input: saying.input, args: args[saying.args] ?? [] };
    }
  }
}

/** All records of each table. */
export const everyOf: ReadonlyMap<string, All> = new Map(
  Object.entries(classes).map(([table, entity]) => [table, new All(entity)]),
);

const deletions = new Map(Object.entries(classes).map(([table, entity]) => [table, new Invalidate(entity)]));

export function writeOf(saying: Saying): Write {
  switch (saying.say) {
    case 'response': {
      const { shape, args } = sources[saying.source];
      return { kind: 'response', shape, input: saying.input, args: args[saying.args] ?? [] };
    }
    case 'delete':
      return { kind: 'delete', table: saying.table, pk: saying.pk };
    case 'touch':
    case 'count':
      throw new Error('A guess was not made.');
    default: {
      const { shape, args } = sources[saying.source];
      return { kind: saying.say, shape: shape as CollectionShape, input: saying.input, args: args[saying.args] ?? [] };
    }
  }
}
