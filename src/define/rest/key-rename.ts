import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { isPlain, setOwn } from '../../std/plain.ts';

/** The names of fields in the application, by their names on the server. */
export type KeyNames = Readonly<Record<string, string>>;

/** Renames the fields of a record, or of each record in a list, to the names of the application. */
export function renameKeys<Value>(value: Value, names: KeyNames): Value {
  return withRenamedKeys(value, new Map(Object.entries(names))) as Value;
}

/** The inverse of `renameKeys`: renames the fields of a body to the names of the server. */
export function restoreKeys<Value>(value: Value, names: KeyNames): Value {
  const back = new Map(Object.entries(names).map(([server, client]) => [client, server]));
  if (back.size < Object.keys(names).length) throw ambiguousNames(names);
  return withRenamedKeys(value, back) as Value;
}

function withRenamedKeys(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => renamedRecord(item, names));
  return renamedRecord(value, names);
}

function renamedRecord(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (!isPlain(value) || Array.isArray(value)) return value;
  const record = {};
  for (const [field, inner] of Object.entries(value)) {
    const name = names.get(field) ?? field;
    if (Object.hasOwn(record, name)) throw collision(name);
    setOwn(record, name, inner);
  }
  return record;
}

function ambiguousNames(names: KeyNames): DataError {
  return new DataError(
    'key-collision',
    `Two of the fields ${Object.keys(names).join(', ')} have the same name in the application.`,
    { cure: inDevelopment(() => 'Give each a name of its own.') },
  );
}

function collision(name: string): DataError {
  return new DataError(
    'key-collision',
    `A record already has a field ${name}, so no other field can be renamed to it.`,
    { path: name, cure: inDevelopment(() => 'Choose another name.') },
  );
}
