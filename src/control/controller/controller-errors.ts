import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { thrown } from '../../std/thrown.ts';

/** Returns the error of a fetch that no manager has answered. */
export function unanswered(key: string): DataError {
  return new DataError('fetch-unanswered', `No manager answered the fetch of ${key}.`, {
    cure: inDevelopment(() => 'A middleware that does not pass it to next() has to call controller.answer().'),
  });
}

/** Returns the error of a manager that uses the controller before the controller is ready. */
export function managerTooEarly(): DataError {
  return new DataError(
    'manager-too-early',
    'The middleware(controller) of a manager called a method of the controller before it returned.',
    { cure: inDevelopment(() => 'Call it in init(), or in the function that middleware() returns.') },
  );
}

/** Returns the error of a subscription that no manager handles. */
export function unsubscribable(key: string): DataError {
  return new DataError('subscription-unmanaged', `A controller without managers cannot keep ${key} up to date.`, {
    cure: inDevelopment(() => 'Give it managers: getDefaultManagers(), or one of your own that handles subscriptions.'),
  });
}

/** The codes of errors that end a request on purpose. */
const END_CODES: ReadonlySet<unknown> = /* #__PURE__ */ new Set(['request-reset', 'controller-disposed']);

/** Returns whether a request was ended on purpose: by a reset, by the end of the controller, or by an abort signal. */
export function isEndedOnPurpose(error: unknown): boolean {
  const { code, name } = thrown(error);
  return END_CODES.has(code) || name === 'AbortError';
}

/** Returns the error of a fetch by a controller that is not used any more. */
export function disposed(): DataError {
  return new DataError('controller-disposed', 'fetch() was called on a disposed controller.', {
    cure: inDevelopment(() => 'Create a new controller.'),
  });
}
