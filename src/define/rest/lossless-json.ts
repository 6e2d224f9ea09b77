import { QUOTE, stringEnd } from './json-text.ts';

/** Every integer with at most this many digits is exact as a number. */
const SAFE_DIGITS = 15;
const SPACE = 32;
const COLON = 58;

/** As `JSON.parse`, but an integer that a number cannot hold exactly becomes a string. */
export function parseLossless(text: string): unknown {
  return JSON.parse(quoteUnsafeIntegers(text));
}

/** Puts quotes around every integer that a number cannot hold exactly. Invalid JSON stays invalid. */
function quoteUnsafeIntegers(text: string): string {
  const parts: string[] = [];
  let kept = 0;
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(text, at);
    else if (!startsNumber(code)) at++;
    else {
      const end = numberEnd(text, at);
      // A number as a key is invalid JSON. Quotes would make it valid.
      if (isUnsafeInteger(text, at, end) && !isBeforeColon(text, end)) {
        parts.push(text.slice(kept, at), '"', text.slice(at, end), '"');
        kept = end;
      }
      at = end;
    }
  }
  return parts.join('') + text.slice(kept);
}

/** Returns whether a colon follows, so that the text before it is a key. */
function isBeforeColon(text: string, end: number): boolean {
  let at = end;
  while (text.charCodeAt(at) <= SPACE) at++;
  return text.charCodeAt(at) === COLON;
}

/** Returns whether a number can begin with this character: it is `-` or a digit. */
function startsNumber(code: number): boolean {
  return code === 45 || (code >= 48 && code <= 57);
}

/** Returns the index after all characters that a number can have. `JSON.parse` checks whether they form a number. */
function numberEnd(text: string, start: number): number {
  let at = start + 1;
  while (isNumberChar(text.charCodeAt(at))) at++;
  return at;
}

/** Returns whether a number can contain this character: it is a digit or one of `- + . E e`. */
function isNumberChar(code: number): boolean {
  return startsNumber(code) || code === 43 || code === 46 || code === 69 || code === 101;
}

/** Returns whether a part of the text is an integer that a number cannot hold exactly. */
function isUnsafeInteger(text: string, start: number, end: number): boolean {
  if (end - start <= SAFE_DIGITS) return false;
  const first = text.charCodeAt(start) === 45 ? start + 1 : start;
  // `012` is invalid JSON. Quotes would make it valid.
  if (text.charCodeAt(first) === 48) return false;
  for (let at = first; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code < 48 || code > 57) return false;
  }
  return !Number.isSafeInteger(Number(text.slice(start, end)));
}
