import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { isPlain, setOwn } from '../../std/plain.ts';

/**
 * A value that JSON cannot represent is encoded as a list that begins with this character and a letter. A list of the application
 * that begins in this way is encoded too.
 */
const MARK = '\u0000';
/** How deep a value can be nested. */
const MAX_DEPTH = 1600;

/**
 * Encodes a value as JSON for a script element: no text in it can end the element or begin another. `Date`, `bigint`,
 * `undefined` and the numbers that JSON lacks are restored by `fromScriptJson`.
 */
export function toScriptJson(value: unknown): string {
  return JSON.stringify(encoded(value, MAX_DEPTH)).replaceAll(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Decodes a text of `toScriptJson`. A key such as `__proto__` becomes an own property. */
export function fromScriptJson(text: string): unknown {
  try {
    return decoded(JSON.parse(text));
  } catch (cause) {
    throw new DataError('state-invalid', 'The state in the page was not written by this version of Rejoin.', {
      cause,
      cure: inDevelopment(
        () => 'Deploy server and browser together, and exclude the page from tools that rewrite HTML.',
      ),
    });
  }
}

function encoded(value: unknown, levels: number): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number')
    return Number.isFinite(value) && !Object.is(value, -0) ? value : marked('n', nameOf(value));
  if (typeof value === 'bigint') return marked('b', String(value));
  if (value === undefined) return marked('u');
  if (value instanceof Date) return marked('d', value.getTime());
  if (!isPlain(value) || levels === 0) throw unsendable(value, levels);
  if (Array.isArray(value)) {
    const items = Array.from(value, (item: unknown) => encoded(item, levels - 1));
    return isMarked(value) ? [`${MARK}a`, ...items] : items;
  }
  const copy = {};
  for (const [name, inner] of Object.entries(value)) setOwn(copy, name, encoded(inner, levels - 1));
  return copy;
}

function marked(kind: string, ...rest: readonly unknown[]): readonly unknown[] {
  return [MARK + kind, ...rest];
}

function isMarked([first]: readonly unknown[]): boolean {
  return typeof first === 'string' && first.startsWith(MARK);
}

function nameOf(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Changes the parsed value in place, because no other code has it. */
function decoded(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value) && isMarked(value)) return unmarked(value);
  for (const [name, inner] of Object.entries(value)) {
    const plain = decoded(inner);
    if (plain !== inner) setOwn(value, name, plain);
  }
  return value;
}

function unmarked([kind, content, ...rest]: readonly unknown[]): unknown {
  switch (kind) {
    case `${MARK}n`:
      return Number(content);
    case `${MARK}b`:
      return BigInt(String(content));
    case `${MARK}d`:
      // The time of an invalid date is NaN, which JSON turns into null.
      return new Date(content === null ? Number.NaN : Number(content));
    case `${MARK}a`:
      return [content, ...rest.map(decoded)];
    default:
      return undefined;
  }
}

function unsendable(value: unknown, levels: number): DataError {
  const what =
    levels === 0 ? 'data that is nested too deep, or refers to itself' : `a ${typeof value} that is not plain data`;
  return new DataError('state-unsendable', `A page cannot send ${what}.`, {
    cure: inDevelopment(() => 'Keep plain data in the store.'),
  });
}
