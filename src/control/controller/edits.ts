import { pkOfPart } from '../../define/schema/pk.ts';
import { memo } from '../../std/memo.ts';
import { equalPlain, isPlain } from '../../std/plain.ts';
import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { type EntityWithPk, entityOfRecord, recordName, plainArg, type MutatedRecord } from './mutated-record.ts';

type FieldMap = ReadonlyMap<string, unknown>;

/** The fields of one record that a mutation edits. */
export interface RecordEdits {
  isEdit(field: string, value: unknown): boolean;
  /** The value that the mutation sent; `answered` if that is not known. */
  valueOf(field: string, answered: unknown): unknown;
}

/**
 * The fields that a mutation edits. With a guess: the fields that the guess changes. Without one: the fields
 * of the body. If the body does not name its record, it edits a field of every record whose answer has the value that the body has.
 */
export class Edits {
  /** All fields that a guess has changed so far, by record. */
  readonly #guessed = new Map<string, Map<string, unknown>>();
  /** The fields that the latest guess changes, by record. */
  readonly #shown = new Map<string, FieldMap>();
  /** The fields of nested records that a guess has changed so far, by record. */
  readonly #nested = new Map<string, Map<string, unknown>>();
  #hasGuess = false;
  readonly #body = new Map<string, FieldMap>();
  #anyRecord: FieldMap | undefined;
  /** The records of a batch in the order in which they were sent. `undefined` for a record that names its pk. */
  readonly #created: (FieldMap | undefined)[] = [];

  constructor({ schema }: EndpointInterface, args: readonly unknown[], mutatedRecord: MutatedRecord | undefined) {
    const body = plainArg(args.at(-1));
    if (Array.isArray(body)) for (const item of body) this.#addItem(entityOfRecord(schema, item), item, args);
    else if (!isPlain(body)) return;
    else if (mutatedRecord === undefined) this.#anyRecord = fieldsOf(body);
    else this.#body.set(mutatedRecord.name, fieldsOf(body));
  }

  #addItem(entity: EntityWithPk | undefined, item: unknown, args: readonly unknown[]): void {
    if (entity === undefined || !isPlain(item)) return;
    const pk = pkOfPart(entity, item, args);
    this.#created.push(pk === undefined ? fieldsOf(item) : undefined);
    if (pk !== undefined) this.#body.set(recordName(entity.key, pk), fieldsOf(item));
  }

  /** Replaces the names of records with temporary pks. Returns the names of all records that the mutation is known to edit. */
  rename(nameNow: (record: string) => string): Set<string> {
    const records = this.records;
    if (Array.from(records).every((record) => nameNow(record) === record)) return records;
    for (const fields of [this.#guessed, this.#shown, this.#body, this.#nested] as Map<string, FieldMap>[]) {
      for (const [record, edited] of Array.from(fields)) {
        fields.delete(record);
        fields.set(nameNow(record), edited);
      }
    }
    return this.records;
  }

  /** The records that the mutation is known to edit. */
  get records(): Set<string> {
    const records = new Set(this.#guessed.keys());
    for (const edited of [this.#body, this.#nested]) for (const record of edited.keys()) records.add(record);
    return records;
  }

  /** Notes the fields that the guess changes now. A field that was edited once stays edited. */
  guess(record: string, edited: Iterable<readonly [field: string, value: unknown]>): void {
    this.#hasGuess = true;
    const fields = memo(this.#guessed, record, () => new Map<string, unknown>());
    const shown = new Map(edited);
    this.#shown.set(record, shown);
    for (const [field, value] of shown) fields.set(field, value);
  }

  /** Notes fields of a nested record that the guess changes. */
  nest(record: string, edited: object): void {
    const fields = memo(this.#nested, record, () => new Map<string, unknown>());
    for (const [field, value] of Object.entries(edited)) fields.set(field, value);
  }

  /** Returns the fields that the latest guess changes, also those that it does not show because a later mutation has edited them. */
  guessedFor(record: string): FieldMap | undefined {
    return this.#shown.get(record);
  }

  /**
   * Returns the values that the mutation sends for a record, by field. For a record that it creates: the body, or the item of the body at the same
   * place as in the answer, if both have the same number of items.
   */
  sentFor(record: string, { at, length }: { readonly at: number; readonly length: number }): FieldMap | undefined {
    if (this.#hasGuess) return this.guessedFor(record);
    const created = length === this.#created.length ? this.#created[at] : undefined;
    return this.#body.get(record) ?? this.#anyRecord ?? created;
  }

  /** Returns the fields of one record that the mutation edits. `undefined` if it edits none. */
  of(record: string): RecordEdits | undefined {
    const known = (this.#hasGuess ? this.#guessed : this.#body).get(record) ?? this.#nested.get(record);
    if (known !== undefined) return { isEdit: (field) => known.has(field), valueOf: (field) => known.get(field) };
    const any = this.#hasGuess ? undefined : this.#anyRecord;
    if (any === undefined) return undefined;
    return {
      isEdit: (field, value) => any.has(field) && equalPlain(any.get(field), value),
      valueOf: (_, value) => value,
    };
  }
}

/** Returns the fields that are sent: JSON leaves out `undefined`. */
function fieldsOf(record: object): FieldMap {
  return new Map(Object.entries(record).filter(([, value]) => value !== undefined));
}

/** Replaces the values that come from the path by those of the row: `1` where the path has `'1'`. */
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
