import { actionTypes } from '../../control/controller/action.ts';
import { type Manager, type Middleware, type MiddlewareAPI, NO_CONTROLLER } from '../../control/controller/manager.ts';
import type { Row } from '../../define/schema/schema.ts';
import { platform, type Platform } from '../../std/platform.ts';
import type { TextStorage } from '../../std/text-storage.ts';
import { throwLater } from '../../std/thrown.ts';
import { indexedDbStorage } from './indexed-db-storage.ts';
import { Persistence } from './persistence.ts';
import type { PersistEvent } from './persist-event.ts';
import type { Include } from './saved-entries.ts';

export interface PersistOptions {
  /** What is kept is kept under this name: that of the application. */
  readonly name: string;
  /** Whose data it is: any text that is another for each user. What is kept for one user is never read for another. */
  readonly user?: string;
  /** Default: `indexedDbStorage()`. */
  readonly storage?: TextStorage;
  /** The version of your entity classes. What was kept by another version is dropped, or goes through `migrate`. */
  readonly version?: string | number;
  /** Makes a row of this version out of one of another version, or, with `undefined`, drops it. */
  readonly migrate?: (row: Row, table: string, from: string) => Row | undefined;
  /** Returns what of a row is kept: the row, a copy without some fields, or `undefined`. */
  readonly include?: Include;
  /** How old an answer may be that is restored, in milliseconds. Default: 30 days. */
  readonly maxAge?: number;
  /** How many rows are restored at most; of more, the latest. Default: 100,000. */
  readonly maxRows?: number;
  /** How long the first screen waits for the storage, in milliseconds. Default: 3,000. */
  readonly timeout?: number;
  readonly onEvent?: (event: PersistEvent) => void;
  readonly platform?: Pick<Platform, 'setTimeout' | 'clearTimeout' | 'now'>;
}

const MONTH = 30 * 24 * 3_600_000;

/**
 * Keeps what is in the store on the disk of the user, and restores it at the next start:
 * `<DataProvider managers={[new PersistManager({ name: 'my-app' }), ...getDefaultManagers()]}>`.
 */
export class PersistManager implements Manager {
  readonly #options: PersistOptions;
  #controller: MiddlewareAPI = NO_CONTROLLER;
  #persistence: Persistence | undefined;

  constructor(options: PersistOptions) {
    this.#options = options;
  }

  readonly middleware: Middleware = (controller) => {
    this.#controller = controller;
    return (next) => async (action) => {
      await next(action);
      // Whoever logs in next must not find it.
      if (action.type === actionTypes.RESET) await this.#persistence?.cleared();
    };
  };

  init(): void {
    this.cleanup();
    const { name, user, storage, include = all, version = '', timeout = 3000, onEvent, ...others } = this.#options;
    const { maxAge = MONTH, maxRows = 100_000, migrate, platform: clock = platform } = others;
    this.#persistence = new Persistence(this.#controller.store, {
      name: user === undefined ? name : `${name} ${user}`,
      storage: storage ?? indexedDbStorage(),
      include,
      limits: { model: String(version), migrate, maxAge, maxRows },
      timeout,
      platform: clock,
      page: globalThis,
      onEvent: (event) => {
        try {
          onEvent?.(event);
        } catch (error) {
          throwLater(error);
        }
      },
    });
    this.#persistence.start();
  }

  /** Resolves when what was kept has been restored, or cannot be: after `timeout` at the latest. Never rejects. */
  get restored(): Promise<void> {
    return this.#persistence?.restored ?? Promise.resolve();
  }

  /** What components wait for before they read; `undefined` once it is there. */
  get ready(): Promise<void> | undefined {
    return this.#persistence?.isRestored === false ? this.#persistence.restored : undefined;
  }

  /** Resolves when everything that is in the store now is kept, or cannot be. Never rejects. */
  async flush(): Promise<void> {
    await this.#persistence?.flush();
  }

  cleanup(): void {
    this.#persistence?.stop();
    this.#persistence = undefined;
  }
}

function all(row: Row): Row {
  return row;
}
