import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { INVALID } from '../../define/schema/schema.ts';
import type { Guess } from '../../state/store/layer-rows.ts';
import type { SnapshotReader } from '../../state/store/snapshot.ts';
import { callHook } from '../../std/call-hook.ts';
import { messageOf } from '../../std/thrown.ts';
import { warn } from '../../std/warn.ts';
import { Snapshot } from '../view/controller-snapshot.ts';
import type { Applied, OptimisticAction } from './action.ts';
import { plainArg } from './mutated-record.ts';
import { updatesOf } from './updates.ts';

/** The guess is made again by the store whenever what it was made of changes. */
export function guess(
  { responses, mutations }: Applied,
  { endpoint, key, args: given, request }: OptimisticAction,
): void {
  const args = given.map(plainArg);
  const subject = request.mutation?.subject;
  let wasGone: boolean | undefined;
  const intent = (reader: SnapshotReader): Guess | undefined => {
    const isGoneNow = subject !== undefined && reader.part(subject.entity.key, subject.pk, []) === INVALID;
    wasGone ??= isGoneNow;
    // What was deleted meanwhile, a guess from before does not bring back.
    if (isGoneNow && (mutations.isBeforeDeletion(request) ?? !wasGone)) return undefined;
    const snapshot = new Snapshot(reader, responses, request.asked.fetchedAt);
    try {
      const response: unknown = callHook(`getOptimisticResponse of ${key}`, () =>
        endpoint.getOptimisticResponse?.(snapshot, ...given),
      );
      return {
        schema: endpoint.schema,
        response: mutations.guessable(request, response, reader),
        args,
        update: endpoint.update && ((stored) => updatesOf({ endpoint, key, args: given }, stored)),
      };
    } catch (error) {
      if (error !== snapshot.abort) guessFailed(endpoint, key, error);
      return undefined;
    }
  };
  try {
    mutations.guess(request, responses.store.guess(intent));
  } catch (error) {
    guessFailed(endpoint, key, error);
  }
}

/** The guess was wrong, not the mutation: that is still under way, and may well succeed. */
function guessFailed(endpoint: EndpointInterface, key: string, error: unknown): void {
  warn(
    endpoint,
    'guess-failed',
    () => `No guess was made for ${key}: ${messageOf(error)} A guess that has nothing to go by throws snap.abort.`,
  );
}
