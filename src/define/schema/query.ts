import { callHook } from '../../std/call-hook.ts';
import type { SchemaGiven } from './assert-schema.ts';
import type { Denormalize, Loose, Normalize, Read, SchemaArgs, SchemaTypes } from './infer-schema.ts';
import { SameForm } from './same-form.ts';
import type { DenormalizeDelegate, Unvisit } from './delegate.ts';
import { INVALID } from './row.ts';

/** The arguments of a Query: those of its schema, and those of `process` after the value. */
export type QueryArgs<S, Process> = Process extends (value: Loose, ...args: infer Own) => Loose
  ? Own extends []
    ? SchemaArgs<S>
    : SchemaArgs<S> extends []
      ? Own
      : Own & SchemaArgs<S>
  : SchemaArgs<S>;

/** A value that is computed from the value of another schema: `new Query(new All(Post), (posts) => posts.length)`. */
export class Query<
  S = unknown,
  // Compilers before 6.0 do not infer the parameter of `process` from a default of `any`, so the default is a function type.
  Process extends (value: Denormalize<S>, ...args: Loose) => unknown = (value: Denormalize<S>, ...args: Loose) => Loose,
> extends SameForm<S> {
  declare readonly '~types': SchemaTypes<
    Read<ReturnType<Process>>,
    Read<ReturnType<Process>> | undefined,
    Normalize<S>,
    QueryArgs<S, Process>
  >;
  /** Computes the value. Runs again only after the value of the schema or the arguments have changed. */
  readonly process: Process;

  constructor(schema: S & SchemaGiven<S>, process: Process) {
    super(schema);
    this.process = process;
  }

  override denormalize(stored: unknown, delegate: DenormalizeDelegate): unknown {
    const value = delegate.unvisit(this.schema, stored);
    if (delegate.isGathering === true) return undefined;
    return value === INVALID ? INVALID : callProcess(this, value, delegate.args);
  }

  override queryKey(args: readonly unknown[], unvisit: Unvisit): unknown {
    return unvisit(this.schema, args);
  }
}

function callProcess(query: { readonly process: Loose }, value: unknown, args: readonly unknown[]): Loose {
  return callHook('The function of a Query', () => query.process(value, ...args));
}
