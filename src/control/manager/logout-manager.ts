import { actionTypes } from '../controller/action.ts';
import type { Controller } from '../controller/controller.ts';
import type { Manager, Middleware } from '../controller/manager.ts';
import type { UnknownError } from '../../define/endpoint/options.ts';
import { thrown } from '../../std/thrown.ts';

/** The options of `LogoutManager`. */
export interface LogoutManagerOptions {
  /** Called when the session has ended, and not again before the returned promise resolves. Default: resets the store. */
  readonly handleLogout?: (controller: Controller) => unknown;
  /** Whether an error means that the session has ended. Default: a status of 401. */
  readonly shouldLogout?: (error: UnknownError) => boolean;
}

/** Logs the user out when a response says that the session has ended. */
export class LogoutManager implements Manager {
  readonly #handleLogout: (controller: Controller) => unknown;
  readonly #shouldLogout: (error: UnknownError) => boolean;

  constructor({ handleLogout = resetStore, shouldLogout = isUnauthorized }: LogoutManagerOptions = {}) {
    this.#handleLogout = handleLogout;
    this.#shouldLogout = shouldLogout;
  }

  readonly middleware: Middleware = (controller) => {
    /** The requests that fail until then, also those of the logout itself, are no reason for another logout. */
    let isLoggingOut = false;
    return (next) => async (action) => {
      await next(action);
      if (action.type !== actionTypes.SET_RESPONSE || action.error !== true || isLoggingOut) return;
      if (!this.#shouldLogout(action.response as UnknownError)) return;
      isLoggingOut = true;
      try {
        await this.#handleLogout(controller as Controller);
      } finally {
        isLoggingOut = false;
      }
    };
  };

  cleanup(): void {}
}

function resetStore(controller: Controller): Promise<void> {
  return controller.resetEntireStore();
}

function isUnauthorized(error: unknown): boolean {
  return thrown(error).status === 401;
}
