import { DataError } from './data-error.ts';
import { inDevelopment } from './development.ts';

/**
 * Runs a function of the application on data of the store. If it fails because it changed frozen data, the error names
 * that function. Other errors are passed on unchanged.
 */
export function callHook<Value>(what: string, run: () => Value): Value {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof TypeError && FROZEN.test(error.message))) throw error;
    throw new DataError('hook-failed', `${what} threw: ${error.message}.`, {
      cause: error,
      cure: inDevelopment(() => 'Data of the store cannot be changed in place: return a changed copy.'),
    });
  }
}

/** The messages of V8, SpiderMonkey and JavaScriptCore for a change of a frozen object. */
const FROZEN = /read[- ]?only|not extensible|delete property/i;
