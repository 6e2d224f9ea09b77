import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { MAX_TIMER_MS } from '../../std/platform.ts';

/** Throws unless each option is above 0. Other values would make a timer run endlessly or never. */
export function assertAboveZero(owner: string, options: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(options)) {
    if (!(typeof value === 'number' && value > 0)) throw optionInvalid(owner, name, value);
  }
}

/** Returns the timeout, cut to half of the longest time that a timer can have. Throws unless it is above 0. */
export function usableTimeout(owner: string, timeout: number): number {
  assertAboveZero(owner, { timeout });
  return Math.min(timeout, MAX_TIMER_MS / 2);
}

function optionInvalid(owner: string, name: string, value: number): DataError {
  return new DataError('manager-option-invalid', `The ${name} of ${owner} is ${value}.`, {
    cure: inDevelopment(() => 'Give a number above 0.'),
  });
}
