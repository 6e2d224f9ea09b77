import { Entity } from '../../define/schema/entity.ts';
import { pkIfAny, pkOfPart } from '../../define/schema/pk.ts';
import type { QueryDelegate } from '../../define/schema/delegate.ts';
import type { Plan } from '../tables/plan.ts';
import type { Space } from '../tables/space.ts';
import { keptArgs } from './kept-args.ts';
import type { Source } from './query-cell.ts';

/** Returns the source of a queryable for some arguments. */
export function queryable(space: Space, schema: unknown, args: readonly unknown[]): Source {
  return (delegate) => ({
    schema,
    stored: plainPk(space.planOf(schema), args) ?? queryKeyOf(space, schema, args, delegate),
    args,
  });
}

/** Returns the pk that arguments contain. No lookup is needed for it, even if the record is not stored. */
function plainPk(plan: Plan, args: readonly unknown[]): string | undefined {
  if (plan.kind !== 'entity' || plan.entity.queryKey !== Entity.queryKey) return undefined;
  const [arg] = args;
  if (typeof arg !== 'object' || arg === null) return arg ? pkIfAny(arg) : undefined;
  return pkOfPart(plan.entity, arg, args);
}

/** Returns the stored form for `args` under a schema, without a request. `undefined` if the schema finds none. */
function queryKeyOf(space: Space, schema: unknown, args: readonly unknown[], delegate: QueryDelegate): unknown {
  const unvisit = (inner: unknown, innerArgs: readonly unknown[]): unknown =>
    queryKeyOf(space, inner, keptArgs(inner, innerArgs), delegate);
  const plan = space.planOf(schema);
  switch (plan.kind) {
    case 'entity':
      return plan.entity.queryKey(args, unvisit, delegate);
    case 'all':
    case 'structure':
    case 'rows':
      return plan.schema.queryKey(args, unvisit, delegate);
    default:
      return undefined;
  }
}
