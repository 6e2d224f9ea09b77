import { isObject } from '../../define/schema/fields.ts';
import { hasPk } from '../../define/schema/key-of.ts';
import { pkOfPart } from '../../define/schema/pk.ts';
import type { Layer } from '../../state/store/layer.ts';
import { type EntityWithPk, plainArg, recordName } from './mutated-record.ts';
import type { RequestInFlight } from './request-in-flight.ts';

/** A shorter text can be equal to a pk by chance. */
const MIN_LENGTH = 16;

/**
 * The pending creates of records whose pks the client has chosen, such as a UUID. The server does not know such a record before it has answered, so
 * mutations that name it wait.
 */
export class ChosenPks {
  /** The creates by the name of their record, and by its pk if that is long. */
  readonly #creates = new Map<string, RequestInFlight>();

  noteCreates(request: RequestInFlight, layer: Layer): void {
    for (const { table, pk, isTemporary, isNested } of layer.created) {
      if (isTemporary || isNested) continue;
      this.#note(recordName(table, pk), request);
      if (pk.length >= MIN_LENGTH) this.#note(pk, request);
    }
  }

  #note(name: string, request: RequestInFlight): void {
    this.#creates.set(name, request);
    const forget = (): void => {
      if (this.#creates.get(name) === request) this.#creates.delete(name);
    };
    request.promise.then(forget, forget);
  }

  /** Returns a promise that resolves when the creates have settled whose records a later mutation names. `undefined` if there are none. */
  createsBefore({ call, issue, mutation }: RequestInFlight): Promise<unknown> | undefined {
    if (this.#creates.size === 0) return undefined;
    const names = [mutation?.mutatedRecord?.name, ...namedIn(call.args)];
    const creates = names.flatMap((name) => (typeof name === 'string' && this.#creates.get(name)) || []);
    const earlier = creates.filter((create) => create.issue < issue);
    return earlier.length === 0 ? undefined : Promise.allSettled(earlier.map(({ promise }) => promise));
  }

  clear(): void {
    this.#creates.clear();
  }
}

/** The arguments, and the fields of those that are objects: texts, and pks in place of records. */
function namedIn(args: readonly unknown[]): readonly unknown[] {
  const values = args.map(plainArg).flatMap((arg): unknown[] => (isObject(arg) ? Object.values(arg) : [arg]));
  return values.map((value) =>
    hasPk(value) ? pkOfPart(value.constructor as unknown as EntityWithPk, value, []) : value,
  );
}
