import { equalPlain } from '../../std/plain.ts';
import { warn } from '../../std/warn.ts';
import { asksForSeveral, type CollectionKey, hasIn, matchesArgument, SEPARATORS } from './collection-key.ts';
import { convertOf } from './convert.ts';
import { type EntityInterface, isEntity } from './entity.ts';
import { isObject } from './fields.ts';
import { argumentsOf, conditionsOf, isRuled } from './list-arguments.ts';
import { type RuledCollection, undecidable } from './list-rules.ts';
import { type RowAccess, viewOf, type Watch } from './record-view.ts';
import { type Row, rowName } from './row.ts';
import type { Trust } from './trust.ts';

/** Whether a record belongs to a list. `maybe`: only the server knows. */
export type Belonging = 'yes' | 'no' | 'maybe';

/** The value of a field that the class has, but the record does not have yet. */
const ABSENT: unique symbol = Symbol('ABSENT');

/** A field of another record that the rule of an argument has read. */
export interface FieldRead {
  readonly argument: string;
  readonly table: string;
  readonly pk: string;
  /** Undefined if the rule read a whole row that is not a record. */
  readonly field: string | undefined;
}

/** A record that rules check. Returns the value that each argument of a list must have for it, and whether it belongs to a list. */
export class Candidate implements Watch {
  readonly #ruled: RuledCollection;
  readonly #rows: RowAccess;
  #view: object | undefined = undefined;
  readonly #entity: EntityInterface;
  readonly #row: Readonly<Record<string, unknown>>;
  readonly #params: unknown;
  readonly #body: unknown;
  /** What rules have returned. */
  #values: Map<string, unknown> | undefined = undefined;
  /** Whether the running rule has read a field that is not known. */
  isMissing = false;
  #fieldReads: FieldRead[] | undefined = undefined;
  /** The argument whose rule is running. */
  #running: string | undefined = undefined;
  #related: Map<string, readonly [table: string, pk: string]> | undefined = undefined;

  /** `asked`: the arguments of the request, which supply values that the record lacks. `rows`: reads the records to which it refers. */
  constructor(
    ruled: RuledCollection,
    { entity, row, asked }: { readonly entity: EntityInterface; readonly row: Row; readonly asked: readonly unknown[] },
    rows: RowAccess,
  ) {
    this.#ruled = ruled;
    this.#rows = rows;
    this.#entity = entity;
    this.#row = row as Readonly<Record<string, unknown>>;
    // A single argument is the body.
    [this.#params, this.#body] = asked.length < 2 ? [undefined, asked[0]] : asked;
  }

  /** The record as rules see it. */
  get view(): object {
    return (this.#view ??= viewOf(this.#entity, this.#row, this.#rows, this));
  }

  /** What rules have read of other records, apart from their pks. */
  get fieldReads(): readonly FieldRead[] {
    return this.#fieldReads ?? [];
  }

  /** The other records that rules have read. */
  get related(): ReadonlyMap<string, readonly [table: string, pk: string]> {
    return this.#related ?? new Map();
  }

  noteMissing(): void {
    this.isMissing = true;
  }

  noteRead(table: string, pk: string, field?: string): void {
    (this.#related ??= new Map()).set(rowName(table, pk), [table, pk]);
    if (this.#running !== undefined) (this.#fieldReads ??= []).push({ argument: this.#running, table, pk, field });
  }

  /** Runs every rule, and `orderBy` with these keys, to note what they read. */
  runAll(keys: readonly CollectionKey[]): void {
    const { orderBy, where } = this.#ruled;
    for (const name of Object.keys(where)) this.valueOf(name);
    for (const key of keys) {
      try {
        orderBy?.(this.view, this.view, key);
      } catch {
        // What `orderBy` read before it threw is noted. The error is reported when a record is sorted.
      }
    }
  }

  /** Returns whether the value that an argument must have is known. */
  isDecided(name: string): boolean {
    const value = this.valueOf(name);
    return value !== undecidable && value !== ABSENT;
  }

  /** Returns whether the request has an argument of this name. */
  isInRequest(name: string): boolean {
    return hasIn(this.#params, name) || hasIn(this.#body, name);
  }

  /** Returns whether only the server knows the value that an argument must have. */
  isUndecidable(name: string): boolean {
    return this.valueOf(name) === undecidable;
  }

  /** Returns the value that an argument must have: `undecidable` if only the server knows it, `ABSENT` if the record lacks the field. */
  valueOf(name: string): unknown {
    const { field, rule } = argumentsOf(this.#ruled).of(name);
    if (rule === undefined) return this.#valueOfField(field);
    if (rule === undecidable) return undecidable;
    this.#values ??= new Map();
    if (!this.#values.has(name)) this.#values.set(name, this.#runRule(name, rule));
    return this.#values.get(name);
  }

  /** Returns whether the rule of an argument has read the same fields of the same records for another candidate. */
  hasSameReads(name: string, other: Candidate): boolean {
    const [own, others] = [this, other].map(({ fieldReads }) => fieldReads.filter(({ argument }) => argument === name));
    return equalPlain(own, others);
  }

  /** Returns the values of an argument that lists may have to which the record may belong. */
  valuesOf(name: string): readonly unknown[] {
    const value = this.valueOf(name);
    const own: readonly unknown[] = Array.isArray(value)
      ? [...(value as unknown[]), value]
      : [value, this.#asRead(name, value)];
    return hasIn(this.#params, name) ? [this.#params[name], ...own] : own;
  }

  #valueOfField(field: string): unknown {
    if (Object.hasOwn(this.#row, field)) return this.#row[field];
    const given = hasIn(this.#body, field) ? this.#body : this.#params;
    if (hasIn(given, field) && given[field] !== undefined) return given[field];
    const { defaults, schema } = this.#entity;
    return Object.hasOwn(defaults as object, field) || Object.hasOwn(schema, field) ? ABSENT : undecidable;
  }

  #runRule(name: string, rule: (item: never) => unknown): unknown {
    this.isMissing = false;
    this.#running = name;
    try {
      // A rule such as `({ owner }) => owner?.id` returns `undefined` for a record without an owner. It belongs to lists with `owner: null`.
      const value = rule(this.view as never) ?? null;
      return this.isMissing ? ABSENT : value;
    } catch (error) {
      warnOfRule(this.#ruled.key, `where.${name}`, rule, error);
      return undecidable;
    } finally {
      this.#running = undefined;
    }
  }

  /** Returns whether the record fulfils the condition `name: expected`. */
  agreesWith(name: string, expected: unknown): Belonging {
    const value = this.valueOf(name);
    // A record joins the lists that the parameters of its request name, unless a rule says that it belongs to none.
    const isNamed = hasIn(this.#params, name) && matchesArgument(this.#params[name], expected);
    if (isNamed && !(value === null && isRuled(this.#ruled, name))) return 'yes';
    if (value === undecidable || value === ABSENT)
      return hasIn(this.#body, name) && matchesArgument(this.#body[name], expected) ? 'yes' : 'maybe';
    if (matchesArgument(value, expected)) return 'yes';
    const isOwn = isRuled(this.#ruled, name);
    if (isOwn && Array.isArray(value) && value.some((one) => matchesArgument(one, expected))) return 'yes';
    if (matchesArgument(this.#asRead(name, value), expected)) return 'yes';
    const isUnsure = !isOwn && (isObject(value) || isObject(expected));
    return isUnsure || isOneOf(value, expected) ? 'maybe' : 'no';
  }

  /** Returns a stored value as components read it, because the argument of a list can be a date or a decimal, too. */
  #asRead(name: string, value: unknown): unknown {
    const { field, rule } = argumentsOf(this.#ruled).of(name);
    const convert = this.#entity.schema[field];
    const isStored = rule === undefined && (typeof value === 'string' || typeof value === 'number');
    if (!isStored || typeof convert !== 'function' || isEntity(convert)) return value;
    try {
      return convertOf(convert)(value);
    } catch {
      return value;
    }
  }

  belongsTo(args: CollectionKey, trust: Trust): Belonging {
    let belonging: Belonging = 'yes';
    for (const [name, expected] of conditionsOf(this.#ruled, args)) {
      const one = trust.isOff(name, expected) ? 'maybe' : this.agreesWith(name, expected);
      if (one === 'no') return 'no';
      if (one === 'maybe') belonging = one;
    }
    return belonging;
  }
}

/** Returns whether an argument asks for several values that include this one, or one of these: `state=open,done`, or a list. */
function isOneOf(value: unknown, expected: unknown): boolean {
  if (!asksForSeveral(expected)) return false;
  const options: readonly unknown[] =
    typeof expected === 'string' ? expected.split(SEPARATORS) : Object.values(Object(expected));
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return options.some((one) => values.some((each) => matchesArgument(each, one)));
}

/** Rules whose error was reported. */
const thrown = new WeakSet<object>();

/** Warns that a rule threw. The error does not end the write: the result of the rule counts as unknown. */
export function warnOfRule(table: string, name: string, rule: object, error: unknown): void {
  warn(rule, 'list-rule-threw', () => {
    if (thrown.has(rule)) return undefined;
    thrown.add(rule);
    return (
      `The rule ${name} of the lists of ${table} threw: ${String(error)}. Lists that depend on it are fetched again instead. ` +
      'Make the rule accept records that lack fields, or have null in them.'
    );
  });
}
