/** The code of the character `"`. */
export const QUOTE = 34;
const BACKSLASH = 92;

/** Returns the index after the JSON string that begins at `start`. */
export function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at + 1;
  }
  return text.length;
}
