import { formEntries } from '../../std/form-entries.ts';
import { isPlain, setOwn } from '../../std/plain.ts';
import { hasPk } from './key-of.ts';

/** How deep data is searched. Arguments and guesses are written by hand, so no pk is deeper than this. */
const MAX_DEPTH = 32;

/** Returns what replaces a text. `name`: the name of the field, or the index, where the text is. */
export type TextOf = (text: string, name: string) => unknown;

/**
 * Returns a copy of plain data, forms and records with what `textOf` returns in place of each text. The relations of a record stay as they are. If no
 * text changes, returns the data itself.
 */
export function replaceTexts(data: unknown, textOf: TextOf): unknown {
  // Most data does not change, and is only searched.
  if (!isAnyReplaced(data, textOf, new Set())) return data;
  const copies = new Map<object, object>();
  const copy = (value: unknown, depth: number, field: string): unknown => {
    if (typeof value === 'string') return textOf(value, field);
    if (value instanceof FormData) {
      const form = new FormData();
      for (const [name, entry] of formEntries(value)) form.append(name, copy(entry, depth, name) as string);
      return form;
    }
    if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return value;
    if (!isPlain(value)) return hasPk(value) ? copyOfRecord(value, textOf) : value;
    const known = copies.get(value);
    if (known !== undefined) return known;
    const made = Array.isArray(value) ? Array.from(value) : {};
    copies.set(value, made);
    for (const [name, member] of Object.entries(value)) setOwn(made, name, copy(member, depth + 1, name));
    return made;
  };
  return copy(data, 0, '');
}

function copyOfRecord(record: object, textOf: TextOf): object {
  const made: object = Object.create(Object.getPrototypeOf(record) as object);
  for (const [name, member] of Object.entries(record))
    setOwn(made, name, typeof member === 'string' ? textOf(member, name) : member);
  return made;
}

/** Returns the members of plain data and of a form, and the texts of a record. `undefined` for anything else. */
export function partsOfData(data: unknown): readonly unknown[] | undefined {
  if (isPlain(data)) return Array.isArray(data) ? data : Object.values(data);
  if (data instanceof FormData) return Array.from(formEntries(data), ([, entry]) => entry);
  return hasPk(data) ? Object.values(data).filter((member) => typeof member === 'string') : undefined;
}

/** Returns whether `textOf` returns something else for a text in the data. `seen`: the objects that have been searched. */
function isAnyReplaced(data: unknown, textOf: TextOf, seen: Set<object>, depth = 0): boolean {
  if (typeof data === 'string') return textOf(data, '') !== data;
  const members = partsOfData(data);
  if (members === undefined || depth > MAX_DEPTH || seen.has(data as object)) return false;
  seen.add(data as object);
  for (let at = 0; at < members.length; at++) if (isAnyReplaced(members[at], textOf, seen, depth + 1)) return true;
  return false;
}
