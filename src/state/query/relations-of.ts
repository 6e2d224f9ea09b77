import { type Description, sourceName } from '../../define/query/description.ts';
import { type EntityInterface, isEntity } from '../../define/schema/entity.ts';
import { isObject } from '../../define/schema/fields.ts';
import { Lazy } from '../../define/schema/lazy.ts';
import type { BelongsTo } from './belongs-to.ts';
import { type Fields, isPlain } from '../../std/plain.ts';
import type { QuerySchema } from './query-schema.ts';
import { sourceEntity } from './relation-path.ts';

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
function queryIn(model: EntityInterface, name: string, given: unknown): RelationOf | undefined {
  const { key: entity } = model;
  if (given instanceof Lazy) return queryIn(model, name, given.schema);
  if (!isRelation(given)) return undefined;
  if ('description' in given) return many(entity, name, given.description);
  const { by, targets } = given;
  return { entity, name, to: Array.from(targets.values(), sourceName), isMany: false, isShared: true, by };
}

/** Recognizes relations by a member. Their classes would bring the code of queries into developer tools. */
function isRelation(given: unknown): given is BelongsTo | QuerySchema {
  return isObject(given) && !isPlain(given) && 'showIn' in given;
}

/** A field of a schema that is a class, or contains one. */
function fieldIn({ key: entity }: EntityInterface, name: string, given: unknown): RelationOf | undefined {
  const { to, isMany } = endsOf(given, new Set());
  return to.length === 0 ? undefined : { entity, name, to: [...new Set(to)], isMany, isShared: true };
}

/** Returns the keys of the entities in a schema, and whether it has several records of them. */
function endsOf(schema: unknown, seen: Set<unknown>): Pick<RelationOf, 'to' | 'isMany'> {
  if (isEntity(schema)) return { to: [schema.key], isMany: false };
  if (!isObject(schema) || seen.has(schema)) return { to: [], isMany: false };
  seen.add(schema);
  const { schema: inner } = schema;
  const isOfSeveral = Array.isArray(schema) || 'listOf' in schema || 'mapOf' in schema;
  const ends = (isPlain(schema) ? Object.values(schema) : [inner]).map((part) => endsOf(part, seen));
  return {
    to: ends.flatMap(({ to }) => to),
    isMany: isOfSeveral || ends.some(({ isMany }) => isMany),
  };
}

function many(entity: string, name: string, description: Description): RelationOf | undefined {
  const { path } = description;
  if (path === undefined) return undefined;
  const { defaults, key } = sourceEntity(description);
  // A field that is a list refers to several owners.
  const isShared = path.ownedBy === undefined || Array.isArray((defaults as Fields)[path.by]);
  return { entity, name, to: [key], isMany: true, isShared, by: path.by };
}
