import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { isEntity } from '../../define/schema/entity.ts';
import { isObject } from '../../define/schema/fields.ts';
import { INVALID } from '../../define/schema/row.ts';
import { addGuess, makeGuess } from '../../state/store/layer.ts';
import type { Guess, GuessOptions } from '../../state/store/layer-rows.ts';
import type { HiddenEdits } from '../../state/store/nested-edits.ts';
import type { Store } from '../../state/store/store.ts';
import type { SnapshotReader } from '../../state/store/snapshot.ts';
import { callHook } from '../../std/call-hook.ts';
import { isPlain, ownArgs } from '../../std/plain.ts';
import { sentenceOf } from '../../std/thrown.ts';
import { warn } from '../../std/warn.ts';
import { Snapshot } from '../view/controller-snapshot.ts';
import type { Applied, OptimisticAction } from './action.ts';
import { type MutatedRecord, plainArg } from './mutated-record.ts';
import type { RequestInFlight } from './request-in-flight.ts';
import { updatesOf } from './result-updates.ts';

/** Shows the guess of a mutation. The store makes it again whenever the data that it was made from changes. */
export function guess(
  { responses, mutations }: Applied,
  { endpoint, key, args: given, request }: OptimisticAction,
): void {
  let wasGone: boolean | undefined;
  /** The guess as it was before its record was deleted. */
  let last: Guess | undefined;
  const intent = (reader: SnapshotReader): Guess | undefined => {
    const mutatedRecord = request.mutation?.mutatedRecord;
    const isGoneNow =
      mutatedRecord !== undefined && reader.rowFields(mutatedRecord.entity.key, mutatedRecord.pk, []) === INVALID;
    wasGone ??= isGoneNow;
    // A guess does not restore a record that was deleted meanwhile.
    if (isGoneNow && (mutations.isBeforeDeletion(request) ?? !wasGone)) return nestedIn(mutatedRecord, last);
    // The mutation may be about a record whose create has been answered since.
    const known = mutations.temporaryPks.known(given);
    const args = request.mutation?.argsNow(known) ?? known;
    const snapshot = new Snapshot(reader, responses, request.call.fetchedAt);
    try {
      const response: unknown = callHook(`getOptimisticResponse of ${key}`, () =>
        endpoint.getOptimisticResponse?.(snapshot, ...ownArgs(args)),
      );
      const part = mutations.guesses.partToShow(request, response, reader);
      if (part === undefined && response !== undefined) return undefined;
      last = {
        schema: endpoint.schema,
        response: part,
        args: argsOfPart(args.map(plainArg), response, part),
        update: endpoint.update && ((stored) => updatesOf({ endpoint, key, args }, stored)),
      };
      return last;
    } catch (error) {
      if (error !== snapshot.abort) warnOfGuess(endpoint, key, error);
      return undefined;
    }
  };
  try {
    const options = { ...optionsFor(mutations, request), elsewhere: request.mutation?.created };
    mutations.guess(request, addGuess(responses.store, intent, options));
    if (last === undefined) noteNestedEdits(responses.store, mutations, request);
  } catch (error) {
    warnOfGuess(endpoint, key, error);
  }
}

function optionsFor({ guesses }: Applied['mutations'], request: RequestInFlight): GuessOptions {
  const { issue, mutation } = request;
  const hiddenEdits = (...nested: Parameters<HiddenEdits>) => guesses.hiddenEdits(request, ...nested);
  return { issue, nestedEdits: mutation?.nestedEdits, hiddenEdits };
}

/** Notes which fields of nested records a mutation without a guess edits: those that its body changes when it is issued. */
export function noteNestedEdits(store: Store, mutations: Applied['mutations'], request: RequestInFlight): void {
  const { args, endpoint } = request.call;
  try {
    const response: unknown = endpoint.impliedResponse?.(...args);
    if (!hasObjects(response)) return;
    const guessed = { schema: endpoint.schema, response, args: args.map(plainArg) };
    makeGuess(store, guessed, optionsFor(mutations, request));
  } catch {
    // The call of the endpoint, or the answer, has the same fault and reports it.
  }
}

function hasObjects(response: unknown): boolean {
  return [response].flat().some((record) => isPlain(record) && Object.values(record).some(isObject));
}

/** Returns what a guess shows after its record was deleted: only the records that are nested in it. */
function nestedIn({ entity, pk }: MutatedRecord, whole: Guess | undefined): Guess | undefined {
  const { schema } = whole ?? {};
  const hasNested = isEntity(schema) && Object.keys(schema.schema).length > 0;
  return whole && hasNested ? { ...whole, update: undefined, gone: { table: entity.key, pk } } : undefined;
}

/** Returns the arguments without the fields of the body that the guess does not show, so that no list shows its record because of them. */
function argsOfPart(args: readonly unknown[], guessed: unknown, part: unknown): readonly unknown[] {
  const body = args.at(-1);
  if (part === guessed || !isPlain(guessed) || !isPlain(part) || !isPlain(body)) return args;
  const isShown = ([name]: readonly [string, unknown]): boolean =>
    !Object.hasOwn(guessed, name) || Object.hasOwn(part, name);
  return [...args.slice(0, -1), Object.fromEntries(Object.entries(body).filter(isShown))];
}

/** Only warns: the guess failed, but the mutation is in flight and can succeed. */
function warnOfGuess(endpoint: EndpointInterface, key: string, error: unknown): void {
  warn(
    endpoint,
    'guess-failed',
    () =>
      `No guess was made for ${key}: ${sentenceOf(error)} If getOptimisticResponse has no data to guess from, throw snap.abort.`,
  );
}
