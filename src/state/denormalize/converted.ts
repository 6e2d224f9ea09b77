import { copyPlain } from '../../std/plain.ts';
import { DataError, type ErrorDetails } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { sentenceOf } from '../../std/thrown.ts';

/**
 * Converts a stored value with the function of its schema. If the function throws, the value becomes the error, so that one bad field does
 * not break the record or its list.
 */
export function converted(convert: (stored: unknown) => unknown, stored: unknown, details: ErrorDetails): unknown {
  if (stored === null || stored === undefined) return stored;
  try {
    // A copy, because a function such as `(tags) => tags.sort()` would change the row.
    return convert(copyPlain(stored));
  } catch (error) {
    const whose = details.entity === undefined ? 'a schema is' : `${details.entity}.schema has for ${details.path}`;
    return new DataError(
      'field-invalid',
      `The function that ${whose} could not read a ${typeof stored}: ${sentenceOf(error)}`,
      {
        ...details,
        cause: error,
        cure: inDevelopment(() => 'The error is in its place; the rest of the record can be used.'),
      },
    );
  }
}
