import { checkArgument } from '../../define/query/check-argument.ts';
import { describe } from '../../define/query/description.ts';
import type { InstanceOf } from '../../define/query/infer-source.ts';
import type { OwnerBy, PathOf, PathTo } from '../../define/query/infer-relation.ts';
import { isEntity } from '../../define/schema/entity.ts';
import type { AnyClass } from '../../define/schema/infer-schema.ts';
import { isPlain } from '../../std/plain.ts';
import { LiveQuery } from './live-query.ts';
import { FieldsPath, FunctionPath, type RelationPath } from './relation-path.ts';

/**
 * Defines a relation to many records of another entity: those that refer to the owner in a field, those whose fields equal fields of the
 * owner (`{ theirs: 'own' }`), those for which a function returns the pk of the owner, or those linked `through()` others.
 * `useQuery(User.posts, user)`.
 */
export function hasMany<Class extends AnyClass, const Path extends PathTo<InstanceOf<Class>>>(
  entity: Class | (() => Class),
  path: Path & PathOf<InstanceOf<Class>, Path>,
): LiveQuery<InstanceOf<Class>, readonly [owner: OwnerBy<Class, Path>], Class>;
export function hasMany(entity: unknown, path: unknown): unknown {
  return new LiveQuery(describe(entity, { path: pathOf(path) }));
}

function pathOf(path: unknown): RelationPath {
  if (typeof path === 'string') return new FieldsPath([[path]]);
  if (typeof path === 'function' && !isEntity(path)) return new FunctionPath(path as (record: never) => unknown);
  if (typeof (Object(path) as Partial<RelationPath>).keyOf === 'function') return path as RelationPath;
  checkArgument(
    'hasMany()',
    path,
    () =>
      (!isPlain(path) || !Object.values(path).every((own) => typeof own === 'string')) &&
      "a field of the other class, { theirs: 'own' }, a function, or through()",
  );
  return new FieldsPath(Object.entries(path as Readonly<Record<string, string>>));
}
