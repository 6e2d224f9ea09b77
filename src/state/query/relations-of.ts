import { type Description, sourceName } from '../../define/query/description.ts';
import { type EntityInterface, isEntity } from '../../define/schema/entity.ts';
import { onlyItem } from '../../define/schema/shorthand.ts';
import { BelongsTo } from './belongs-to.ts';
import type { Fields } from '../../std/plain.ts';
import { LiveQuery } from './live-query.ts';
import { entityIn } from './relation-path.ts';

/** A relation of a model, as data. */
export interface RelationOf {
  /** The key of the entity that has the relation, and the name of the relation. */
  readonly entity: string;
  readonly name: string;
  /** The keys of the related entities. There are several if a field refers to several classes. */
  readonly to: readonly string[];
  readonly isMany: boolean;
  /** Whether a related record can belong to several owners. */
  readonly isShared: boolean;
  /** The field, or the linking entity. Without it, related records are nested in the field of that name. */
  readonly by?: string;
}

/** Returns the relations of a model: those in static members, and those in `static schema`. */
export function relationsOf(model: Iterable<EntityInterface>): readonly RelationOf[] {
  return Array.from(model).flatMap((entity) => {
    const queries = Object.entries(entity).flatMap(([name, given]) => queryIn(entity, name, given) ?? []);
    const fields = Object.entries(entity.schema).map(
      ([name, given]) => queryIn(entity, name, given) ?? fieldIn(entity, name, given),
    );
    return [...queries, ...fields.filter((field) => field !== undefined)];
  });
}

/** Returns a model as an entity-relationship diagram in the language of Mermaid. */
export function toMermaid(model: Iterable<EntityInterface>): string {
  const entities = [...model];
  const lines = relationsOf(entities).flatMap(({ entity, name, to, isMany, isShared }) =>
    to.map((other) => `  ${entity} ${isShared ? '}o' : '||'}--${isMany ? 'o{' : '||'} ${other} : ${name}`),
  );
  return ['erDiagram', ...entities.map(({ key }) => `  ${key}`), ...lines].join('\n');
}

/** A relation that is a query of its own. */
function queryIn({ key: entity }: EntityInterface, name: string, given: unknown): RelationOf | undefined {
  if (given instanceof BelongsTo)
    return {
      entity,
      name,
      to: Array.from(given.targets.values(), sourceName),
      isMany: false,
      isShared: true,
      by: given.by,
    };
  return given instanceof LiveQuery ? many(entity, name, given.description) : undefined;
}

/** A field of a schema that is a class, or contains one. */
function fieldIn({ key: entity }: EntityInterface, name: string, given: unknown): RelationOf | undefined {
  const isList = Array.isArray(given) || (Object(given) as { readonly listOf?: unknown }).listOf !== undefined;
  const to = keysIn(Array.isArray(given) ? onlyItem(given) : given);
  return to.length === 0 ? undefined : { entity, name, to, isMany: isList, isShared: true };
}

function many(entity: string, name: string, description: Description): RelationOf | undefined {
  const { path } = description;
  if (path === undefined) return undefined;
  const { defaults, key } = entityIn(description);
  // A field that is a list refers to several owners.
  const isShared = path.isShared || Array.isArray((defaults as Fields)[path.by]);
  return { entity, name, to: [key], isMany: true, isShared, by: path.by };
}

/** Returns the keys of the entities in a schema. */
function keysIn(schema: unknown): readonly string[] {
  if (isEntity(schema)) return [schema.key];
  const { schema: inner } = Object(schema) as { readonly schema?: unknown };
  if (isEntity(inner)) return [inner.key];
  return Object.values(Object(inner) as object).flatMap((kind) => (isEntity(kind) ? [kind.key] : []));
}
