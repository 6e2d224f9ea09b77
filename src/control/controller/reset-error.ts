import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';

/** The error of a request that was in flight while the store was reset. */
export class ResetError extends DataError {
  override readonly name: string = 'ResetError';

  constructor() {
    super('request-reset', 'A request was in flight while the store was reset.', {
      cure: inDevelopment(() => 'Send it again if you still need it.'),
    });
  }
}
