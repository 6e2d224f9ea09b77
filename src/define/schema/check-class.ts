import { findName } from '../../std/find-name.ts';
import { warn } from '../../std/warn.ts';
import { type EntityInterface, isEntity } from './entity.ts';
import { isNamedAfterClass } from './check-key.ts';

/* oxlint-disable unicorn/consistent-function-scoping -- a production bundle has none of what is inside the callbacks */

/** A class has a name, and an object that behaves as one may have none. */
type Class = EntityInterface & { readonly name?: string };

/** Warns of likely mistakes in a class that types cannot see. `firstOf` returns the first class of its table. */
export function checkClass(entity: Class, firstOf: () => Class): void {
  warn(entity, 'normalize-uncalled', () =>
    'normalize' in entity
      ? `${entity.key} has a static normalize(), which is not called. Use process(), pk(), validate() or merge().`
      : undefined,
  );
  // Minifiers rename classes, so two tables could get one name.
  warn(entity, 'key-default', () =>
    isNamedAfterClass(entity)
      ? `The table of ${entity.key} is named after its class, and minifiers rename classes. Set static key = '${entity.key}'.`
      : undefined,
  );
  checkKey(entity, firstOf);
  checkFields(entity);
  checkDefaults(entity);
}

/** Warns of a class whose fields all lack a default. A single such field may be one that only some records have. */
function checkDefaults(entity: EntityInterface): void {
  warn(entity, 'field-default', () => {
    const { defaults, key } = entity;
    const names = Object.keys(defaults);
    return names.length > 1 && names.every((name) => defaults[name] === undefined)
      ? `No field of ${key} has a default value, so a field that an answer lacks is undefined, although its type says otherwise. Write, for example, ` +
          `${names[0]} = ''; instead of ${names[0]}!: string;`
      : undefined;
  });
}

/** Warns of two classes that have one table, although each has fields of its own and they have no common base. */
function checkKey(entity: Class, firstOf: () => Class): void {
  warn(entity, 'key-shared', () => {
    const first = firstOf();
    const basesOf = (of: Class): ReadonlySet<unknown> => {
      const bases = new Set<unknown>();
      for (let at: { readonly key?: unknown } = of; at.key === of.key; at = Object.getPrototypeOf(at) as object)
        bases.add(at);
      return bases;
    };
    const hasOwnField = (one: Class, other: Class): boolean =>
      Object.keys(one.defaults).some((name) => !(name in other.defaults));
    // A module that is loaded again, as by Fast Refresh, makes its classes again.
    const isSame = entity.name === first.name || [...basesOf(entity)].some((base) => basesOf(first).has(base));
    if (isSame || !hasOwnField(entity, first) || !hasOwnField(first, entity)) return undefined;
    return (
      `${first.name} and ${entity.name} have the same static key '${entity.key}', so their records overwrite each other. Give each class ` +
      'a key of its own, or, if they describe the same records, let one extend the other.'
    );
  });
}

/** Warns of a field in `static schema` that is misspelled, and of a field that is missing there although its default is a record. */
function checkFields(entity: EntityInterface): void {
  warn(entity, 'schema-field-unknown', () => {
    const { defaults, key, schema } = entity;
    // `userId` is not a misspelling of `user`: it is a foreign key.
    const others = Object.keys(defaults).filter((name) => schema[name] === undefined && !/ids?$/i.test(name));
    for (const name of Object.keys(schema)) {
      const meant = name in defaults ? undefined : findName(name, others);
      if (meant !== undefined)
        return `The schema of ${key} names ${name}, but the class has no such field. Did you mean ${meant}?`;
    }
    for (const [name, value] of Object.entries(defaults)) {
      const related: unknown = Object(value).constructor;
      const given = schema[name];
      if (!isEntity(related)) continue;
      const line = `static schema = { ${name}: ${related.key} }`;
      if (given === undefined)
        return `The default of ${key}.${name} is a ${related.key}, but static schema does not name it, so it is not joined. Write ${line}.`;
      const isOther =
        isEntity(given) && given.key !== related.key && !Object.prototype.isPrototypeOf.call(related, given);
      if (isOther)
        return `The default of ${key}.${name} is a ${related.key}, but static schema has ${given.key} for it. If that is a mistake, write ${line}.`;
    }
    return undefined;
  });
}
