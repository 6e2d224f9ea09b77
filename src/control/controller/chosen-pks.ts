import { isObject } from '../../define/schema/fields.ts';
import { hasPk } from '../../define/schema/key-of.ts';
import type { Layer } from '../../state/store/layer.ts';
import { plainArg, recordName } from './mutated-record.ts';
import type { RequestInFlight } from './request-in-flight.ts';

/** A shorter text can be equal to a pk by chance. */
const MIN_LENGTH = 16;

/** A pending create of a record whose pk the client has chosen. */
interface ChosenCreate {
  readonly record: string;
  readonly request: RequestInFlight;
}

/**
 * The pending creates of records whose pks the client has chosen, such as a UUID. The server does not know such a record before it has answered, so
 * mutations that name it wait.
 */
export class ChosenPks {
  readonly #creates = new Map<string, ChosenCreate>();

  noteCreates(request: RequestInFlight, layer: Layer): void {
    for (const { table, pk, isTemporary, isNested } of layer.created)
      if (!isTemporary && !isNested) this.#creates.set(pk, { record: recordName(table, pk), request });
  }

  settle(request: RequestInFlight, layer: Layer | undefined): void {
    for (const { pk } of layer?.created ?? []) if (this.#creates.get(pk)?.request === request) this.#creates.delete(pk);
  }

  /** Returns a promise that resolves when the creates have settled whose records a later mutation names. `undefined` if there are none. */
  createsBefore({ call, issue, mutation }: RequestInFlight): Promise<unknown> | undefined {
    if (this.#creates.size === 0) return undefined;
    const { name, pk } = mutation?.mutatedRecord ?? {};
    const isNamed = ({ record, request }: ChosenCreate, text: string): boolean =>
      request.issue < issue && (record === name || text.length >= MIN_LENGTH);
    const creates = [pk, ...textsIn(call.args)].flatMap((text) => {
      const create = text === undefined ? undefined : this.#creates.get(text);
      return create !== undefined && isNamed(create, String(text)) ? create.request.promise : [];
    });
    return creates.length === 0 ? undefined : Promise.allSettled(creates);
  }

  clear(): void {
    this.#creates.clear();
  }
}

/** The arguments that are texts, and the texts and the pks of records in the fields of the others. */
function textsIn(args: readonly unknown[]): readonly string[] {
  const values = args.map(plainArg).flatMap((arg) => (isObject(arg) ? Object.values(arg) : arg));
  return values.map((value) => String(hasPk(value) ? value.pk() : value));
}
