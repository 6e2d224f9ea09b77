import { isPlain, type Fields } from '../../std/plain.ts';

/** The texts about invalid fields of a body, by the names of the fields. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** The texts for the user in the body of an error. */
export interface Reasons {
  readonly message: string | undefined;
  readonly fieldErrors: FieldErrors | undefined;
}

const LONGEST = 1000;
/** Fields of an error that hold its text, the most specific first. CouchDB uses `reason`, OAuth `error_description`. */
const SENTENCES = [
  'detail',
  'message',
  'defaultMessage',
  'msg',
  'error_description',
  'reason',
  'title',
  'error',
  'Message',
];
/** Fields of an error that may hold a list of reasons. */
const LISTS = ['detail', 'message', 'issues', 'invalid-params', 'invalidParams', 'violations'];
/** In errors of FastAPI, the first step of a path is the part of the request. */
const REQUEST_PARTS: ReadonlySet<unknown> = new Set(['body', 'query', 'path', 'header', 'cookie']);
/** Field names by which servers list reasons that belong to no field. */
const NO_FIELD: ReadonlySet<string> = new Set(['', 'base', 'non_field_errors', 'undefined']);

/**
 * Reads the reasons in the body of an error. Knows problem details (RFC 9457), JSON:API, OData, WordPress, Rails, Django, Laravel, ASP.NET,
 * Spring, FastAPI, NestJS and Zod. For any other body, both results are `undefined`.
 */
export function reasonsOf(data: unknown): Reasons {
  const found = new FoundReasons();
  const sentence = readBody(data, found);
  return { message: sentence ?? found.summary(), fieldErrors: found.fieldErrors() };
}

/** Collects the reasons in a body, in their order. */
class FoundReasons {
  readonly #general: string[] = [];
  readonly #fields = new Map<string, string[]>();

  add(field: unknown, text: string): void {
    const name = typeof field === 'string' || typeof field === 'number' ? String(field) : '';
    if (NO_FIELD.has(name)) this.#general.push(text);
    else this.#textsOf(name).push(text);
  }

  #textsOf(field: string): string[] {
    const texts = this.#fields.get(field) ?? [];
    this.#fields.set(field, texts);
    return texts;
  }

  summary(): string | undefined {
    const ofFields = [...this.#fields].map(([name, texts]) => `${name}: ${texts.join(', ')}`);
    const all = [...this.#general, ...ofFields].join('; ');
    return all === '' ? undefined : all.slice(0, LONGEST);
  }

  fieldErrors(): FieldErrors | undefined {
    return this.#fields.size === 0 ? undefined : Object.fromEntries(this.#fields);
  }
}

/** Adds the reasons for parts of a body to `found`. Returns the text for the whole, if there is one. */
function readBody(data: unknown, found: FoundReasons): string | undefined {
  readList(data, found);
  const body = fieldsIn(data);
  const { error, errors } = body;
  readList(typeof errors === 'string' ? [errors] : errors, found);
  readMap(errors, found);
  for (const name of LISTS) readList(body[name], found);
  // Zod, flattened.
  const ofFields = body['fieldErrors'];
  readList(body['formErrors'], found);
  readMap(ofFields, found);
  // WordPress
  readMap(fieldsIn(body['data'])['params'], found);
  // OData
  const inner = fieldsIn(error);
  readList(inner['details'], found);
  const innerText = textOf(inner);
  if (innerText !== undefined && typeof inner['target'] === 'string') found.add(fieldOf(inner), innerText);
  // NestJS and FastAPI send their texts as a list, which was read above.
  const isListed = Array.isArray(body['message']) || Array.isArray(body['detail']);
  const sentence = innerText ?? (isListed ? undefined : textOf(body));
  // Rails and Django send only an object of fields, without an envelope.
  const isFieldsAlone = !isListed && [sentence, errors, ofFields].every((it) => it === undefined) && areTexts(body);
  if (isFieldsAlone) readMap(body, found);
  return sentence;
}

function readList(list: unknown, found: FoundReasons): void {
  if (!Array.isArray(list)) return;
  for (const item of list as readonly unknown[]) {
    const text = typeof item === 'string' ? item : textOf(fieldsIn(item));
    if (text !== undefined) found.add(fieldOf(fieldsIn(item)), text);
  }
}

/** Reads texts by the names of fields. The field of a nested object is named `address.city`. */
function readMap(map: unknown, found: FoundReasons, prefix = '', depth = 0): void {
  if (!isPlain(map) || Array.isArray(map) || depth > 5) return;
  for (const [name, value] of Object.entries(map)) {
    const field = prefix === '' ? name : `${prefix}.${name}`;
    const texts = Array.isArray(value) ? (value as readonly unknown[]) : [value];
    for (const text of texts) if (typeof text === 'string') found.add(field, text);
    readMap(value, found, field, depth + 1);
  }
}

/** Returns the text of an error, or of one part of an error. */
function textOf(fields: Fields): string | undefined {
  for (const name of SENTENCES) {
    const value = fields[name];
    // OData 2 sends `{ lang, value }` in place of the text.
    const text = isPlain(value) ? (value as Fields)['value'] : value;
    if (typeof text === 'string' && text.trim() !== '') return text.slice(0, LONGEST);
  }
  return undefined;
}

/** Returns the name of the field that one part of an error is about. */
function fieldOf(fields: Fields): unknown {
  const source = fieldsIn(fields['source']);
  const { pointer, parameter } = source;
  if (typeof pointer === 'string') return fieldAt(pointer);
  const { field, loc, name, path, propertyPath, target, property, param } = fields;
  const given = parameter ?? field ?? name ?? propertyPath ?? property ?? param ?? path;
  if (Array.isArray(loc)) return loc.slice(REQUEST_PARTS.has(loc[0]) ? 1 : 0).join('.');
  if (Array.isArray(given)) return given.join('.');
  return given ?? (typeof target === 'string' ? target.slice(target.lastIndexOf('/') + 1) : undefined);
}

/** Returns the field name for a JSON pointer: `address.city` for `/data/attributes/address/city`. */
function fieldAt(pointer: string): string {
  const names = pointer.split('/').slice(1);
  if (names[0] === 'data') names.shift();
  if (names[0] === 'attributes' || names[0] === 'relationships') names.shift();
  return names.join('.');
}

/** Returns whether an object holds only lists of texts, also in nested objects. */
function areTexts(body: Fields, depth = 0): boolean {
  const isText = (value: unknown): boolean =>
    Array.isArray(value)
      ? value.length > 0 && value.every((text) => typeof text === 'string')
      : depth < 5 && isPlain(value) && areTexts(value as Fields, depth + 1);
  return Object.values(body).every(isText);
}

function fieldsIn(value: unknown): Fields {
  return isPlain(value) && !Array.isArray(value) ? (value as Fields) : {};
}
