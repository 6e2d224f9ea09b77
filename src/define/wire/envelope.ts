import { isPlain, setOwn, type Fields } from '../../std/plain.ts';
import { type FieldErrors, type Reasons, reasonsOf } from '../rest/error-reasons.ts';
import { renameKeys, restoreKeys } from '../rest/key-rename.ts';
import type { Wire, WireEndpoint } from '../rest/wire-shape.ts';
import { entitiesIn } from '../schema/bare-answer.ts';
import { answerUnexpected, entityIn, isFields, isListed, mapRecords, pkIn, valueAt, wrappedAt } from './records.ts';
import { type PageValue, pageReader, type PageOptions } from './page.ts';
import { referencedPks } from './references.ts';

/** The options of `envelope`. */
export interface EnvelopeOptions extends PageOptions {
  /** The field that holds one record, in answers and in bodies. */
  readonly one?: string;
  /** The field that holds the records of a list, and with `one` also those of a body. `data.items` is a field within another one. */
  readonly many?: string;
  /** The names of fields on the wire, by the names of the fields in the class. Only for fields whose names differ. */
  readonly names?: Readonly<Record<string, string>>;
  /** Fields that hold records or pks in the class, and that bodies send as pks under another name: `{ author: 'author_id' }`. */
  readonly write?: Readonly<Record<string, string>>;
  /** Fields that are sent and never read, each with an example value, such as `''`. Optimistic updates leave them out. */
  readonly writeOnly?: Fields;
  /** The field of an error that holds the reasons. Default: the fields in which servers usually have them. */
  readonly errors?: string;
}

/** The types of the write-only fields, widened from their examples: `string` for `''`. */
export type Widened<Only> = {
  -readonly [field in keyof Only]: Only[field] extends string
    ? string
    : Only[field] extends number
      ? number
      : Only[field] extends boolean
        ? boolean
        : Only[field];
};
export type RefsOf<O> = O extends { readonly write: infer Write } ? keyof Write & string : never;
export type OnlyOf<O> = O extends { readonly writeOnly: infer Only } ? Widened<Only> : {};

/** Records inside a field of their answers and bodies: `{ issue: {…} }`, `{ issues: […], total_count: 7 }`. */
export function envelope<const O extends EnvelopeOptions>(options: O): Wire<RefsOf<O>, OnlyOf<O>, PageValue<O>> {
  const { one, many, names = {}, write = {}, writeOnly = {}, errors } = options;
  const fieldNames = Object.fromEntries(Object.entries(names).map(([field, wireName]) => [wireName, field]));
  const page = pageReader(options);
  const read = (answer: unknown, endpoint: WireEndpoint, headers: Headers): unknown => {
    if (!isListed(endpoint)) return renameKeys(recordIn(answer, endpoint, options), fieldNames);
    return page.read(renameKeys(listIn(answer, endpoint, many), fieldNames), answer, endpoint, headers);
  };
  const writeOne = (body: object, endpoint: WireEndpoint): object => {
    const record = { ...body };
    for (const [field, name] of Object.entries(write)) {
      if (!Object.hasOwn(record, field)) continue;
      const value = referencedPks(record[field as never], field, endpoint);
      Reflect.deleteProperty(record, field);
      setOwn(record, name, value);
    }
    return restoreKeys(record, fieldNames);
  };
  return {
    read,
    write(body, endpoint) {
      const written = mapRecords(body, (record) => writeOne(record, endpoint));
      // A server that takes one record as it is takes a list as it is.
      const name = Array.isArray(body) ? one && many : one;
      return name === undefined ? written : wrappedAt(name, written);
    },
    guess: (body) => Object.fromEntries(Object.entries(body).filter(([field]) => !Object.hasOwn(writeOnly, field))),
    list: page.list,
    reasons: (data) => reasonsIn(data, errors, fieldNameFinder(options, fieldNames)),
  };
}

/** Returns a function that turns the name of a field on the wire into its name in the class. */
function fieldNameFinder({ one, write = {} }: EnvelopeOptions, fieldNames: Readonly<Record<string, string>>) {
  const fields = new Map(Object.entries(fieldNames));
  for (const [field, wireName] of Object.entries(write)) fields.set(wireName, field);
  return (name: string): string => {
    const own = one !== undefined && name.startsWith(`${one}.`) ? name.slice(one.length + 1) : name;
    return fields.get(own) ?? own;
  };
}

/** Returns the reasons in the body of an error. Field errors have the names that the fields have in the class. */
function reasonsIn(data: unknown, path: string | undefined, fieldOfName: (name: string) => string): Reasons {
  const inside = path === undefined ? undefined : valueAt(data, path);
  const { message, fieldErrors } = reasonsOf(
    typeof inside === 'string' || Array.isArray(inside) ? { errors: [inside].flat() } : (inside ?? data),
  );
  if (fieldErrors === undefined) return { message, fieldErrors };
  const renamed: FieldErrors = Object.fromEntries(
    Object.entries(fieldErrors).map(([name, texts]) => [fieldOfName(name), texts]),
  );
  return { message, fieldErrors: renamed };
}

/** Returns the record in an answer, or `null` if a mutation was answered without a record. */
function recordIn(answer: unknown, endpoint: WireEndpoint, { one, many }: EnvelopeOptions): unknown {
  const { schema, sideEffect } = endpoint;
  const inside = one === undefined ? undefined : valueAt(answer, one);
  if (inside !== undefined && inside !== null) return inside;
  const isBare = pkIn(entityIn(schema), answer) !== undefined;
  // A mutation may be answered with a list, with the bare record, or with a message. A message counts as success without a record.
  const listed = many === undefined || isBare || !sideEffect ? undefined : valueAt(answer, many);
  if (isPlain(listed) && entitiesIn(schema).length > 0) return listed;
  if (one === undefined) return answer;
  if (sideEffect) return Array.isArray(answer) || isBare ? answer : null;
  // Passed on, because the error of the endpoint says how to allow an answer without a record.
  if (inside === null) return null;
  throw answerUnexpected(endpoint, answer, `Expected { ${one} }. ${cureOf(answer, endpoint, one)}`);
}

function cureOf(answer: unknown, endpoint: WireEndpoint, one: string): string {
  if (pkIn(entityIn(endpoint.schema), answer) !== undefined)
    return `It is the record itself: write envelope() without one: '${one}'.`;
  const [name] = Object.entries(isFields(answer) ? answer : {}).find(([, value]) => isFields(value)) ?? [];
  return name === undefined ? 'Name in one the field that has the record.' : `Write envelope({ one: '${name}' }).`;
}

/** Returns the records in the answer of a list. Throws if there are none. */
function listIn(answer: unknown, endpoint: WireEndpoint, many: string | undefined): unknown {
  const inside = many === undefined ? answer : valueAt(answer, many);
  // `null` is passed on, because the error of the endpoint says how to read it as an empty list.
  if (Array.isArray(inside) || inside === null) return inside;
  const expected = many === undefined ? 'a list' : `{ ${many}: […] }`;
  throw answerUnexpected(endpoint, answer, `Expected ${expected}. ${listCure(answer, many)}`);
}

function listCure(answer: unknown, many: string | undefined): string {
  if (Array.isArray(answer)) return `It is the list itself: write envelope() without many: '${many}'.`;
  const path = pathToList(answer);
  return path === undefined ? 'Name in many the field that has the list.' : `Write envelope({ many: '${path}' }).`;
}

/** Returns the path of the first list in an answer, or in an object of an answer. */
function pathToList(answer: unknown, depth = 0): string | undefined {
  for (const [name, value] of Object.entries(isFields(answer) && depth < 2 ? answer : {})) {
    if (Array.isArray(value)) return name;
    const inner = pathToList(value, depth + 1);
    if (inner !== undefined) return `${name}.${inner}`;
  }
  return undefined;
}
