import { lacksPart } from '../../define/schema/own-pk.ts';
import { isDefaultRecord } from '../../define/schema/default-record.ts';
import { arrayForEntity } from '../../define/schema/entity.ts';
import { describePk, pkMissing, pkOf } from '../../define/schema/pk.ts';
import type { NormalizeDelegate } from '../../define/schema/delegate.ts';
import type { Row } from '../../define/schema/row.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { type StandardSchema, validateWith } from '../../std/standard-schema.ts';
import type { EntityPlan } from '../tables/plan.ts';
import { copyPlain, type Fields } from '../../std/plain.ts';
import { isRow, type RowCell } from '../tables/table.ts';
import type { Creating, WriteInProgress } from './write-in-progress.ts';

type RowsOfWrite = Pick<NormalizeDelegate, 'getEntity'>;

/** Runs the hooks of an entity class during a write, and knows which one is running in case it throws. */
export class HookRunner {
  readonly #args: readonly unknown[];
  readonly #writing: WriteInProgress;
  readonly #creating: Creating;
  /** The name of the application's code that is running. */
  running = '';

  constructor(args: readonly unknown[], writing: WriteInProgress, creating: Creating) {
    this.#args = args;
    this.#writing = writing;
    this.#creating = creating;
  }

  /** Returns the record to store, or `undefined` if none is to be stored. */
  process({ entity, hooks }: EntityPlan, input: object, parent: unknown, key: string | undefined): Row | undefined {
    let processed: unknown = input;
    if (hooks.process) {
      this.running = `${entity.key}.process()`;
      processed = entity.process(input, parent, key, this.#args);
      this.running = '';
    }
    if (hooks.validator !== undefined && processed !== undefined && !this.#writing.isPart)
      processed = this.#validateWith(entity.key, hooks.validator, processed);
    if (typeof processed === 'object' && processed !== null) return asRecord(entity, processed);
    if (processed === undefined) return undefined;
    throw new DataError(
      'input-invalid',
      `${entity.key}.process() or its validator returned ${describePk(processed)}.`,
      {
        entity: entity.key,
        cure: inDevelopment(() => 'Return the record to store, or undefined to delete it.'),
      },
    );
  }

  #validateWith(key: string, validator: StandardSchema, record: unknown): unknown {
    this.running = `${key}.validator`;
    const output = validateWith(validator, record, `A ${key}`, { entity: key });
    this.running = '';
    if (!(output instanceof Promise)) return output;
    output.catch(() => undefined);
    throw new DataError('validator-async', `${key}.validator returned a promise, but a write cannot wait.`, {
      entity: key,
      cure: inDevelopment(() => 'Pass it as validate of the endpoint instead.'),
    });
  }

  /** Returns the pk of a record, if it has one. A new record has none while a field of its pk is missing. */
  pk(
    { entity, hooks }: EntityPlan,
    record: Row,
    parent: unknown,
    key: string | undefined,
    isNew: boolean = false,
  ): string | undefined {
    if (!hooks.pk) {
      const { id } = record as { readonly id?: unknown };
      if (typeof id === 'string' && id !== '' && id !== 'undefined') return id;
      if (typeof id === 'number' && Number.isSafeInteger(id)) return String(id);
    }
    const pk = this.#pkFromArgs(entity, record, parent, key);
    return isNew && pk !== undefined && this.#lacksPart(entity, record, parent, key, pk) ? undefined : pk;
  }

  // A method of its own, because a function that contains another one takes memory for each call.
  #lacksPart(entity: EntityPlan['entity'], record: Row, parent: unknown, key: string | undefined, pk: string): boolean {
    return lacksPart(pk, (value) => entity.pk(value, parent, key, this.#args), record);
  }

  #pkFromArgs(entity: EntityPlan['entity'], record: Row, parent: unknown, key: string | undefined): string | undefined {
    this.running = `${entity.key}.pk()`;
    const pk = pkOf(entity, record, parent, key, this.#args);
    this.running = '';
    return pk;
  }

  /**
   * Returns a temporary pk for a record without one, or `''` if it is left out. Throws if each record needs one. A record that is nested in a
   * sent body may be new. The guess shows it. When the server has stored it, its pk is not known, so it is left out until the record around it
   * is fetched again. `nested` is the input if it is inside of another record.
   */
  temporaryPk(entity: string, record: Row, isNew: boolean, nested: object | undefined): string {
    const { isGuess, isPart } = this.#writing;
    const isInside = isPart && nested !== undefined;
    // A record as components read it has the default of its class where nothing was loaded.
    if (nested !== undefined && isDefaultRecord(nested)) return '';
    if (isNew || (isInside && isGuess)) return this.#creating.temporaryPk(entity);
    if (isInside) return '';
    throw pkMissing(entity, record);
  }

  /** A record that may be partial is validated together with its stored row, which `rows` reads. */
  validate({ entity }: EntityPlan, processed: Row, { pk, table }: RowCell, rows: RowsOfWrite): void {
    const row = this.#writing.isPart ? rows.getEntity(table.name, pk) : undefined;
    this.running = `${entity.key}.validate()`;
    const complaint = entity.validate(isRow(row) ? { ...row, ...processed } : processed);
    this.running = '';
    if (complaint === undefined) return;
    throw new DataError('record-refused', `${entity.key}.validate() refused a record: ${complaint}.`, {
      entity: entity.key,
      cure: inDevelopment(() => 'Correct the record in process(), or accept it in validate().'),
    });
  }
}

/** Returns the guess of a new record with the lists of its own that it lacks: nothing is in them yet, but records can be added before the answer. */
export function withEmptyLists({ refs }: EntityPlan, record: Row): Row {
  const fields: Record<string, unknown> = {};
  for (const { name, plan } of refs) {
    if (plan.kind !== 'rows' || (record as Fields)[name] !== undefined) continue;
    const schema = plan.schema as { readonly isMap?: boolean; nestKey?(parent: Row, key: string): unknown };
    try {
      if (schema.nestKey?.(record, name) !== undefined) fields[name] = schema.isMap === true ? {} : [];
    } catch {
      // `nestKey` needs more of the record than its body has. The answer has it.
    }
  }
  return { ...record, ...fields };
}

interface ProcessedRecord {
  readonly processed: Row;
  readonly input: object;
  readonly stored: Row;
}

/**
 * Returns a processed record without the fields that are `undefined` only because the input lacks what they are made from. These are the fields that
 * `process` makes of the input together with the stored row.
 */
export function withoutLackingFields(
  { entity }: EntityPlan,
  { processed, input, stored }: ProcessedRecord,
  about: readonly [parent: unknown, key: string | undefined, args: readonly unknown[]],
): Row {
  const isAbsent = (name: string): boolean => Reflect.get(processed, name) === undefined && !Object.hasOwn(input, name);
  const absent = Object.keys(processed).filter(isAbsent);
  if (absent.length === 0) return processed;
  let whole: Fields | undefined;
  try {
    whole = Object(entity.process({ ...(copyPlain(stored) as Row), ...input }, ...about)) as Fields;
  } catch {
    // The class expects nested records where the row has references.
  }
  const isLacking = (name: string): boolean =>
    absent.includes(name) && (whole === undefined || whole[name] !== undefined);
  return Object.fromEntries(Object.entries(processed).filter(([name]) => !isLacking(name)));
}

/** Returns the input as a record. Throws for a list. */
export function asRecord({ key }: { readonly key: string }, input: object): Row {
  if (Array.isArray(input)) throw arrayForEntity(key);
  return input;
}
