import { equalPlain, type Fields } from '../../std/plain.ts';
import { isObject } from './fields.ts';

/**
 * Returns whether a value is an instance of an entity class with nothing but the defaults. A record as components read it has such an instance
 * where a class declares one, as in `author = User.fromJS()`, and no author was loaded.
 */
export function isDefaultRecord(value: object): boolean {
  const defaults = (value.constructor as { readonly defaults?: Fields } | undefined)?.defaults;
  return (
    isObject(defaults) &&
    Object.entries(value).every(
      ([name, own]) => equalPlain(own, defaults[name]) || (isObject(own) && isDefaultRecord(own)),
    )
  );
}
