import { actionTypes } from '../../control/controller/action.ts';
import { assertAboveZero, usableTimeout } from '../../control/controller/assert-above-zero.ts';
import { watchStops } from '../../control/manager/presence.ts';
import { SessionNote } from '../../control/manager/session-note.ts';
import { type Manager, type Middleware, type MiddlewareAPI, NO_CONTROLLER } from '../../control/controller/manager.ts';
import type { Row } from '../../define/schema/row.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { platform, type Platform } from '../../std/platform.ts';
import type { TextStorage } from '../../std/text-storage.ts';
import { throwLater } from '../../std/thrown.ts';
import { indexedDbStorage } from './indexed-db-storage.ts';
import { Persistence } from './persistence.ts';
import type { PersistEvent } from './persist-event.ts';
import type { Include } from './saved-entries.ts';

export interface PersistOptions {
  /** The name of the application. The data is stored under this name. */
  readonly name: string;
  /** A text that identifies the user. The data of one user is never read for another. */
  readonly user?: string;
  /** Default: `indexedDbStorage()`. */
  readonly storage?: TextStorage;
  /** The version of your entity classes, such as 2 or '1.10'. Data of an earlier version is dropped, or converted by `migrate`. Data of a later one is left alone. */
  readonly version?: string | number;
  /** Converts a row of an earlier version to this version. Returns `undefined` to drop the row. */
  readonly migrate?: (row: Row, table: string, from: string) => Row | undefined;
  /** Returns the part of a row to store: the row, a copy without some fields, or `undefined` for nothing. */
  readonly include?: Include;
  /** Older answers are not restored. In milliseconds. Default: 30 days. */
  readonly maxAge?: number;
  /** The largest number of restored rows. Of more rows, the latest are restored. Default: 100,000. */
  readonly maxRows?: number;
  /** The longest time, in milliseconds, that the first screen waits for the storage. Default: 3,000. */
  readonly timeout?: number;
  readonly onEvent?: (event: PersistEvent) => void;
  readonly platform?: Pick<Platform, 'setTimeout' | 'clearTimeout' | 'now'>;
}

const MONTH = 30 * 24 * 3_600_000;

/**
 * Stores the content of the store on the disk of the user, and restores it at the next start:
 * `<DataProvider managers={[new PersistManager({ name: 'my-app' }), ...getDefaultManagers()]}>`.
 */
export class PersistManager implements Manager {
  readonly #options: PersistOptions & Required<Pick<PersistOptions, 'maxAge' | 'maxRows' | 'timeout'>>;
  #controller: MiddlewareAPI = NO_CONTROLLER;
  #persistence: Persistence | undefined;
  readonly #note: SessionNote;
  /** The number of logouts that this page knows. */
  #logouts = 0;
  #stopWatching: () => void = () => {};

  constructor(options: PersistOptions) {
    if (typeof options.name !== 'string' || options.name === '') throw nameMissing();
    const { maxAge = MONTH, maxRows = 100_000, timeout = 3000 } = options;
    assertAboveZero('a PersistManager', { maxAge, maxRows });
    this.#options = { ...options, maxAge, maxRows, timeout: usableTimeout('a PersistManager', timeout) };
    const { name, user = null } = options;
    this.#note = new SessionNote(`rejoin ${JSON.stringify([name, user, 'disk'])}`);
  }

  readonly middleware: Middleware = (controller) => {
    this.#controller = controller;
    return (next) => async (action) => {
      if (action.type === actionTypes.RESET && action.fill === undefined) this.#noteLogout(action.isElsewhere);
      await next(action);
      // The next user must not find the data of this one.
      if (action.type === actionTypes.RESET) await this.#persistence?.cleared();
    };
  };

  /** A logout that another page has noted already is the same logout. */
  #noteLogout(isElsewhere = false): void {
    const noted = this.#note.read();
    this.#logouts = Math.max(noted, this.#logouts + 1);
    if (!isElsewhere && noted < this.#logouts) this.#note.write(this.#logouts);
  }

  /** Logs a page out that the browser has stopped, if the user has logged out on another page meanwhile. */
  #goOn(): void {
    if (this.#note.read() > this.#logouts)
      this.#controller.dispatch({ type: actionTypes.RESET, isElsewhere: true }).catch(throwLater);
  }

  init(): void {
    this.cleanup();
    const { name, user, storage, include = wholeRow, version = '', timeout, onEvent, ...others } = this.#options;
    const { maxAge, maxRows, migrate, platform: timers = platform } = others;
    this.#persistence = new Persistence(this.#controller.store, {
      // The outbox of an application is called `${name} outbox …`. The word `user` keeps the names apart, also if a user is called outbox.
      name: user === undefined ? name : `${name} user ${user}`,
      mutations: this.#controller.mutations,
      storage: storage ?? indexedDbStorage(),
      include,
      limits: { model: String(version), migrate, maxAge, maxRows },
      timeout,
      platform: timers,
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
    this.#logouts = this.#note.read();
    this.#stopWatching = watchStops(globalThis, (isStopped) => isStopped || this.#goOn());
  }

  /** Resolves when the stored data has been restored, or restoring it has failed: after `timeout` at the latest. Never rejects. */
  get restored(): Promise<void> {
    return this.#persistence?.restored ?? Promise.resolve();
  }

  /** Components wait for this promise before they read. `undefined` once the data is restored. */
  get ready(): Promise<void> | undefined {
    return this.#persistence?.isRestored === false ? this.#persistence.restored : undefined;
  }

  /** Resolves when the present content of the store is on the disk, or writing it has failed. Never rejects. */
  async flush(): Promise<void> {
    await this.#persistence?.flush();
  }

  cleanup(): void {
    this.#stopWatching();
    this.#persistence?.stop();
    this.#persistence = undefined;
  }
}

function nameMissing(): DataError {
  return new DataError('storage-name-missing', 'A PersistManager has no name to keep data under.', {
    cure: inDevelopment(() => "Give it the name of the application: new PersistManager({ name: 'my-app' })."),
  });
}

function wholeRow(row: Row): Row {
  return row;
}
