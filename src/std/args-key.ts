import { memo } from './memo.ts';
import { DataError } from './data-error.ts';
import { inDevelopment } from './development.ts';
import { MAX_DEPTH } from './plain.ts';

/** Which values are encoded by identity, because their content cannot be read. The others are refused. */
type ByIdentity = 'nothing' | 'instances' | 'everything';

/** The path to a value: the number of the argument, then names and indexes. */
type Path = (string | number)[];

interface Encoder {
  readonly path: Path;
  readonly byIdentity: ByIdentity;
}

/**
 * Encodes arguments as text: deeply equal arguments give the same text, all others a different one. Everything
 * that `structuredClone` copies is encoded by its content, and so are `FormData`, URLs and the values of Temporal. For plain data the text is JSON
 * with sorted names. Files, blobs and class instances, such as records, are encoded by identity. Anything else (a function, a
 * symbol, a stream, a circle) is an `args-invalid` error, unless `byIdentity` allows it. The error names the purpose of the
 * arguments, which is `what`. Fixed format: disks have request keys with such texts.
 */
export function argsKey(args: readonly unknown[], what: string, byIdentity: ByIdentity = 'instances'): string {
  // The common case. The text would be the same, but in many pieces.
  if (areSimple(args)) return JSON.stringify(args);
  const encoder: Encoder = { path: [], byIdentity };
  try {
    return `[${args.map((arg, at) => encodeArg(arg, at, encoder)).join(',')}]`;
  } catch (error) {
    throw argsInvalid(what, encoder.path, error);
  }
}

function areSimple(args: readonly unknown[]): boolean {
  try {
    // A loop, because `every` skips holes.
    for (const arg of args) if (!isSimple(arg)) return false;
    return true;
  } catch {
    // A getter throws. The encoder adds its place to the error.
    return false;
  }
}

/** Returns whether a value is a text, a number, or a plain object of some in sorted order. */
function isSimple(arg: unknown): boolean {
  if (typeof arg !== 'object' || arg === null) return isScalar(arg);
  const isPlain = Object.getPrototypeOf(arg) === Object.prototype;
  return isPlain && isSorted(Object.keys(arg)) && Object.values(arg).every(isScalar);
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || (Number.isFinite(value) && !Object.is(value, -0));
}

function encodeArg(arg: unknown, at: number, encoder: Encoder): string {
  try {
    return encodeAt(arg, at, encoder);
  } catch (error) {
    // The value contains itself, or a getter that throws.
    if (encoder.byIdentity !== 'everything') throw error;
    return identityOf(arg as object);
  }
}

/** Describes what is wrong with an argument. */
class Unencodable extends TypeError {}

function encode(value: unknown, encoder: Encoder): string {
  switch (typeof value) {
    case 'string':
      return quote(value);
    case 'number':
      return numberText(value);
    case 'bigint':
      return `${value}n`;
    case 'boolean':
    case 'undefined':
      return String(value);
    case 'object':
      return value === null ? 'null' : encodeObject(value, encoder);
    default:
      return encodeOpaque(value, encoder);
  }
}

/** Characters that JSON escapes. */
// oxlint-disable-next-line no-control-regex
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** As `JSON.stringify`, but faster for short strings. */
function quote(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

function isSorted(names: readonly string[]): boolean {
  for (let at = 1; at < names.length; at++) if ((names[at - 1] as string) > (names[at] as string)) return false;
  return true;
}

function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** When encoding throws, the path stays as it is: it leads to the value. */
function encodeAt(value: unknown, step: string | number, encoder: Encoder): string {
  encoder.path.push(step);
  const text = encode(value, encoder);
  encoder.path.pop();
  return text;
}

function encodeObject(value: object, encoder: Encoder): string {
  if (encoder.path.length > MAX_DEPTH) throw new Unencodable(`goes in a circle, or deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) return encodeArray(value, encoder);
  if (isPlainOfAnyRealm(value)) return encodeFields(value, encoder);
  const tag = Object.prototype.toString.call(value).slice('[object '.length, -1);
  const contents = ArrayBuffer.isView(value)
    ? encodeBytes(value)
    : (CONTENTS.get(tag)?.(value as never, encoder) ?? jsonText(value));
  if (contents !== undefined) return `${tag}(${contents})`;
  // Excludes promises and streams: they have tags of their own.
  return tag === 'Object' && encoder.byIdentity === 'instances' ? identityOf(value) : encodeOpaque(value, encoder);
}

/** Returns the JSON of a value that has a text, such as one of Temporal, or an instance of a class with `toJSON`. */
function jsonText(value: object): string | undefined {
  const { toJSON } = value as { readonly toJSON?: () => unknown };
  const json: unknown = typeof toJSON === 'function' ? toJSON.call(value) : undefined;
  return typeof json === 'string' || typeof json === 'number' ? JSON.stringify(json) : undefined;
}

function encodeArray(items: readonly unknown[], encoder: Encoder): string {
  const names = Object.keys(items);
  // Keys list the indexes first, in order. So if the last key is the last index, the array has no holes and no other fields.
  const isDense = names.length === items.length && (items.length === 0 || names.at(-1) === String(items.length - 1));
  return isDense ? encodeItems(items, encoder) : `Array(${items.length},${encodeFields(items, encoder)})`;
}

function encodeItems(items: readonly unknown[], encoder: Encoder): string {
  let text = '';
  for (let at = 0; at < items.length; at++) text += (at === 0 ? '' : ',') + encodeAt(items[at], at, encoder);
  return `[${text}]`;
}

function encodeFields(value: object, encoder: Encoder): string {
  const names = Object.keys(value);
  if (!isSorted(names)) names.sort();
  let text = '';
  for (const name of names) {
    const field: unknown = (value as Readonly<Record<string, unknown>>)[name];
    text += `${text === '' ? '' : ','}${quote(name)}:${encodeAt(field, name, encoder)}`;
  }
  return `{${text}}`;
}

/** Plain objects of another frame or realm have another `Object.prototype`. */
function isPlainOfAnyRealm(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return true;
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, 'isPrototypeOf');
}

type Encode = (value: never, encoder: Encoder) => string;

const encodeText: Encode = (value: RegExp | URL | URLSearchParams) => JSON.stringify(String(value));
const encodeValue: Encode = (value: object, encoder: Encoder) => encode(value.valueOf(), encoder);
const encodePairs: Encode = (pairs: Iterable<unknown>, encoder: Encoder) => encodeItems([...pairs].flat(), encoder);

/** Encoders for built-in objects, by tag: in another realm the same class is another object. */
const CONTENTS: ReadonlyMap<string, Encode> = new Map<string, Encode>([
  ['Date', encodeValue],
  ['Number', encodeValue],
  ['String', encodeValue],
  ['Boolean', encodeValue],
  ['BigInt', encodeValue],
  ['Map', encodePairs],
  ['Set', (items: Iterable<unknown>, encoder: Encoder) => encodeItems([...items], encoder)],
  ['FormData', encodePairs],
  ['RegExp', encodeText],
  ['URL', encodeText],
  ['URLSearchParams', encodeText],
  ['Error', encodeError],
  ['ArrayBuffer', encodeBytes],
  ['SharedArrayBuffer', encodeBytes],
  ['Blob', identityOf],
  ['File', identityOf],
]);

function encodeError(error: Error, encoder: Encoder): string {
  const { name, message, cause } = error;
  return encodeFields(Object.assign({}, error, { name, message, cause }), encoder);
}

function encodeBytes(value: ArrayBufferLike | ArrayBufferView): string {
  const bytes = ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : new Uint8Array(value);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function encodeOpaque(value: unknown, { byIdentity }: Encoder): string {
  if (byIdentity !== 'everything') throw new Unencodable(`is ${kindOf(value)}`);
  return typeof value === 'symbol' ? String(value) : identityOf(value as object);
}

function kindOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return `a ${typeof value}`;
  const { constructor } = value;
  const name = typeof constructor === 'function' ? constructor.name : '';
  return name === '' ? 'an instance of a class' : `an instance of the class ${name}`;
}

const identities = new WeakMap<object, string>();
let lastIdentity = 0;
let session: string | undefined;

/** Contains a random part for each session: keys are stored, and sent from servers to pages. */
function identityOf(value: object): string {
  session ??= Math.random().toString(36).slice(2);
  return memo(identities, value, () => `#${session}.${++lastIdentity}`);
}

function argsInvalid(what: string, path: Path, cause: unknown): DataError {
  const [first = 0, ...rest] = path;
  const shown = rest.slice(0, MAX_STEPS).map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
  const place = `args[${first}]${shown.join('')}${rest.length > MAX_STEPS ? '…' : ''}`;
  const why = cause instanceof Unencodable ? cause.message : 'cannot be read';
  return new DataError('args-invalid', `The argument ${place} of ${what} ${why}.`, {
    path: place,
    cause,
    cure: inDevelopment(() => 'Pass plain data: text, numbers, dates, and lists and objects of them.'),
  });
}

const MAX_STEPS = 8;
