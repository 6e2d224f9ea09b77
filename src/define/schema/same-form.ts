import { assertSchema } from './assert-schema.ts';
import type { DenormalizeDelegate, NormalizeDelegate, QueryDelegate, Unvisit } from './delegate.ts';
import type { SchemaSimple } from './schema.ts';

/** A schema that stores its input in the same form as another schema, and reads it in its own way. */
export abstract class SameForm<S> implements SchemaSimple {
  readonly schema: S;

  constructor(schema: S) {
    assertSchema(schema);
    this.schema = schema;
  }

  get normalizesAs(): S {
    return this.schema;
  }

  normalize(
    input: unknown,
    parent: unknown,
    key: string | undefined,
    delegate: NormalizeDelegate,
    parentEntity?: unknown,
  ): unknown {
    return delegate.visit(this.schema, input, parent, key, parentEntity);
  }

  abstract denormalize(stored: unknown, delegate: DenormalizeDelegate): unknown;
  abstract queryKey(args: readonly unknown[], unvisit: Unvisit, delegate: QueryDelegate): unknown;
}
