import { actionTypes } from '../../control/controller/action.ts';
import { Controller } from '../../control/controller/controller.ts';
import type { Manager } from '../../control/controller/manager.ts';
import { NetworkManager } from '../../control/controller/network-manager.ts';
import type { Rendering } from '../../control/screen/rendering.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { type Destination, type PipeableStream, destinationWithState } from './node-stream.ts';
import { DEFAULT_ID, type PagePart } from './page-part.ts';
import { pause } from './pause.ts';
import { toScriptJson } from './script-json.ts';
import { sendable, ServerLog } from './server-log.ts';
import { asHtml, type StateScript, stateScript } from './state-script.ts';
import { streamWithState } from './web-stream.ts';

/** The options of `ServerSession`. */
export interface ServerSessionOptions {
  /** Default: a `NetworkManager`. Nothing is polled on a server. */
  readonly managers?: readonly Manager[];
  /** The nonce of the page's content security policy. */
  readonly nonce?: string | undefined;
  /** Identifies a root, for pages with several. Default: `rejoin`. */
  readonly id?: string;
  /** The `Cache-Control` header of the page. Default: `private, no-store`, because the page may contain data of one user. */
  readonly cacheControl?: string;
  /** The clock. Default: `Date.now`. */
  readonly now?: () => number;
}

/**
 * The state of one request for a page: a controller of its own, and the methods that send the page with the data that it was
 * made from. Create it in the handler of the request, never outside of it.
 */
export class ServerSession {
  readonly controller: Controller;
  /** For the prop `rendering` of the provider. */
  readonly rendering: Rendering;
  /** The headers of the page. */
  readonly headers: Readonly<Record<string, string>>;
  readonly #options: ServerSessionOptions;
  readonly #log: ServerLog;
  readonly #pending = new Set<Pending>();
  /** Whether a part was sent already. */
  #hasSent = false;
  #isSending = false;
  #isOver = false;

  constructor(options: ServerSessionOptions = {}) {
    const { managers = [new NetworkManager()], now = () => Date.now(), cacheControl = 'private, no-store' } = options;
    this.#options = options;
    this.controller = new Controller({ managers: [readsInFlight(this.#pending), ...managers], now });
    this.#log = new ServerLog(this.controller);
    this.rendering = this.#log;
    this.headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': cacheControl };
  }

  /** Returns the data that was stored since the last call, as an HTML element; '' if there is no new data. */
  flush(): string {
    const script = this.script();
    return script === undefined ? '' : asHtml(script);
  }

  /** As `flush`, but returns the props of a `<script>`, for frameworks that insert elements into their pages. */
  script(): StateScript | undefined {
    if (this.#isOver) return undefined;
    const { states, early } = this.#log.take();
    if (this.#hasSent && states.length + early.length === 0) return undefined;
    this.#hasSent = true;
    const { id = DEFAULT_ID, nonce } = this.#options;
    return stateScript(asJson({ now: this.controller.now(), states, early, pending: this.#keys() }), id, nonce);
  }

  #keys(): string[] {
    return [...new Set([...this.#pending].map(({ key }) => key))];
  }

  /** Resolves when no read is in flight any more; `undefined` if none is. */
  settled(): Promise<void> | undefined {
    if (this.#pending.size === 0) return undefined;
    const all = Promise.allSettled([...this.#pending].map(({ promise }) => promise));
    // Components that waited are rendered again, and may start further reads.
    return all
      .then(pause)
      .then(pause)
      .then(() => this.settled());
  }

  /** For `renderToPipeableStream`: sends the page to the response, each part after the data that it was made from. */
  pipe<To extends Destination>(page: PipeableStream, response: To): To {
    this.#begin();
    for (const [name, value] of Object.entries(this.headers))
      if (response.headersSent === false && response.hasHeader?.(name) === false) response.setHeader?.(name, value);
    response.on('close', () => this.dispose());
    // The client has disconnected while the page was prepared, so there is no further event.
    if (response.destroyed === true) this.dispose();
    page.pipe(destinationWithState(response, () => this.flush()));
    return response;
  }

  /** For `renderToReadableStream`: returns the page, each part after the data that it was made from. */
  inject(page: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    this.#begin();
    return streamWithState(
      page,
      () => this.flush(),
      () => this.dispose(),
    );
  }

  #begin(): void {
    if (this.#isSending || this.#isOver) throw usedTwice();
    this.#isSending = true;
  }

  /** Ends all requests of the page. Called automatically when the page has been sent, or the client has disconnected. */
  dispose(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#log.end();
    this.controller.dispose();
  }
}

function usedTwice(): DataError {
  return new DataError(
    'session-used',
    'A ServerSession was used for a second page, whose user would see the records of the first one.',
    { cure: inDevelopment(() => 'Create one for each request.') },
  );
}

function asJson(part: PagePart): string {
  try {
    return toScriptJson(part);
  } catch {
    return toScriptJson({ ...part, states: part.states.map(sendable) });
  }
}

/** A read in flight. */
interface Pending {
  readonly key: string;
  readonly promise: Promise<void>;
}

/** Keeps the reads in flight. */
function readsInFlight(pending: Set<Pending>): Manager {
  return {
    middleware: () => (next) => async (action) => {
      if (action.type !== actionTypes.FETCH || action.endpoint.sideEffect === true) return next(action);
      const read = { key: action.key, promise: next(action) };
      pending.add(read);
      try {
        await read.promise;
      } finally {
        pending.delete(read);
      }
    },
    cleanup: () => pending.clear(),
  };
}
