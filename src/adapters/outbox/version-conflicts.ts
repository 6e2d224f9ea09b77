import { throwIfAborted } from '../../std/cancelling.ts';
import { mutatedRecordOf } from '../../control/controller/mutated-record.ts';
import type { MiddlewareAPI } from '../../control/controller/manager.ts';
import { pkOfPart } from '../../define/schema/pk.ts';
import type { Exchange } from '../../define/endpoint/exchange.ts';
import { refusalIn } from '../../define/rest/error-response.ts';
import type { AnyWire, WireEndpoint } from '../../define/rest/wire-shape.ts';
import type { Queryable } from '../../define/schema/infer-schema.ts';
import { isPlain } from '../../std/plain.ts';
import { optionsOf, type QueuedEntry } from './outbox-entry.ts';
import { givenUp } from './outbox-errors.ts';

/** The parts of an outbox that `VersionConflicts` uses. */
export interface ConflictQueue {
  readonly controller: MiddlewareAPI;
  /** Replaces the body of an entry. */
  merge(entry: QueuedEntry, args: readonly unknown[]): void;
}

/** One run of an entry, as its endpoint sees it. */
export interface Sending {
  readonly entry: QueuedEntry;
  readonly signal: AbortSignal;
  /** The endpoint with the exchange of the request. */
  readonly self: { readonly exchange?: Exchange; tagOf?(...args: readonly unknown[]): string | undefined };
}

/** Decides what happens to an edit whose record has changed on the server since the edit was made. */
export class VersionConflicts {
  readonly #queue: ConflictQueue;
  /** The tags of the records that were stored after a conflict, by the versions that they have replaced. */
  readonly #theirs = new Map<string, string>();

  constructor(queue: ConflictQueue) {
    this.#queue = queue;
  }

  /** Returns the tag of the version that an edit changes. The one that the store knows can be from before a record of a conflict was stored. */
  tagOf(
    {
      entry: {
        records: [record = ''],
      },
      self,
    }: Sending,
    args: readonly unknown[],
  ): string | undefined {
    const tag = tagNow(self, args);
    return this.#theirs.get(versionOf(record, tag)) ?? tag;
  }

  /** Returns the arguments to send after a conflict. Throws if the edit is discarded, or if the user has to decide. */
  async decide(
    { entry, self, signal }: Sending,
    error: unknown,
    args: readonly unknown[],
  ): Promise<readonly unknown[]> {
    const { onConflict } = optionsOf(entry.endpoint);
    const theirs = theirsIn(entry.endpoint, error);
    const { base } = entry;
    const decision: unknown = await onConflict?.({ base, mine: args.at(-1), theirs, error: error as Error, args });
    // The entry may have got other arguments meanwhile.
    throwIfAborted(signal);
    const tag = tagLike(entry.basedOn, refusalIn(error)?.headers.get('etag')) ?? '';
    // Without the record of the server, the store asks for it, as after a mutation that may have been carried out.
    if (decision === 'theirs') {
      const isStored = await this.#storeTheirs(entry, args, theirs);
      if (isStored) for (const record of entry.records) this.#theirs.set(versionOf(record, tagNow(self, args)), tag);
      throw givenUp(error, !isStored);
    }
    // A decision of `onConflict`, or later of the user, is about the version in the answer.
    entry.basedOn = tag;
    if (decision === 'mine') {
      entry.renew();
      return args;
    }
    if (!isPlain(decision)) throw error;
    const merged = [...args.slice(0, -1), decision];
    this.#queue.merge(entry, merged);
    return merged;
  }

  /** Stores the record that the server sent with the conflict. Resolves to whether it is the record of the edit. */
  async #storeTheirs({ endpoint }: QueuedEntry, args: readonly unknown[], theirs: unknown): Promise<boolean> {
    const { controller } = this.#queue;
    const record = endpoint && mutatedRecordOf(endpoint, args, controller.store);
    if (record === undefined || !isPlain(theirs) || String(pkOfPart(record.entity, theirs, args)) !== record.pk)
      return false;
    const entity = record.entity as Queryable;
    if (controller.get(entity, record.pk) !== undefined) await controller.set(entity, record.pk, theirs);
    return true;
  }
}

/** Returns the tag of the version that an entry changes, as far as the store knows. A `url()` of the application may throw for arguments that its `fetch()` changes. */
function tagNow(self: Sending['self'], args: readonly unknown[]): string | undefined {
  try {
    return self.tagOf?.(...args);
  } catch {
    return undefined;
  }
}

/** Returns a tag of an answer, unless it is weak and the former one was not: then it is not sent. */
export function tagLike(former: QueuedEntry['basedOn'], tag: string | null | undefined): string | undefined {
  return tag?.startsWith('W/') === true && former?.startsWith('W/') !== true ? undefined : (tag ?? undefined);
}

/** Returns the body of a refusal as the wire of the endpoint reads it, or as it is if that finds no record. */
function theirsIn(endpoint: QueuedEntry['endpoint'], error: unknown): unknown {
  const { data } = Object(error) as { readonly data?: unknown };
  const of = Object(endpoint) as WireEndpoint & { readonly wire?: AnyWire };
  try {
    return of.wire?.read(data, of, refusalIn(error)?.headers ?? new Headers()) ?? data;
  } catch {
    return data;
  }
}

function versionOf(record: string, tag: string | undefined): string {
  return JSON.stringify([record, tag]);
}
