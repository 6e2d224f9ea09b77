import { actionTypes } from '../../control/controller/action.ts';
import { Controller } from '../../control/controller/controller.ts';
import type { GCInterface } from '../../control/controller/gc-policy.ts';
import type { Manager } from '../../control/controller/manager.ts';
import { getDefaultManagers } from '../../control/manager/default-managers.ts';
import type { Rendering } from '../../control/screen/rendering.ts';
import { isPlain } from '../../std/plain.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { BrowserLog } from './browser-log.ts';
import { DEFAULT_ID, type PagePart } from './page-part.ts';
import { PageReader } from './page-reader.ts';
import { fromScriptJson } from './script-json.ts';
import { throwLater } from '../../std/thrown.ts';

/** The options of `takeOver`. */
export interface TakeOverOptions {
  /** Default: `getDefaultManagers()`. */
  readonly managers?: readonly Manager[];
  readonly gcPolicy?: GCInterface;
  /** The same id as in the server's session. Default: `rejoin`. */
  readonly id?: string;
  /** The document. Default: the global one. */
  readonly document?: Document;
  /** The clock. Default: `Date.now`. */
  readonly now?: () => number;
  /** Called for a state that cannot be read, such as from a server of another version. The browser fetches that data itself. */
  readonly onError?: (error: unknown) => void;
}

/** The parts by which a page continues in a browser. */
export interface TakenOver {
  readonly controller: Controller;
  /** For the prop `rendering` of the provider. */
  readonly rendering: Rendering;
  /** Resolves when the whole page has been read. */
  readonly whenComplete: Promise<void>;
}

/**
 * Creates the controller of a browser from the page that a server sends, including the parts that arrive later. Requests
 * that are in flight on the server are not sent again.
 */
export function takeOver(options: TakeOverOptions = {}): TakenOver {
  const { managers = getDefaultManagers(), gcPolicy, id = DEFAULT_ID, now, onError = throwLater } = options;
  const { document: page = globalThis.document } = options;
  if (page === undefined) throw browserOnly();
  const reads = new ReadsOfPage();
  const controller = new Controller({
    managers: [reads, ...managers],
    ...(gcPolicy && { gcPolicy }),
    ...(now && { now }),
  });
  const log = new BrowserLog(controller.store);
  const read = (json: string): void => {
    if (reads.isOver) return;
    try {
      const part = partOf(fromScriptJson(json));
      log.add(part, controller.now(), reads.hasChanged);
      reads.expect(part.pending);
    } catch (error) {
      onError(error);
    }
  };
  const whenComplete = new Promise<void>((resolve) => {
    new PageReader(page, id, read, resolve).start();
  }).then(() => reads.expect([]));
  return { controller, rendering: log, whenComplete };
}

const EXPIRING: ReadonlySet<string> = new Set([
  actionTypes.EXPIREALL,
  actionTypes.INVALIDATEALL,
  actionTypes.INVALIDATE,
]);

/** Delays requests whose answers will arrive with the page. */
class ReadsOfPage implements Manager {
  /** Whether the store was reset. The rest of the page may have data of another user. */
  isOver = false;
  /** Whether the browser has sent a mutation, or has expired data. The server may have made the rest of the page from older data. */
  hasChanged = false;
  #keys: ReadonlySet<string> = new Set();
  #waiting: (() => void)[] = [];

  readonly middleware: Manager['middleware'] = (controller) => (next) => async (action) => {
    if (action.type === actionTypes.RESET && action.fill === undefined) {
      const done = next(action);
      this.isOver = true;
      this.expect([]);
      return done;
    }
    this.hasChanged ||=
      action.type === actionTypes.FETCH ? action.endpoint.sideEffect === true : EXPIRING.has(action.type);
    if (action.type !== actionTypes.FETCH || !this.#keys.has(action.key)) return next(action);
    while (this.#keys.has(action.key)) await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    const { endpoint, args } = action;
    const { data, expiresAt } = controller.getResponseMeta(endpoint, ...args);
    // The page has arrived without this answer: the request failed on the server.
    if (data === undefined || expiresAt < controller.now()) return next(action);
    controller.answer(action, Promise.resolve(data));
  };

  cleanup(): void {
    this.expect([]);
  }

  /** Sets the requests whose answers are still to come, and lets waiting requests check again. */
  expect(keys: readonly string[]): void {
    this.#keys = new Set(keys);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

function partOf(part: unknown): PagePart {
  const { now, states, early, pending } = Object(part) as Partial<PagePart>;
  const isWhole =
    isPlain(part) &&
    typeof now === 'number' &&
    [states, early, pending].every(Array.isArray) &&
    states?.every(({ tables, results }) => Array.isArray(tables) && Array.isArray(results)) === true;
  if (!isWhole)
    throw new DataError('state-invalid', 'The state in the page was not written by this version of Rejoin.', {
      cure: inDevelopment(
        () => 'Deploy server and browser together, and exclude the page from tools that rewrite HTML.',
      ),
    });
  return part as PagePart;
}

function browserOnly(): DataError {
  return new DataError('browser-only', 'takeOver() was called outside of a browser page.', {
    cure: inDevelopment(() => 'On a server, create a ServerSession for each request.'),
  });
}
