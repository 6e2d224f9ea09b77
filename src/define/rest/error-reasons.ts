import { isPlain, type Fields } from '../../std/plain.ts';

/** The texts about invalid fields of a body, by the names of the fields. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** The texts for the user in the body of an error. */
export interface Reasons {
  readonly message: string | undefined;
  readonly fieldErrors: FieldErrors | undefined;
}

/** The texts by the names of fields. Those of no field have the name ''. */
type FoundReasons = Map<string, Set<unknown>>;

const MAX_LENGTH = 1000;
const MAX_DEPTH = 8;
/** No form shows more errors of one list. The body may be a megabyte of records. */
const MAX_ERRORS = 1000;
/** Fields of an error that hold its text, the most specific first. CouchDB uses `reason`, OAuth `error_description`. */
const TEXTS =
  'detail message errorMessage defaultMessage msg error_description description reason title error errors'.split(' ');
/** Fields of an error that hold further errors, in lists or by the names of the fields that they are about. */
const ERRORS = new Set('errors fieldErrors messages modelState _issues'.split(' '));
/** Fields of an error that may hold further errors. */
const PLACES = new Set([
  ...ERRORS,
  ...'error errorMessages formErrors detail details data message issues causes inner violations fieldViolations invalid-params invalidParams constraints _error _embedded'.split(
    ' ',
  ),
]);
/** Fields of an error that name the field it is about. */
const NAMES = 'pointer parameter param field property attribute attr target'.split(' ');
/** The same in a list of errors. Elsewhere, `path` is that of the request, and `name` that of the error. */
const NAMES_IN_LISTS = [...NAMES, ...'path instancePath propertyPath fieldName propertyName loc name key'.split(' ')];
/** The parts of a request. Some servers begin the paths of fields with them. */
const REQUEST_PARTS = new Set<unknown>('body json query querystring params path header headers cookie in'.split(' '));
/** Field names by which servers list reasons that belong to no field. */
const NO_FIELD = new Set('base non_field_errors undefined'.split(' '));

/**
 * Reads the reasons in the body of an error. An error is a text, or an object with a text. Errors are in lists, or in objects by the names of
 * their fields, at the places where servers have them. For any other body, both results are `undefined`.
 */
export function reasonsOf(data: unknown): Reasons {
  const found: FoundReasons = new Map();
  readErrors(data, '', found);
  const general = [...(found.get('') ?? [])];
  found.delete('');
  const fields = [...found].map(([name, texts]) => [name, [...texts] as string[]] as const);
  const all = [...general, ...fields.map(([name, texts]) => `${name}: ${texts.join(', ')}`)].join('; ');
  const body = fieldsIn(data);
  const message = textOf(fieldsIn(body['error'])) ?? textOf(body) ?? all.slice(0, MAX_LENGTH);
  return { message: message || undefined, fieldErrors: fields.length > 0 ? Object.fromEntries(fields) : undefined };
}

/** Reads a list of errors, errors by the names of fields, or one error with the errors inside it. All are about the field `outerField`. */
function readErrors(value: unknown, outerField: string, found: FoundReasons, names = NAMES, depth = 0): void {
  if (depth > MAX_DEPTH) return;
  if (Array.isArray(value)) {
    for (const [at, item] of value.slice(0, MAX_ERRORS).entries()) {
      const field = areFields(item) ? `${outerField}.${at}` : outerField;
      if (isPlain(item)) readErrors(item, field, found, NAMES_IN_LISTS, depth + 1);
      else add(item, field, found);
    }
  } else if (isTree(value)) readTree(fieldsIn(value), outerField, found, depth);
  else if (areFields(value)) readFields(value as Fields, outerField, found, depth);
  else readError(fieldsIn(value), outerField, found, names, depth);
}

/** Reads errors by the names of fields. The field of a nested object is named `address.city`. */
function readFields(map: Fields, outerField: string, found: FoundReasons, depth: number): void {
  for (const [name, value] of Object.entries(map)) {
    // Names such as `_errors` are not those of fields. Phoenix sends `{ errors: { detail: 'Not Found' } }`.
    const isGeneral = /^_[a-z]/.test(name) || (name === 'detail' && typeof value === 'string');
    const field = isGeneral ? outerField : `${outerField}.${name}`;
    if (Array.isArray(value) || isMessage(value)) readErrors(value, field, found, [], depth + 1);
    else if (isPlain(value) && depth < MAX_DEPTH) readFields(value as Fields, field, found, depth + 1);
    else add(value, field, found);
  }
}

/** Reads the body that `treeifyError` of Zod makes: `{ errors: [], properties: { title: { errors: ['Required'] } } }`. */
function readTree({ errors, properties, items }: Fields, outerField: string, found: FoundReasons, depth: number): void {
  if (depth > MAX_DEPTH) return;
  readErrors(errors, outerField, found, NAMES, depth + 1);
  for (const [name, inner] of Object.entries({ ...Object(properties), ...Object(items) } as Fields))
    readTree(fieldsIn(inner), `${outerField}.${name}`, found, depth + 1);
}

function readError(
  error: Fields,
  outerField: string,
  found: FoundReasons,
  names: readonly string[],
  depth: number,
): void {
  const own = fieldOf(error, names);
  const field = own ?? outerField;
  const text = textOf(error) ?? (own === undefined ? own : (error['issue'] ?? error['code']));
  if (error['code'] === 'FST_ERR_VALIDATION') readSentences(String(text), found);
  else add(text, field, found);
  for (const [name, value] of Object.entries(error)) {
    // Records may be there as well.
    const { code, errors, message, params, value: inLanguage } = fieldsIn(value);
    const held = name === 'data' && !areErrors(value) ? (errors ?? params) : listIn(value);
    const inside = name === 'constraints' ? Object.values(Object(held) as Fields) : held;
    // A message with a code or text of its own is one error, and not texts by the names of fields.
    const isByField = name === 'message' && (code ?? errors ?? message ?? inLanguage) === undefined;
    const isMap = ERRORS.has(name) || inside === params || isByField;
    if (!PLACES.has(name) || !isPlain(inside)) continue;
    if (isMap && !Array.isArray(inside) && !isTree(inside)) readFields(inside as Fields, field, found, depth + 1);
    else readErrors(inside, field, found, NAMES, depth + 1);
  }
}

/** Reads the text of Fastify, such as `body/title must be string, body must have required property 'tags'`. */
function readSentences(all: string, found: FoundReasons): void {
  const sentences: { readonly path: string; text: string }[] = [];
  for (const part of all.split(', ')) {
    const [place = '', ...words] = part.split(' ');
    const [first, ...path] = place.split('/');
    const last = sentences.at(-1);
    if (REQUEST_PARTS.has(first)) sentences.push({ path: path.join('.'), text: words.join(' ') });
    // A sentence may contain commas.
    else if (last) last.text += `, ${part}`;
    else sentences.push({ path: '', text: part });
  }
  for (const { path, text } of sentences) {
    const [, missing = ''] = text.endsWith("'") ? text.split(" property '") : [];
    add(text, `${path}.${missing.slice(0, -1)}`, found);
  }
}

function add(text: unknown, outerField: string, found: FoundReasons): void {
  if (typeof text !== 'string') return;
  const path = plainPath(outerField);
  const field = NO_FIELD.has(path) ? '' : path;
  found.set(field, (found.get(field) ?? new Set()).add(text));
}

/** Returns the text of an error. In place of one, NestJS and FastAPI send a list. */
function textOf(error: Fields): string | undefined {
  for (const name of TEXTS) {
    const value = listIn(error[name]);
    // OData 2 sends `{ lang, value }` in place of the text.
    const text = fieldsIn(value)['value'] ?? value;
    if (Array.isArray(text)) return undefined;
    if (typeof text === 'string' && text.trim() !== '') return text.slice(0, MAX_LENGTH);
  }
  return undefined;
}

/** Returns the list in a text, or else the value: the message of a `ZodError` is its list of errors as JSON. */
function listIn(value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith('[')) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** Returns the path of the field that an error is about, or '' for the whole body. */
function fieldOf(error: Fields, names: readonly string[]): string | undefined {
  const { source, extensions, params, info, loc } = error;
  const given = [source, error, extensions].flatMap((part) => names.map((name) => fieldsIn(part)[name]));
  // A name such as ValidationError is that of the error.
  const own: unknown = given.find(
    (value) => Array.isArray(value) || (typeof value === 'string' && !value.endsWith('Error')),
  );
  // In errors of FastAPI, the first step of `loc` is always the part of the request.
  const steps: unknown = Array.isArray(own) ? own.slice(own === loc && REQUEST_PARTS.has(own[0]) ? 1 : 0) : [own];
  const { additionalProperty, missingProperty: missing = additionalProperty } = fieldsIn(params ?? info);
  if (own === undefined && missing === undefined) return undefined;
  return (
    [steps, missing]
      .flat()
      // Issues of Valibot, and of other validators with Standard Schema, have steps such as `{ key: 'title' }`.
      .map((step: unknown) => fieldsIn(step)['key'] ?? step)
      .filter((step) => typeof step !== 'object')
      .join('.')
  );
}

/** Returns a path such as `tags.0` for `/tags/0`, `#/tags/0`, `tags[0]`, `$.tags[0]`, `/data/attributes/tags/0` or `body.tags[0]`. */
function plainPath(path: string): string {
  const steps = path.split(/[./[\]]/).filter((step) => !/^(#|\$?$)/.test(step));
  if (path.startsWith('/') && steps[0] === 'data') steps.shift();
  if (path.startsWith('/') && (steps[0] === 'attributes' || steps[0] === 'relationships')) steps.shift();
  if (steps.length > 1 && REQUEST_PARTS.has(steps[0])) steps.shift();
  return steps.join('.');
}

/** Returns whether a value holds errors only: lists of them, or objects of them by the names of fields. */
function areErrors(value: unknown, depth = 0): boolean {
  if (!isPlain(value) || depth > MAX_DEPTH) return false;
  const members: readonly unknown[] = Object.values(value);
  const isError = (member: unknown): boolean =>
    (Array.isArray(value) && typeof member === 'string') || isMessage(member) || areErrors(member, depth + 1);
  return members.every(isError);
}

/** Returns whether a value is an object of errors by the names of fields, and no error. */
function areFields(value: unknown): boolean {
  const names = Object.keys(fieldsIn(value));
  return areErrors(value) && names.some((name) => !PLACES.has(name)) && !names.some((name) => ERRORS.has(name));
}

function isTree(value: unknown): boolean {
  const { errors, properties, items } = fieldsIn(value);
  return Array.isArray(errors) && (properties ?? items) !== undefined;
}

/** Returns whether a value is an error with a text of its own, and not fields of the body. */
function isMessage(value: unknown): value is Fields {
  const { message, msg } = fieldsIn(value);
  return typeof (message ?? msg) === 'string';
}

/** Returns the fields of an object. Some servers of .NET begin their names with a capital letter, which becomes a small one. */
function fieldsIn(value: unknown): Fields {
  if (!isPlain(value) || Array.isArray(value)) return {};
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [`${name.charAt(0).toLowerCase()}${name.slice(1)}`, member]),
  );
}
