import { fieldOf, isFilter, pageOf, type ListPage } from './argument-names.ts';
import { agrees, asksForSeveral, asText, type CollectionKey, SEPARATORS, valuesIn } from './collection-key.ts';
import type { EntityInterface } from './entity.ts';
import { warn } from '../../std/warn.ts';
import { isObject } from './fields.ts';
import type { Loose } from './infer-schema.ts';
import type { Kinds } from './polymorphic.ts';
import { type RowAccess, viewOf, type Watch } from './record-view.ts';
import type { Row } from './schema.ts';
import type { Trust } from './trust.ts';

/** The rule of an argument of which only the server knows what belongs to its lists. */
export const undecidable: unique symbol = Symbol('undecidable');

/** What an argument has to be for the lists that a record belongs to. An array: one of these. */
export type ListRule<Item = Loose> = ((item: Item) => unknown) | typeof undecidable;

/** How a collection knows what belongs to its lists. */
export type ListOptions<Item = Loose> = ListRules<Item> &
  (
    | {
        /** Where records join that are created, or that have come to belong to a list. Default: `last`; with `orderBy`, in their place. */
        readonly create?: 'first' | 'last' | undefined;
        /** The order of the lists, as for `Array.sort`. `key` is what tells the list from others. */
        readonly orderBy?: ListOrderBy<Item> | undefined;
      }
    | { readonly create: 'sorted'; readonly orderBy: ListOrderBy<Item> }
  );

/** How two records of a list compare, as for `Array.sort`. `key` is what tells the list from others. */
export type ListOrderBy<Item = Loose> = (one: Item, other: Item, key: CollectionKey) => number;

interface ListRules<Item> {
  /** By argument: what it has to be for the lists that a record belongs to. Default: the field of that name. */
  readonly where?: { readonly [argument: string]: ListRule<Item> } | undefined;
  /** Arguments that cut a page out of a list. Default: `page`, `limit`, `offset`, `cursor` and the like. */
  readonly page?: readonly string[] | undefined;
  /** The field beside the list, in the response, that counts its records: it follows creates, deletions and moves. */
  readonly total?: string | undefined;
}

/** What the rules of a collection go by. */
export interface Ruled {
  readonly key: string;
  readonly where: Readonly<Record<string, ListRule>>;
  readonly page?: readonly string[] | undefined;
  readonly orderBy?: ListOrderBy | undefined;
  nonFilterArgumentKeys(name: string): boolean;
  isPaging(name: string): boolean;
}

/** What a collection says of its lists. */
export interface Following extends Ruled {
  readonly schema: { readonly kinds: Kinds };
  readonly isMap: boolean;
  readonly create?: 'first' | 'last' | 'sorted' | undefined;
  readonly total?: string | undefined;
}

/** Whether a record belongs to a list; `maybe` where only the server knows. */
export type Belonging = 'yes' | 'no' | 'maybe';

/** Stands for a field that a class has and that nothing is known of yet. */
const ABSENT: unique symbol = Symbol('ABSENT');

/** Whether an argument selects which records a list has. */
export function selects(ruled: Ruled, name: string): boolean {
  return !ruled.nonFilterArgumentKeys(name) && !ruled.isPaging(name);
}

/** Whether a collection says itself how an argument decides. */
export function isRuled(ruled: Ruled, name: string): boolean {
  return ruleOf(ruled, name) !== undefined;
}

function ruleOf({ where }: Ruled, name: string): ListRule | undefined {
  return [name, fieldOf(name)].map((own) => (Object.hasOwn(where, own) ? where[own] : undefined)).find(Boolean);
}

/** Whether an argument has others inside that decide, and that the key of a list alone tells. */
export function isNested(ruled: Ruled, name: string): boolean {
  return isFilter(name) && !isRuled(ruled, name);
}

/** What selects the records of a list, by the names of its arguments: `filter: { state }` is `filter[state]`. */
export function conditionsOf(ruled: Ruled, args: CollectionKey): readonly (readonly [name: string, kept: unknown])[] {
  return Object.entries(args)
    .filter(([name]) => selects(ruled, name))
    .flatMap(([name, kept]) =>
      isNested(ruled, name) && isObject(kept) && !Array.isArray(kept)
        ? Object.entries(kept).map(([inner, member]) => [`${name}[${inner}]`, asText(member)] as const)
        : [[name, kept] as const],
    );
}

export function pageIn(ruled: Ruled, args: CollectionKey): ListPage | undefined {
  return pageOf(args, (name) => ruled.isPaging(name));
}

/** What the rule of an argument has looked at of other records than the member. */
export interface Look {
  readonly argument: string;
  readonly table: string;
  /** Unset for the whole of a row that is no record. */
  readonly field: string | undefined;
}

/** A record that is filed, and what it says about the arguments of lists. */
export class Candidate implements Watch {
  readonly #ruled: Ruled;
  readonly #rows: RowAccess;
  #view: object | undefined = undefined;
  readonly #entity: EntityInterface;
  readonly #row: Readonly<Record<string, unknown>>;
  readonly #params: unknown;
  readonly #body: unknown;
  readonly #values = new Map<string, unknown>();
  /** Whether the rule that runs has asked for a field that nothing is known of. */
  isMissing = false;
  /** The records of which rules have seen more than the pk. */
  readonly looks: Look[] = [];
  /** The argument whose rule runs. */
  #running: string | undefined = undefined;
  readonly related: Map<string, readonly [table: string, pk: string]> = new Map();

  /** `asked` are the arguments that say what the record itself does not. */
  constructor(
    ruled: Ruled,
    { entity, row, asked }: { readonly entity: EntityInterface; readonly row: Row; readonly asked: readonly unknown[] },
    rows: RowAccess,
  ) {
    this.#ruled = ruled;
    this.#rows = rows;
    this.#entity = entity;
    this.#row = row as Readonly<Record<string, unknown>>;
    // Where there is one argument, it is what was sent.
    [this.#params, this.#body] = asked.length < 2 ? [undefined, asked[0]] : asked;
  }

  /** The record as rules see it. */
  get view(): object {
    return (this.#view ??= viewOf(this.#entity, this.#row, this.#rows, this));
  }

  missing(): void {
    this.isMissing = true;
  }

  looked(table: string, pk: string, field?: string): void {
    this.related.set(`${table} ${pk}`, [table, pk]);
    if (this.#running !== undefined) this.looks.push({ argument: this.#running, table, field });
  }

  /** Runs every rule, and the order of lists with these keys, for what they look at. */
  runAll(keys: readonly CollectionKey[]): void {
    const { orderBy, where } = this.#ruled;
    for (const name of Object.keys(where)) this.valueOf(name);
    for (const key of keys) {
      try {
        orderBy?.(this.view, this.view, key);
      } catch {
        // What it has looked at before, counts. It is told of where it is to put a record into its place.
      }
    }
  }

  /** Whether it is known what an argument has to be. */
  isDecided(name: string): boolean {
    const value = this.valueOf(name);
    return value !== undecidable && value !== ABSENT;
  }

  /** Whether what was asked for has an argument of this name. */
  isAsked(name: string): boolean {
    return valuesIn([this.#params, this.#body], name).length > 0;
  }

  /** Whether only the server knows what an argument has to be. */
  isUndecidable(name: string): boolean {
    return this.valueOf(name) === undecidable;
  }

  /** What an argument has to be: `undecidable` where only the server knows, `ABSENT` where it is not worked out yet. */
  valueOf(name: string): unknown {
    if (!this.#values.has(name)) this.#values.set(name, this.#find(name));
    return this.#values.get(name);
  }

  /** Values of an argument by which lists can be found that the record may belong to. */
  valuesOf(name: string): readonly unknown[] {
    const value = this.valueOf(name);
    const params = valuesIn([this.#params], name);
    return Array.isArray(value) ? [...params, ...(value as unknown[]), value] : [...params, value];
  }

  #find(name: string): unknown {
    const rule = ruleOf(this.#ruled, name);
    if (rule === undecidable) return undecidable;
    if (rule !== undefined) return this.#ask(name, rule);
    const field = fieldOf(name);
    if (Object.hasOwn(this.#row, field)) return this.#row[field];
    const [asked] = valuesIn([this.#body, this.#params], field);
    if (asked !== undefined) return asked;
    const { defaults, schema } = this.#entity;
    return Object.hasOwn(defaults as object, field) || Object.hasOwn(schema, field) ? ABSENT : undecidable;
  }

  #ask(name: string, rule: (item: never) => unknown): unknown {
    this.isMissing = false;
    this.#running = name;
    try {
      const value = rule(this.view as never);
      return this.isMissing ? ABSENT : value;
    } catch (error) {
      ruleThrew(this.#ruled.key, `where.${name}`, rule, error);
      return undecidable;
    } finally {
      this.#running = undefined;
    }
  }

  /** Whether the record is one of those that `name: kept` selects. */
  agreesWith(name: string, kept: unknown): Belonging {
    // What a record was asked to join, it joins.
    if (valuesIn([this.#params], name).some((asked) => agrees(asked, kept))) return 'yes';
    const value = this.valueOf(name);
    if (value === undecidable || value === ABSENT)
      return valuesIn([this.#body], name).some((asked) => agrees(asked, kept)) ? 'yes' : 'maybe';
    if (agrees(value, kept)) return 'yes';
    const isOwn = isRuled(this.#ruled, name);
    if (isOwn && Array.isArray(value) && value.some((one) => agrees(one, kept))) return 'yes';
    const isUnsure = !isOwn && (isObject(value) || isObject(kept));
    return isUnsure || isOneOf(value, kept) ? 'maybe' : 'no';
  }

  belongsTo(args: CollectionKey, trust: Trust): Belonging {
    let belonging: Belonging = 'yes';
    for (const [name, kept] of conditionsOf(this.#ruled, args)) {
      const one = trust.isOff(name, kept) ? 'maybe' : this.agreesWith(name, kept);
      if (one === 'no') return 'no';
      if (one === 'maybe') belonging = one;
    }
    return belonging;
  }
}

/** Whether an argument can ask for several values, of which this is one, or has one: `state=open,done`, or a list of them. */
function isOneOf(value: unknown, kept: unknown): boolean {
  if (!asksForSeveral(kept)) return false;
  const asked: readonly unknown[] = typeof kept === 'string' ? kept.split(SEPARATORS) : Object.values(Object(kept));
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return asked.some((one) => values.some((each) => agrees(each, one)));
}

/** The rules of which it was told that they have thrown. */
const thrown = new WeakSet<object>();

/** A rule does not end a write: what it would have said, is not known. */
export function ruleThrew(table: string, name: string, rule: object, error: unknown): void {
  warn(rule, 'list-rule-threw', () => {
    if (thrown.has(rule)) return undefined;
    thrown.add(rule);
    return (
      `The rule ${name} of the lists of ${table} threw: ${String(error)}. The lists are asked for again where it would have said ` +
      'what belongs where. A record can lack fields, or have null in them: let the rule take such records too.'
    );
  });
}
