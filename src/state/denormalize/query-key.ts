import type { QueryDelegate } from '../../define/schema/schema.ts';
import type { Space } from '../tables/space.ts';

/** Where `args` lead under a schema, without a request; `undefined` when it says nothing about that. */
export function queryKeyOf(space: Space, schema: unknown, args: readonly unknown[], delegate: QueryDelegate): unknown {
  const unvisit = (inner: unknown, innerArgs: readonly unknown[]): unknown =>
    queryKeyOf(space, inner, innerArgs, delegate);
  const plan = space.planOf(schema);
  switch (plan.kind) {
    case 'entity':
      return plan.entity.queryKey(args, unvisit, delegate);
    case 'structure':
    case 'rows':
      return plan.schema.queryKey(args, unvisit, delegate);
    default:
      return undefined;
  }
}
