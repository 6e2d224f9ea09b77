import { fieldOf, isFilter, pageOf, type ListPage } from './argument-names.ts';
import { matchesArgument, asksForSeveral, asText, type CollectionKey, hasIn, SEPARATORS } from './collection-key.ts';
import type { EntityInterface } from './entity.ts';
import { equalPlain } from '../../std/plain.ts';
import { warn } from '../../std/warn.ts';
import { isObject } from './fields.ts';
import type { Loose } from './infer-schema.ts';
import type { Kinds } from './polymorphic.ts';
import { type RowAccess, viewOf, type Watch } from './record-view.ts';
import type { Row } from './schema.ts';
import type { Trust } from './trust.ts';

/** As a rule in `where`: only the server knows which records an argument selects. */
export const undecidable: unique symbol = Symbol('undecidable');

/** For a record: the value of the argument in the lists to which the record belongs. An array: each of its values. */
export type ListRule<Item = Loose> = ((item: Item) => unknown) | typeof undecidable;

/** How a collection decides which records belong to its lists. */
export type ListOptions<Item = Loose> = ListRules<Item> &
  (
    | {
        /** Where records are added that are created, or that begin to belong to a list. Default: `last`; with `orderBy`, at their place. */
        readonly create?: 'first' | 'last' | undefined;
        /** Compares two records of a list, as for `Array.sort`. `key` is the key of the list. */
        readonly orderBy?: ListOrderBy<Item> | undefined;
      }
    | { readonly create: 'sorted'; readonly orderBy: ListOrderBy<Item> }
  );

/** Compares two records of a list, as for `Array.sort`. `key` is the key of the list. */
export type ListOrderBy<Item = Loose> = (one: Item, other: Item, key: CollectionKey) => number;

interface ListRules<Item> {
  /**
   * Rules by the names of arguments. A rule returns the value that the argument must have for the lists to which a record belongs. Default:
   * the field of that name.
   */
  readonly where?: { readonly [argument: string]: ListRule<Item> } | undefined;
  /** Arguments that select a page of a list. Default: `page`, `limit`, `offset`, `cursor` and similar names. */
  readonly page?: readonly string[] | undefined;
  /** The field beside the list, in the response, that has its total. The total follows creates, deletions and moves. */
  readonly total?: string | undefined;
}

/** The members of a collection that decide which records belong to a list. */
export interface RuledCollection {
  readonly key: string;
  readonly where: Readonly<Record<string, ListRule>>;
  readonly page?: readonly string[] | undefined;
  readonly orderBy?: ListOrderBy | undefined;
  nonFilterArgumentKeys(name: string): boolean;
  isPaging(name: string): boolean;
}

/** The members of a collection that the followers of its lists use. */
export interface FollowedCollection extends RuledCollection {
  readonly schema: { readonly kinds: Kinds };
  readonly isMap: boolean;
  readonly create?: 'first' | 'last' | 'sorted' | undefined;
  readonly total?: string | undefined;
}

/** Whether a record belongs to a list. `maybe`: only the server knows. */
export type Belonging = 'yes' | 'no' | 'maybe';

/** The value of a field that the class has, but the record does not have yet. */
const ABSENT: unique symbol = Symbol('ABSENT');

/** An argument of lists, as a collection understands it. */
interface ListArgument {
  /** The field that the argument is about. */
  readonly field: string;
  readonly isSelecting: boolean;
  readonly rule: ListRule | undefined;
  readonly isNested: boolean;
}

/** The arguments of a list that select records, with their values. */
export type ListConditions = readonly (readonly [name: string, expected: unknown])[];

/** How a collection understands the arguments of its lists. Each name and each key is analysed once. */
class ListArguments {
  readonly #ruled: RuledCollection;
  readonly #byName = new Map<string, ListArgument>();
  readonly conditions: WeakMap<CollectionKey, ListConditions> = new WeakMap();
  readonly pages: WeakMap<CollectionKey, { readonly page: ListPage | undefined }> = new WeakMap();

  constructor(ruled: RuledCollection) {
    this.#ruled = ruled;
  }

  of(name: string): ListArgument {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const { where } = this.#ruled;
    const field = fieldOf(name);
    const rule = [name, field].map((own) => (Object.hasOwn(where, own) ? where[own] : undefined)).find(Boolean);
    const isSelecting = !this.#ruled.nonFilterArgumentKeys(name) && !this.#ruled.isPaging(name);
    const made: ListArgument = { field, isSelecting, rule, isNested: isFilter(name) && rule === undefined };
    this.#byName.set(name, made);
    return made;
  }
}

const known = new WeakMap<RuledCollection, ListArguments>();

function argumentsOf(ruled: RuledCollection): ListArguments {
  let found = known.get(ruled);
  if (found === undefined) known.set(ruled, (found = new ListArguments(ruled)));
  return found;
}

/** Returns whether an argument selects records, so that it does not sort or page. */
export function selects(ruled: RuledCollection, name: string): boolean {
  return argumentsOf(ruled).of(name).isSelecting;
}

/** Returns whether a collection has a rule for an argument. */
export function isRuled(ruled: RuledCollection, name: string): boolean {
  return argumentsOf(ruled).of(name).rule !== undefined;
}

/** Returns whether an argument is an object of conditions without a rule of its own, such as `filter`. */
export function isNested(ruled: RuledCollection, name: string): boolean {
  return argumentsOf(ruled).of(name).isNested;
}

/** Returns the conditions of a list, by the names of the arguments: `filter: { state }` becomes `filter[state]`. */
export function conditionsOf(ruled: RuledCollection, args: CollectionKey): ListConditions {
  const all = argumentsOf(ruled);
  const found = all.conditions.get(args);
  if (found !== undefined) return found;
  const made = Object.entries(args)
    .filter(([name]) => all.of(name).isSelecting)
    .flatMap(([name, expected]) =>
      all.of(name).isNested && isObject(expected) && !Array.isArray(expected)
        ? Object.entries(expected).map(([inner, member]) => [`${name}[${inner}]`, asText(member)] as const)
        : [[name, expected] as const],
    );
  all.conditions.set(args, made);
  return made;
}

export function pageIn(ruled: RuledCollection, args: CollectionKey): ListPage | undefined {
  const { pages } = argumentsOf(ruled);
  let found = pages.get(args);
  if (found === undefined) pages.set(args, (found = { page: pageOf(args, (name) => ruled.isPaging(name)) }));
  return found.page;
}

/** A field of another record that the rule of an argument has read. */
export interface FieldRead {
  readonly argument: string;
  readonly table: string;
  readonly pk: string;
  /** Undefined if the rule read a whole row that is not a record. */
  readonly field: string | undefined;
}

/** A record that is judged by rules. Returns the value that each argument of a list must have for it. */
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

  /** `asked`: the arguments of the request. They supply values that the record lacks. */
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

  missing(): void {
    this.isMissing = true;
  }

  noteRead(table: string, pk: string, field?: string): void {
    (this.#related ??= new Map()).set(`${table} ${pk}`, [table, pk]);
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
    const own: readonly unknown[] = Array.isArray(value) ? [...(value as unknown[]), value] : [value];
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
      ruleThrew(this.#ruled.key, `where.${name}`, rule, error);
      return undecidable;
    } finally {
      this.#running = undefined;
    }
  }

  /** Returns whether the record fulfils the condition `name: expected`. */
  agreesWith(name: string, expected: unknown): Belonging {
    // A record joins the lists that the parameters of its request name.
    if (hasIn(this.#params, name) && matchesArgument(this.#params[name], expected)) return 'yes';
    const value = this.valueOf(name);
    if (value === undecidable || value === ABSENT)
      return hasIn(this.#body, name) && matchesArgument(this.#body[name], expected) ? 'yes' : 'maybe';
    if (matchesArgument(value, expected)) return 'yes';
    const isOwn = isRuled(this.#ruled, name);
    if (isOwn && Array.isArray(value) && value.some((one) => matchesArgument(one, expected))) return 'yes';
    const isUnsure = !isOwn && (isObject(value) || isObject(expected));
    return isUnsure || isOneOf(value, expected) ? 'maybe' : 'no';
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
export function ruleThrew(table: string, name: string, rule: object, error: unknown): void {
  warn(rule, 'list-rule-threw', () => {
    if (thrown.has(rule)) return undefined;
    thrown.add(rule);
    return (
      `The rule ${name} of the lists of ${table} threw: ${String(error)}. Lists that depend on it are fetched again instead. ` +
      'Make the rule accept records that lack fields, or have null in them.'
    );
  });
}
