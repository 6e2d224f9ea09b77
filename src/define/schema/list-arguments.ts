import { memo } from '../../std/memo.ts';
import { fieldOfArgument, isFilter, type ListPage, pageAsked } from './argument-names.ts';
import { asksForSeveral, asText, type CollectionKey, hasIn, matchesArgument } from './collection-key.ts';
import { isObject } from './fields.ts';
import type { ListRule, RuledCollection } from './list-rules.ts';

/** An argument of lists, as a collection understands it. */
interface ListArgument {
  /** The field that the argument is about. */
  readonly field: string;
  /** Whether it selects records, so that it does not sort or page. */
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
    const field = fieldOfArgument(name);
    const rule = [name, field].map((own) => (Object.hasOwn(where, own) ? where[own] : undefined)).find(Boolean);
    const isSelecting = !this.#ruled.nonFilterArgumentKeys(name) && !this.#ruled.isPaging(name);
    const made: ListArgument = { field, isSelecting, rule, isNested: isFilter(name) && rule === undefined };
    this.#byName.set(name, made);
    return made;
  }
}

const known = new WeakMap<RuledCollection, ListArguments>();

/** Returns how a collection understands the arguments of its lists. */
export function argumentsOf(ruled: RuledCollection): ListArguments {
  return memo(known, ruled, () => new ListArguments(ruled));
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
export function isConditionObject(ruled: RuledCollection, name: string): boolean {
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

/** Returns the page that the arguments of a list select. `undefined` if the list is whole. */
export function pageIn(ruled: RuledCollection, args: CollectionKey): ListPage | undefined {
  const { pages } = argumentsOf(ruled);
  let found = pages.get(args);
  if (found === undefined) pages.set(args, (found = { page: pageAsked(args, (name) => ruled.isPaging(name)) }));
  return found.page;
}

/**
 * Returns whether a list with these arguments may include a record that is not stored yet. False if an argument names a field with another
 * value. A text that contains the value may be found by a search, and only the server can decide about rules and several values.
 */
export function mayInclude(ruled: RuledCollection, args: CollectionKey, record: object): boolean {
  return conditionsOf(ruled, args).every(([name, expected]) => {
    const { field, rule } = argumentsOf(ruled).of(name);
    if (rule !== undefined || asksForSeveral(expected) || !hasIn(record, field)) return true;
    const value = record[field];
    const isFound = typeof value === 'string' && value.toLowerCase().includes(String(expected).toLowerCase());
    return isObject(value) || isFound || matchesArgument(value, asText(expected));
  });
}

/** Returns whether the arguments of a list select records by one of these fields. A rule may read any of them. */
export function asksFor(ruled: RuledCollection, args: CollectionKey, fields: readonly string[]): boolean {
  return conditionsOf(ruled, args).some(([name]) => {
    const { field, rule } = argumentsOf(ruled).of(name);
    return rule === undefined ? fields.includes(field) : fields.length > 0;
  });
}
