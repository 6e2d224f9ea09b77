import { equalPlain, isPlain } from '../../std/plain.ts';
import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { type EntityWithPk, entityOf, nameOf, pkOf, plainArg, type MutatedRecord } from './mutated-record.ts';

type FieldMap = ReadonlyMap<string, unknown>;

/** What a mutation edits of one record. */
export interface RecordEdits {
  isEdit(field: string, value: unknown): boolean;
  /** The value that the mutation asks for, where that is known. */
  valueOf(field: string, answered: unknown): unknown;
}

/**
 * The fields that a mutation edits: those of its guess that show something else without it, or, without a guess, those
 * of its body. A body that does not say which record it is about edits each record whose answer has the value of the body.
 */
export class Edits {
  /** By record. */
  readonly #guessed = new Map<string, Map<string, unknown>>();
  /** What the guess, as it was made last, shows otherwise than what lies below it. */
  readonly #shown = new Map<string, FieldMap>();
  #hasGuess = false;
  readonly #body = new Map<string, FieldMap>();
  #anyRecord: FieldMap | undefined;

  constructor({ schema }: EndpointInterface, args: readonly unknown[], subject: MutatedRecord | undefined) {
    const body = plainArg(args.at(-1));
    const entity = entityOf(schema);
    if (Array.isArray(body)) for (const item of body) this.#addItem(entity, item, args);
    else if (!isPlain(body)) return;
    else if (subject === undefined) this.#anyRecord = fieldsOf(body);
    else this.#body.set(subject.name, fieldsOf(body));
  }

  #addItem(entity: EntityWithPk | undefined, item: unknown, args: readonly unknown[]): void {
    if (entity === undefined || !isPlain(item)) return;
    const pk = pkOf(entity, item, args);
    if (pk !== undefined) this.#body.set(nameOf(entity.key, pk), fieldsOf(item));
  }

  /** Temporary pks stand for those of the server now. */
  rename(nameNow: (record: string) => string): void {
    for (const fields of [this.#guessed, this.#shown, this.#body] as Map<string, FieldMap>[]) {
      for (const [record, edited] of Array.from(fields)) {
        fields.delete(record);
        fields.set(nameNow(record), edited);
      }
    }
  }

  /** Which records the mutation is known to edit. */
  get records(): Iterable<string> {
    return new Set([...this.#guessed.keys(), ...this.#body.keys()]);
  }

  /** The guess shows something else of these fields than what lies below it. What was edited once, stays edited. */
  guess(record: string, edited: Iterable<readonly [field: string, value: unknown]>): void {
    this.#hasGuess = true;
    const fields = this.#guessed.get(record) ?? new Map<string, unknown>();
    this.#guessed.set(record, fields);
    const shown = new Map(edited);
    this.#shown.set(record, shown);
    for (const [field, value] of shown) fields.set(field, value);
  }

  /** What it asks of a record, by field; of one that it creates, the body. */
  askedOf(record: string): FieldMap | undefined {
    return this.#hasGuess ? this.#shown.get(record) : (this.#body.get(record) ?? this.#anyRecord);
  }

  of(record: string): RecordEdits | undefined {
    const known = this.#hasGuess ? this.#guessed.get(record) : this.#body.get(record);
    if (known !== undefined) return { isEdit: (field) => known.has(field), valueOf: (field) => known.get(field) };
    const any = this.#hasGuess ? undefined : this.#anyRecord;
    if (any === undefined) return undefined;
    return {
      isEdit: (field, value) => any.has(field) && equalPlain(any.get(field), value),
      valueOf: (_, value) => value,
    };
  }
}

/** Those that are sent: JSON has no `undefined`. */
function fieldsOf(record: object): FieldMap {
  return new Map(Object.entries(record).filter(([, value]) => value !== undefined));
}

/** A record as it is sent, but with what the address says of it as the row has it: `1` where the address has `'1'`. */
export function asStored(item: object, row: object, args: readonly unknown[]): object {
  const [params, body] = args;
  if (args.length < 2 || !isPlain(params)) return item;
  const named = Object.keys(params).filter((name) => !Object.hasOwn(Object(body) as object, name));
  const known = named.filter(
    (name) => Object.hasOwn(row, name) && String(Reflect.get(row, name)) === String(Reflect.get(item, name)),
  );
  if (known.length === 0) return item;
  return { ...item, ...Object.fromEntries(known.map((name) => [name, Reflect.get(row, name) as unknown])) };
}
