import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';

/** Throws unless each option is above 0. Other values would make a timer run endlessly or never. */
export function assertAboveZero(owner: string, options: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(options)) {
    if (!(value > 0)) throw optionInvalid(owner, name, value);
  }
}

function optionInvalid(owner: string, name: string, value: number): DataError {
  return new DataError('manager-option-invalid', `The ${name} of ${owner} is ${value}.`, {
    cure: inDevelopment(() => 'Give a number above 0.'),
  });
}
