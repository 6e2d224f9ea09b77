import type { OptimisticAction } from '../../control/controller/action.ts';
import { derived, type Invokable } from '../../define/endpoint/callable.ts';
import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import type { QueuedEntry, Run } from './outbox-entry.ts';
import type { OutboxSender, Sending } from './outbox-sender.ts';
import type { SavedPks } from './saved-pks.ts';

type EndpointWithFetch = EndpointInterface &
  Invokable & {
    readonly signal?: AbortSignal | undefined;
    fetch(...args: readonly unknown[]): Promise<unknown>;
  };

/** The endpoints that runs are sent by. */
export class Runs {
  readonly #sender: OutboxSender;
  readonly #pks: SavedPks;
  /** The entries, by the endpoint that was made for a run. */
  readonly #entries = new WeakMap<object, QueuedEntry>();

  constructor(sender: OutboxSender, pks: SavedPks) {
    this.#sender = sender;
    this.#pks = pks;
  }

  /** The endpoint of an entry as one run sends it: it waits for its turn, and repeats itself. */
  endpointFor(entry: QueuedEntry, { abort }: Run): EndpointInterface {
    const endpoint = entry.endpoint as EndpointWithFetch;
    const { fetch, signal: given } = endpoint;
    const signal = given ? AbortSignal.any([given, abort.signal]) : abort.signal;
    const sender = this.#sender;
    const made = derived(endpoint, {
      serial: undefined,
      retry: false,
      signal,
      fetch(this: Sending['self'], ...args: readonly unknown[]) {
        return sender.send({ entry, signal, self: this }, fetch, args);
      },
    });
    this.#entries.set(made, entry);
    return made;
  }

  /** The guess of a run is shown: notes the temporary pks of the records that it creates. */
  guessed({ endpoint, request }: OptimisticAction): void {
    const entry = this.#entries.get(endpoint);
    if (entry === undefined) return;
    const made = request.mutation?.layer?.created ?? [];
    const created = made.filter(({ isTemporary }) => isTemporary || entry.method === 'POST');
    if (entry.creates.length === 0) entry.creates = created.map(({ pk, table }) => ({ pk, table }));
    else
      for (const [at, { pk }] of entry.creates.entries()) {
        const own = created[at]?.pk;
        if (own !== undefined && own !== pk) this.#pks.noteTemporary(pk, own);
      }
  }
}
