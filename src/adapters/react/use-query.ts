import { useMemo } from 'react';
import { valueOf } from '../../control/view/answer.ts';
import { queryView } from '../../control/view/query-view.ts';
import { NO_REQUEST } from '../../control/view/request-view.ts';
import { ViewReader } from '../../control/screen/reader.ts';
import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { checkSchema } from '../../define/endpoint/request-key.ts';
import type { Denormalize, Queryable, SchemaArgs } from '../../define/schema/infer-schema.ts';
import { argsKey } from '../../std/args-key.ts';
import { useScreen } from './controller-context.ts';
import { useAnswer } from './use-answer.ts';
import { useStable } from './use-stable.ts';

/** The arguments of a schema. For an endpoint: an error of the compiler that says what to call. */
type ArgsFor<S> = S extends EndpointInterface
  ? readonly [
      'useQuery() reads what is stored and fetches nothing. To fetch and read an endpoint, write useSuspense(endpoint, ...args).',
    ]
  : SchemaArgs<S> | readonly [null];

/**
 * Returns the value of a queryable; `undefined` if there is none, or with `null` instead of the arguments. Never fetches. Throws if a
 * function of the schema, or of the query, has failed. `const post = useQuery(Post, { id })`.
 */
export function useQuery<S extends Queryable | EndpointInterface>(
  schema: S,
  ...args: ArgsFor<S>
): Denormalize<S> | undefined;
export function useQuery<S extends Queryable>(schema: S, ...args: readonly unknown[]): Denormalize<S> | undefined {
  checkSchema(schema, 'useQuery()', 'useSuspense()');
  // A controller with fixtures has the same store as the controller of the provider.
  const screen = useScreen();
  const name = argsKey(args, 'a query');
  useStable(schema, undefined);
  const reader = useMemo(
    () => new ViewReader(screen, args[0] === null ? NO_REQUEST : queryView<Denormalize<S>>(screen.store, schema, args)),
    // The name identifies the arguments.
    [screen, schema, name],
  );
  const answer = useAnswer(reader);
  if (answer.status === 'failed') throw answer.error;
  return valueOf(answer);
}
