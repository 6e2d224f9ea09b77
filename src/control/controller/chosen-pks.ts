import { replaceTexts } from '../../define/schema/texts-in-data.ts';
import type { Layer } from '../../state/store/layer.ts';
import type { Store } from '../../state/store/store.ts';
import { memo } from '../../std/memo.ts';
import { nameNow, recordName, recordNamesOf } from './mutated-record.ts';
import { pksIn } from './pks-in-text.ts';
import type { RequestInFlight } from './request-in-flight.ts';

/** A shorter text can be equal to a pk by chance. */
const MIN_LENGTH = 16;

/** The create of a record whose pk contains a temporary pk, such as a link to a team that is being created. */
interface LinkCreate {
  readonly table: string;
  readonly pk: string;
  readonly request: RequestInFlight;
}

/**
 * The pending creates of records whose pks the client has chosen, such as a UUID. The server does not know such a record before it has answered, so
 * requests that name it wait.
 */
export class ChosenPks {
  /** The creates by the name of their record, and by its pk if that is long. */
  readonly #creates = new Map<string, RequestInFlight>();
  /** By the temporary pks in their pks. When one of these is replaced by that of the server, the record has another name. */
  readonly #links = new Map<string, Set<LinkCreate>>();
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Notes the records that a guess creates, also inside of others. `TemporaryPks` does the same for records with temporary pks. */
  noteCreates(request: RequestInFlight, layer: Layer): void {
    const created = [...layer.created, ...(request.mutation?.nestedEdits.absent.values() ?? [])];
    for (const { table, pk } of created) {
      const temporaries = pksIn(pk);
      if (temporaries[0] === pk) continue;
      this.#note(recordName(table, pk), request);
      for (const temporary of temporaries) this.#noteLink(temporary, { table, pk, request });
      if (pk.length >= MIN_LENGTH) this.#note(pk, request);
    }
  }

  #noteLink(temporary: string, link: LinkCreate): void {
    const links = memo(this.#links, temporary, () => new Set<LinkCreate>());
    links.add(link);
    const forget = (): void => {
      if (links.delete(link) && links.size === 0) this.#links.delete(temporary);
    };
    link.request.promise.then(forget, forget);
  }

  /** When the server has replaced a temporary pk, the pks of the links that contain it change. Notes these links by their present pks. */
  #renameLinks(): void {
    for (const [temporary, links] of this.#links) {
      if (this.#store.pkOf('', temporary) === temporary) continue;
      this.#links.delete(temporary);
      for (const { table, pk, request } of links) this.#note(nameNow(this.#store, table, pk), request);
    }
  }

  #note(name: string, request: RequestInFlight): void {
    this.#creates.set(name, request);
    const forget = (): void => {
      if (this.#creates.get(name) === request) this.#creates.delete(name);
    };
    request.promise.then(forget, forget);
  }

  /** Returns a promise that resolves when the earlier creates of the records that a request names have settled. `undefined` if there are none. */
  createsBefore({ call, issue, mutation }: RequestInFlight): Promise<unknown> | undefined {
    if (this.#creates.size === 0) return undefined;
    this.#renameLinks();
    const creates = new Set<Promise<unknown>>();
    const place = mutation?.place ?? Infinity;
    const note = (name: string): string => {
      const create = this.#creates.get(name);
      // A create of another tab can be later, although it was shown here before this mutation was begun again.
      const isEarlier = create !== undefined && create.issue < issue && (create.mutation?.place ?? 0) <= place;
      if (isEarlier) creates.add(create.promise);
      return name;
    };
    const names = mutation ? mutation.mutatedRecord?.name : recordNamesOf(call.endpoint, call.args);
    replaceTexts([names, call.args], note);
    return creates.size === 0 ? undefined : Promise.allSettled(creates);
  }

  clear(): void {
    this.#creates.clear();
    this.#links.clear();
  }
}
