import type { EndpointInterface } from '../../define/endpoint/infer.ts';
import type { Loose } from '../../define/schema/infer.ts';

/** The record that a mutation is about. */
export interface Subject {
  readonly entity: { readonly key: string };
  readonly pk: string;
  /** Tells it from others. */
  readonly name: string;
}

/** The record that the arguments of a mutation name, or its answer, where its schema is one of a record. */
export function subjectOf(endpoint: EndpointInterface, args: readonly unknown[]): Subject | undefined {
  const inner = innermost(endpoint.schema);
  if (!isEntityLike(inner)) return undefined;
  const first = plainArg(args[0]);
  const pk = typeof first === 'object' && first !== null ? pkOf(inner, first, args) : first;
  const isPk = (typeof pk === 'string' && pk !== '') || typeof pk === 'number';
  return isPk ? { entity: inner, pk: String(pk), name: `${inner.key} ${pk}` } : undefined;
}

/** A form, as the record that it stands for. */
export function plainArg(arg: unknown): unknown {
  return arg instanceof FormData ? Object.fromEntries(arg.entries()) : arg;
}

interface EntityLike {
  readonly key: string;
  pk(value: Loose, parent?: unknown, key?: string, args?: readonly unknown[]): string | number | undefined;
}

/** What deletes or wraps a record, and what changes the members of a list, has the entity inside. */
function innermost(schema: unknown): unknown {
  const list = inside(inside(schema, 'collection'), 'schema');
  return inside(list ?? schema, 'schema') ?? schema;
}

function inside(schema: unknown, name: string): unknown {
  return typeof schema === 'object' && schema !== null ? Reflect.get(schema, name) : undefined;
}

function isEntityLike(schema: unknown): schema is EntityLike {
  if (typeof schema !== 'function') return false;
  const { key, pk } = schema as unknown as { readonly key?: unknown; readonly pk?: unknown };
  return typeof key === 'string' && typeof pk === 'function';
}

function pkOf(entity: EntityLike, value: object, args: readonly unknown[]): string | number | undefined {
  try {
    return entity.pk(value, undefined, undefined, args);
  } catch {
    // It was written for records, and arguments need not be like one.
    return undefined;
  }
}
