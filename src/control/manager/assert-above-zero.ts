import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';

/** Throws unless each option is above 0. Other values would make a timer run endlessly or never. */
export function assertAboveZero(of: string, options: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(options)) {
    if (!(value > 0)) throw optionInvalid(of, name, value);
  }
}

function optionInvalid(of: string, name: string, value: number): DataError {
  return new DataError('manager-option-invalid', `The ${name} of ${of} is ${value}.`, {
    cure: inDevelopment(() => 'Give a number above 0.'),
  });
}
