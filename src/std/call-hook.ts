import { DataError } from './data-error.ts';

/**
 * Runs code of the application that is given data of the store. Where it fails as code does that changes frozen data, the
 * error says which code it was; other errors are the application's own.
 */
export function callHook<Value>(what: string, run: () => Value): Value {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof TypeError && FROZEN.test(error.message))) throw error;
    throw new DataError(
      'hook-failed',
      `${what} threw: ${error.message}. Data of the store cannot be changed in place: return a changed copy.`,
      { cause: error },
    );
  }
}

/** What V8, SpiderMonkey and JavaScriptCore say of a change of what is frozen. */
const FROZEN = /read[- ]?only|not extensible|delete property/i;
