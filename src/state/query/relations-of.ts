import { type Description, sourceName } from '../../define/query/description.ts';
import { type EntityInterface, isEntity } from '../../define/schema/entity.ts';
import { onlyItem } from '../../define/schema/shorthand.ts';
import { BelongsTo } from './belongs-to.ts';
import type { Fields } from '../../std/plain.ts';
import { LiveQuery } from './live-query.ts';
import { entityIn } from './relation-path.ts';

/** A relation of a model, as data. */
export interface RelationOf {
  /** The key of the entity that has it, and its name there. */
  readonly entity: string;
  readonly name: string;
  /** The keys of the entities that it leads to: several where a field refers to several kinds. */
  readonly to: readonly string[];
  readonly isMany: boolean;
  /** Whether a record that it leads to can belong to several. */
  readonly isShared: boolean;
  /** What it goes by: a field, or the entity of the links. Without it, the records are nested in the field of its name. */
  readonly by?: string;
}

/** The relations of a model: those of statics, and those that stand in `static schema`. */
export function relationsOf(model: Iterable<EntityInterface>): readonly RelationOf[] {
  return Array.from(model).flatMap((entity) => {
    const members = [...Object.entries(entity), ...Object.entries(entity.schema)];
    return members.flatMap(([name, given]) => relationIn(entity, name, given) ?? []);
  });
}

/** A model as an entity-relationship diagram, in the language of Mermaid. */
export function toMermaid(model: Iterable<EntityInterface>): string {
  const entities = [...model];
  const lines = relationsOf(entities).flatMap(({ entity, name, to, isMany, isShared }) =>
    to.map((other) => `  ${entity} ${isShared ? '}o' : '||'}--${isMany ? 'o{' : '||'} ${other} : ${name}`),
  );
  return ['erDiagram', ...entities.map(({ key }) => `  ${key}`), ...lines].join('\n');
}

function relationIn({ key: entity }: EntityInterface, name: string, given: unknown): RelationOf | undefined {
  if (given instanceof BelongsTo)
    return { entity, name, to: [sourceName(given.description)], isMany: false, isShared: true, by: given.by };
  if (given instanceof LiveQuery) return many(entity, name, given.description);
  const isList = Array.isArray(given) || (Object(given) as { readonly listOf?: unknown }).listOf !== undefined;
  const to = keysIn(Array.isArray(given) ? onlyItem(given) : given);
  return to.length === 0 ? undefined : { entity, name, to, isMany: isList, isShared: true };
}

function many(entity: string, name: string, description: Description): RelationOf | undefined {
  const { path } = description;
  if (path === undefined) return undefined;
  const { defaults, key } = entityIn(description);
  // A field with a list refers to several.
  const isShared = path.isShared || Array.isArray((defaults as Fields)[path.by]);
  return { entity, name, to: [key], isMany: true, isShared, by: path.by };
}

/** The keys of the entities that a schema stands for. */
function keysIn(schema: unknown): readonly string[] {
  if (isEntity(schema)) return [schema.key];
  const { schema: inner } = Object(schema) as { readonly schema?: unknown };
  if (isEntity(inner)) return [inner.key];
  return Object.values(Object(inner) as object).flatMap((kind) => (isEntity(kind) ? [kind.key] : []));
}
