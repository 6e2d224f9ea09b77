import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { isPlain, setOwn } from '../../std/plain.ts';

/** The options of `camelCaseKeys`, `snakeCaseKeys` and `convertKeys`. */
export interface KeyCaseOptions {
  /** Fields whose values are not converted, such as maps whose keys are data. Use the names of the input. */
  readonly skip?: readonly string[];
}

const UNDERSCORE = 95;
/** The distance between a lower-case letter and its capital in ASCII. */
const TO_CAPITAL = 32;

/**
 * Returns a copy with all keys in camel case, at every depth: `currentViewers`. Values that are not arrays or plain objects are not copied.
 */
export function camelCaseKeys<Value>(value: Value, options: KeyCaseOptions = {}): Value {
  return convertKeys(value, camelCase, options) as Value;
}

/**
 * Returns a copy with all keys in snake case, at every depth: `current_viewers`. Values that are not arrays or plain objects are not
 * copied.
 */
export function snakeCaseKeys<Value>(value: Value, options: KeyCaseOptions = {}): Value {
  return convertKeys(value, snakeCase, options) as Value;
}

/** As `camelCaseKeys`, with a rule of your own. Throws if two keys of an object become the same. */
export function convertKeys(value: unknown, rule: (key: string) => string, options: KeyCaseOptions = {}): unknown {
  const skipped = new Set(options.skip);
  /** By the objects that they are made from. An object can be at several places, also inside of itself. */
  const copies = new Map<object, object>();
  const begin = (from: unknown): unknown => {
    if (!isPlain(from)) return from;
    const copy: object = copies.get(from) ?? (Array.isArray(from) ? [] : {});
    copies.set(from, copy);
    return copy;
  };
  const made = begin(value);
  // In place of recursion, because data can be nested deeper than the call stack allows. The loop also visits what it adds to the map.
  for (const [from, to] of copies) {
    if (Array.isArray(from)) for (const item of from) (to as unknown[]).push(begin(item));
    else convertRecord(from, to, rule, (field, inner) => (skipped.has(field) ? inner : begin(inner)));
  }
  return made;
}

function convertRecord(
  from: object,
  to: object,
  rule: (key: string) => string,
  convert: (field: string, value: unknown) => unknown,
): void {
  for (const [field, value] of Object.entries(from)) {
    const key = rule(field);
    if (Object.hasOwn(to, key)) throw collision(from, key, rule);
    setOwn(to, key, convert(field, value));
  }
}

/** `user_id` → `userId`. An underscore that no lower-case letter follows stays, so that `snakeCase` restores the key exactly. */
export function camelCase(key: string): string {
  let text = '';
  let kept = 0;
  for (let at = key.indexOf('_', leadingUnderscores(key)); at >= 0; at = key.indexOf('_', at + 1)) {
    const next = key.charCodeAt(at + 1);
    if (!isSmall(next)) continue;
    text += key.slice(kept, at) + String.fromCharCode(next - TO_CAPITAL);
    kept = at + 2;
    at++;
  }
  return kept === 0 ? key : text + key.slice(kept);
}

/** `userId` → `user_id`. The exact inverse of `camelCase`. A key that is already in snake case stays. */
export function snakeCase(key: string): string {
  const front = leadingUnderscores(key);
  let text = '';
  let kept = 0;
  for (let at = 0; at < key.length; at++) {
    const code = key.charCodeAt(at);
    if (code === UNDERSCORE && at > front && isSmall(key.charCodeAt(at + 1))) return key;
    if (code < 65 || code > 90) continue;
    text += key.slice(kept, at) + (at > front ? '_' : '') + String.fromCharCode(code + TO_CAPITAL);
    kept = at + 1;
  }
  return kept === 0 ? key : text + key.slice(kept);
}

/** Returns the number of leading underscores. They do not separate words. */
function leadingUnderscores(key: string): number {
  let front = 0;
  while (key.charCodeAt(front) === UNDERSCORE) front++;
  return front;
}

function isSmall(code: number): boolean {
  return code >= 97 && code <= 122;
}

function collision(from: object, key: string, rule: (key: string) => string): DataError {
  const fields = Object.keys(from).filter((field) => rule(field) === key);
  return new DataError(
    'key-collision',
    `The fields ${fields.join(' and ')} of one object would both be called ${key}.`,
    {
      path: key,
      cure: inDevelopment(() => 'Convert one of them by hand first, or skip the field that the object is in.'),
    },
  );
}
