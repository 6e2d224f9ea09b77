import { DataError } from '../../std/data-error.ts';

/** The error of a request that was in flight while the store was reset. */
export class ResetError extends DataError {
  override readonly name: string = 'ResetError';

  constructor() {
    super('request-reset', 'A request was in flight while the store was reset. Send it again if you still need it.');
  }
}
