import { formEntries } from '../../std/form-entries.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { copyPlain, isPlain, TooDeep } from '../../std/plain.ts';

/** Marks values that JSON has no form for. Plain objects with this member are marked too. */
const KIND = '$kind';

/** Arguments as JSON, and the contents of files apart from it. Fixed format: `SavedEdit` contains it. */
export interface ArgsText {
  readonly json: unknown;
  /** Base64, in the order of the files in the arguments. */
  readonly files: readonly string[];
}

/** Returns a copy of the arguments of a call, which its caller cannot change while they wait. Throws for data that text cannot represent. */
export function copyArgs(args: readonly unknown[], name: string): readonly unknown[] {
  try {
    return args.map((arg) => (arg instanceof FormData ? formOf(formEntries(arg), (value) => value) : copyPlain(arg)));
  } catch (error) {
    if (error instanceof TooDeep) throw argumentInvalid(name);
    throw error;
  }
}

/** Turns the arguments of a call into text. Throws at once for arguments that text cannot represent, such as streams and functions. */
export function argsToText(args: readonly unknown[], name: string): Promise<ArgsText> {
  const files: Promise<string>[] = [];
  const json = toJson(args, files, name);
  return Promise.all(files).then((read) => ({ json, files: read }));
}

function toJson(value: unknown, files: Promise<string>[], name: string): unknown {
  const inside = (one: unknown): unknown => toJson(one, files, name);
  if (Array.isArray(value)) return value.map(inside);
  if (value === undefined) return { [KIND]: 'undefined' };
  if (typeof value === 'bigint') return { [KIND]: 'bigint', value: String(value) };
  if (typeof value === 'number' && !Number.isFinite(value)) return { [KIND]: 'number', value: String(value) };
  const isLost = typeof value === 'function' || value instanceof Map || value instanceof Set;
  if (isLost || 'getReader' in Object(value)) throw argumentInvalid(name);
  if (value instanceof Date) return { [KIND]: 'date', value: value.getTime() };
  if (value instanceof Blob) {
    // A Blob that is no File has no name.
    const { type, name: fileName, lastModified } = value as File;
    return { [KIND]: 'file', type, name: fileName, lastModified, at: files.push(base64(value)) - 1 };
  }
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value))
    return { [KIND]: 'bytes', at: files.push(base64(new Blob([value as BlobPart]))) - 1 };
  if (value instanceof URLSearchParams) return { [KIND]: 'params', value: String(value) };
  if (value instanceof FormData) return { [KIND]: 'form', fields: Array.from(formEntries(value), inside) };
  if (!isPlain(value)) return value;
  const members = Object.fromEntries(Object.entries(value).map(([field, member]) => [field, inside(member)]));
  return Object.hasOwn(value, KIND) ? { [KIND]: 'object', members } : members;
}

async function base64(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  // In parts, because the number of arguments of one call is limited.
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

/** The inverse of `argsToText`. Throws for anything else. */
export function argsFromText({ json, files }: ArgsText): readonly unknown[] {
  const args = fromJson(json, files);
  if (!Array.isArray(args)) throw new TypeError('No arguments.');
  return args;
}

interface Marked {
  readonly [KIND]: string;
  readonly value?: string | number | null;
  readonly at?: number;
  readonly type?: string;
  readonly name?: string;
  readonly lastModified?: number;
  readonly fields?: readonly (readonly [string, unknown])[];
  readonly members?: object;
}

function fromJson(value: unknown, files: readonly string[]): unknown {
  const inside = (one: unknown): unknown => fromJson(one, files);
  if (Array.isArray(value)) return value.map(inside);
  if (typeof value !== 'object' || value === null) return value;
  if (Object.hasOwn(value, KIND)) return fromMarked(value as Marked, files, inside);
  return Object.fromEntries(Object.entries(value).map(([field, member]) => [field, inside(member)]));
}

function fromMarked(marked: Marked, files: readonly string[], inside: (value: unknown) => unknown): unknown {
  switch (marked[KIND]) {
    case 'undefined':
      return undefined;
    case 'bigint':
      return BigInt(marked.value ?? 0);
    case 'number':
      return Number(marked.value);
    case 'date':
      // The time of an invalid date is NaN, which JSON turns into null.
      return new Date(marked.value ?? Number.NaN);
    case 'file':
      return fileOf(marked, files[marked.at ?? -1]);
    case 'bytes':
      return bytesOf(files[marked.at ?? -1]);
    case 'params':
      return new URLSearchParams(String(marked.value));
    case 'form':
      return formOf(marked.fields ?? [], inside);
    case 'object':
      return Object.fromEntries(Object.entries(marked.members ?? {}).map(([field, member]) => [field, inside(member)]));
    default:
      throw new TypeError(`Unknown kind ${marked[KIND]}.`);
  }
}

function fileOf({ name, ...options }: Marked, text: string | undefined): Blob {
  const bytes = bytesOf(text);
  return name === undefined ? new Blob([bytes], options) : new File([bytes], name, options);
}

function bytesOf(text: string | undefined): Uint8Array<ArrayBuffer> {
  if (text === undefined) throw new TypeError('The content of a file is missing.');
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

function formOf(fields: Iterable<readonly [string, unknown]>, inside: (value: unknown) => unknown): FormData {
  const form = new FormData();
  for (const [name, kept] of fields) form.append(name, inside(kept) as string);
  return form;
}

function argumentInvalid(name: string): DataError {
  return new DataError(
    'outbox-argument-invalid',
    `An argument of ${name} is a stream, a function, a Map, a Set or data that contains itself, which cannot be kept for later.`,
    { cure: inDevelopment(() => 'Pass plain data, a File, a Blob or FormData.') },
  );
}
