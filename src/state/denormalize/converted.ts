import { copyPlain } from '../../std/plain.ts';
import { DataError, type ErrorPlace } from '../../std/data-error.ts';
import { messageOf } from '../../std/thrown.ts';

/**
 * What a function schema makes of a stored value. A value that it cannot read becomes an error in the value's place: one
 * bad field takes neither the record nor its list down.
 */
export function converted(convert: (stored: unknown) => unknown, stored: unknown, place: ErrorPlace): unknown {
  if (stored === null || stored === undefined) return stored;
  try {
    // A function such as `(tags) => tags.sort()` would change the row.
    return convert(copyPlain(stored));
  } catch (error) {
    const whose = place.entity === undefined ? 'a schema is' : `${place.entity}.schema has for ${place.path}`;
    return new DataError(
      'field-invalid',
      `The function that ${whose} could not read a ${typeof stored}: ${messageOf(error)}. ` +
        'The error stands in its place; the record can be used otherwise.',
      { ...place, cause: error },
    );
  }
}
