import type { Random } from './random.ts';

/**
 * A schema as a plain description, so that the model does not use the schema classes that it tests.
 */
export type Shape =
  | { readonly kind: 'plain'; readonly choices: readonly unknown[] }
  | { readonly kind: 'convert'; readonly choices: readonly unknown[]; readonly convert: (stored: never) => unknown }
  | { readonly kind: 'entity'; readonly table: string }
  | { readonly kind: 'union'; readonly tables: Readonly<Record<string, string>> }
  | ListShape
  | MapShape
  | { readonly kind: 'object'; readonly fields: Readonly<Record<string, Shape>> }
  | CollectionShape;

export interface ListShape {
  readonly kind: 'list';
  readonly of: Shape;
}

export interface MapShape {
  readonly kind: 'map';
  readonly of: Shape;
  readonly names: readonly string[];
}

export interface CollectionShape {
  readonly kind: 'collection';
  /** The table of the lists themselves. */
  readonly lists: string;
  /** The shape of the list or map. */
  readonly content: ListShape | MapShape;
  /** Returns what identifies a list: from the record around it, or from the arguments of its request. */
  readonly identify: (parent: Fields | undefined, args: readonly unknown[]) => Fields;
}

export type Fields = Record<string, unknown>;

/** The description of one entity class. */
export interface TableShape {
  readonly pks: readonly string[];
  readonly fields: Readonly<Record<string, Shape>>;
  /** The default values of the fields. */
  readonly defaults: () => Fields;
  /** Returns the processed record, or `undefined` if the record must be deleted. */
  readonly process?: (value: Fields) => Fields | undefined;
  /** The `merge` of the class. Without one, rows are combined field by field. */
  readonly merge?: (existing: Fields, incoming: Fields) => Fields;
}

export type Tables = Readonly<Record<string, TableShape>>;

/** Collections, by the table of their lists. */
export type Lists = ReadonlyMap<string, CollectionShape>;

/** How much data the random inputs have. */
export interface Richness {
  /** Probability that a field is in a record. */
  readonly fields: number;
  readonly depth: number;
}

/** Returns a random response of a shape. */
export function draw(shape: Shape, tables: Tables, random: Random, richness: Richness): unknown {
  switch (shape.kind) {
    case 'plain':
    case 'convert':
      return structuredClone(random.pick(shape.choices));
    case 'entity':
      return drawRecord(shape.table, tables, random, richness);
    case 'union': {
      const type = random.pick(Object.keys(shape.tables));
      return drawWhole(shape.tables[type] as string, tables, random, richness);
    }
    case 'collection':
      return draw(shape.content, tables, random, richness);
    case 'list':
      return Array.from({ length: random.below(4) }, () =>
        random.chance(0.04) ? null : draw(shape.of, tables, random, richness),
      );
    case 'map':
      return Object.fromEntries(
        shape.names.filter(() => random.chance(0.6)).map((name) => [name, draw(shape.of, tables, random, richness)]),
      );
    case 'object':
      return drawFields(shape.fields, tables, random, richness);
  }
}

/** Returns a record, some fields of one, or only its pk. */
function drawRecord(table: string, tables: Tables, random: Random, richness: Richness): unknown {
  const { pks } = tables[table] as TableShape;
  if (richness.depth <= 0 || random.chance(0.2)) return random.pick(pks);
  return drawWhole(table, tables, random, richness);
}

export function drawWhole(table: string, tables: Tables, random: Random, richness: Richness, pk?: string): Fields {
  const { pks, fields } = tables[table] as TableShape;
  const inner = drawFields(fields, tables, random, { ...richness, depth: richness.depth - 1 });
  return { id: pk ?? random.pick(pks), ...inner };
}

function drawFields(
  fields: Readonly<Record<string, Shape>>,
  tables: Tables,
  random: Random,
  richness: Richness,
): Fields {
  const drawn: Fields = {};
  for (const [name, shape] of Object.entries(fields)) {
    if (name === 'type') drawn[name] = draw(shape, tables, random, richness);
    else if (random.chance(richness.fields))
      drawn[name] = shape.kind === 'entity' && random.chance(0.08) ? null : draw(shape, tables, random, richness);
  }
  return drawn;
}

export function mapFields(fields: Fields, change: (value: unknown, name: string) => unknown): Fields {
  const changed: Fields = {};
  for (const name of Object.keys(fields)) changed[name] = change(fields[name], name);
  return changed;
}

/** Returns the pk of the list with this identity. */
export function pkOfList(identity: Fields): string {
  const named = Object.entries(identity).filter(([, value]) => value !== undefined);
  const text = named.map(([name, value]) => [name, value === null ? null : String(value)] as const);
  return JSON.stringify(Object.fromEntries(text.sort(([one], [other]) => (one < other ? -1 : 1))));
}
