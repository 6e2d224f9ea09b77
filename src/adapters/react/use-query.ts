import { useMemo } from 'react';
import { queryView } from '../../control/view/query-view.ts';
import { valueOf } from '../../control/view/answer.ts';
import type { Denormalize, Queryable, SchemaArgs } from '../../define/schema/infer.ts';
import { usePlace } from './controller-context.ts';
import { useAnswer } from './use-answer.ts';
import { useStable } from './use-stable.ts';

/** The value of a queryable; `undefined` where there is none. Never asks for anything. */
export function useQuery<S extends Queryable>(schema: S, ...args: SchemaArgs<S>): Denormalize<S> | undefined {
  // Whatever controller stands in for that of the provider has the same store; and each context that a reader is in costs
  // React something whenever one of its neighbours changes.
  const { store } = usePlace().screen;
  const name = args.length === 0 ? '' : JSON.stringify(args);
  useStable(schema, undefined);
  const view = useMemo(
    () => queryView<Denormalize<S>>(store, schema, args),
    // The name says what the arguments are.
    [store, schema, name],
  );
  return valueOf(useAnswer(view));
}
