import { actionTypes } from '../../control/controller/action.ts';
import { Controller } from '../../control/controller/controller.ts';
import type { GCInterface } from '../../control/controller/gc-policy.ts';
import type { Manager } from '../../control/controller/manager.ts';
import { getDefaultManagers } from '../../control/manager/default-managers.ts';
import type { Rendering } from '../../control/screen/rendering.ts';
import { isPlain } from '../../std/plain.ts';
import { DataError } from '../../std/data-error.ts';
import { BrowserLog } from './browser-log.ts';
import { DEFAULT_ID, type PagePart } from './page-part.ts';
import { PageReader } from './page-reader.ts';
import { fromScriptJson } from './script-json.ts';
import { throwLater } from '../../std/thrown.ts';

export interface TakeOverOptions {
  /** Default: `getDefaultManagers()`. */
  readonly managers?: readonly Manager[];
  readonly gcPolicy?: GCInterface;
  /** As the server's session has it. Default: `rejoin`. */
  readonly id?: string;
  /** The page. Default: the global one. */
  readonly document?: Document;
  /** The clock. Default: `Date.now`. */
  readonly now?: () => number;
  /** Is told of a state that cannot be read, as from a server of another version. The browser asks for what is in it. */
  readonly onError?: (error: unknown) => void;
}

/** What a page goes on with in a browser. */
export interface TakenOver {
  readonly controller: Controller;
  /** For the prop `rendering` of the provider. */
  readonly rendering: Rendering;
  /** Resolves when the page has been read to its end. */
  readonly whenComplete: Promise<void>;
}

/**
 * Makes the controller of a browser out of the page that a server has sent, and of what is still to come of it. Requests
 * that the server has under way are not sent again.
 */
export function takeOver(options: TakeOverOptions = {}): TakenOver {
  const { managers = getDefaultManagers(), gcPolicy, id = DEFAULT_ID, now, onError = throwLater } = options;
  const { document: page = globalThis.document } = options;
  if (page === undefined) throw browserOnly();
  const awaited = new Awaited();
  const controller = new Controller({
    managers: [awaited, ...managers],
    ...(gcPolicy && { gcPolicy }),
    ...(now && { now }),
  });
  const log = new BrowserLog(controller.store);
  const read = (json: string): void => {
    try {
      const part = partOf(fromScriptJson(json));
      log.add(part, controller.now());
      awaited.expect(part.pending);
    } catch (error) {
      onError(error);
    }
  };
  const whenComplete = new Promise<void>((resolve) => {
    new PageReader(page, id, read, resolve).start();
  }).then(() => awaited.expect([]));
  return { controller, rendering: log, whenComplete };
}

/** Holds requests back whose answers are on their way with the page. */
class Awaited implements Manager {
  #keys: ReadonlySet<string> = new Set();
  #waiting: (() => void)[] = [];

  readonly middleware: Manager['middleware'] = (controller) => (next) => async (action) => {
    if (action.type !== actionTypes.FETCH || !this.#keys.has(action.key)) return next(action);
    while (this.#keys.has(action.key)) await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    const { endpoint, args } = action;
    const { data, expiresAt } = controller.getResponseMeta(endpoint, ...args);
    // Without an answer to show for it, the server has failed to get one.
    if (data === undefined || expiresAt < controller.now()) return next(action);
    controller.answer(action, Promise.resolve(data));
  };

  cleanup(): void {
    this.expect([]);
  }

  /** The answers that are still to come; those that wait look again. */
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
    throw new DataError('state-invalid', 'The state in the page was not written by this version of rejoin.');
  return part as PagePart;
}

function browserOnly(): DataError {
  return new DataError(
    'browser-only',
    'takeOver() was called where there is no page. On a server, make a ServerSession for each request instead.',
  );
}
