import { actionTypes } from '../controller/action.ts';
import type { Manager, Middleware, MiddlewareAPI } from '../controller/manager.ts';
import { thrown } from '../../std/thrown.ts';

export interface LogoutManagerOptions {
  /** Called when the session has ended. Default: resets the store. */
  readonly handleLogout?: (controller: MiddlewareAPI) => unknown;
  /** Whether an error means that the session has ended. Default: a status of 401. */
  readonly shouldLogout?: (error: unknown) => boolean;
}

/** Logs the user out when a response says that the session has ended. */
export class LogoutManager implements Manager {
  readonly #handleLogout: (controller: MiddlewareAPI) => unknown;
  readonly #shouldLogout: (error: unknown) => boolean;

  constructor({ handleLogout = forget, shouldLogout = isUnauthorized }: LogoutManagerOptions = {}) {
    this.#handleLogout = handleLogout;
    this.#shouldLogout = shouldLogout;
  }

  readonly middleware: Middleware = (controller) => (next) => async (action) => {
    await next(action);
    if (action.type === actionTypes.SET_RESPONSE && action.error === true && this.#shouldLogout(action.response))
      await this.#handleLogout(controller);
  };

  cleanup(): void {}
}

function forget(controller: MiddlewareAPI): Promise<void> {
  return controller.resetEntireStore();
}

function isUnauthorized(error: unknown): boolean {
  return thrown(error).status === 401;
}
