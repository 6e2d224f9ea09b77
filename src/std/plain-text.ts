import { isPlain, setOwn } from './plain.ts';

/** How deep data is searched. Arguments and guesses are written by hand, so no pk is deeper than this. */
const DEEPEST = 32;

/** Returns a copy of plain data and forms with what `textOf` returns in place of each text. If no text changes, returns the data itself. */
export function replaceTexts(data: unknown, textOf: (text: string) => unknown): unknown {
  const copies = new Map<object, object>();
  let isAny = false;
  const copy = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') {
      const text = textOf(value);
      isAny ||= text !== value;
      return text;
    }
    if (value instanceof FormData) {
      const form = new FormData();
      for (const [name, entry] of value) form.append(name, copy(entry, depth) as string);
      return form;
    }
    if (!isPlain(value) || depth > DEEPEST) return value;
    const known = copies.get(value);
    if (known !== undefined) return known;
    const made = Array.isArray(value) ? Array.from(value) : {};
    copies.set(value, made);
    for (const [name, member] of Object.entries(value)) setOwn(made, name, copy(member, depth + 1));
    return made;
  };
  const made = copy(data, 0);
  return isAny ? made : data;
}
