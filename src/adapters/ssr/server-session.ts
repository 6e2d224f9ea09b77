import { actionTypes } from '../../control/controller/action.ts';
import { Controller } from '../../control/controller/controller.ts';
import type { Manager } from '../../control/controller/manager.ts';
import { NetworkManager } from '../../control/controller/network-manager.ts';
import type { Rendering } from '../../control/screen/rendering.ts';
import { DataError } from '../../std/data-error.ts';
import { type Destination, type PipeableStream, wovenDestination } from './node-stream.ts';
import { DEFAULT_ID, type PagePart } from './page-part.ts';
import { pause } from './pause.ts';
import { toScriptJson } from './script-json.ts';
import { sendable, ServerLog } from './server-log.ts';
import { asHtml, type StateScript, stateScript } from './state-script.ts';
import { wovenStream } from './web-stream.ts';

export interface ServerSessionOptions {
  /** Default: a `NetworkManager`. Nothing is polled on a server. */
  readonly managers?: readonly Manager[];
  /** The nonce of the page's content security policy. */
  readonly nonce?: string | undefined;
  /** Tells several roots of one page apart. Default: `rejoin`. */
  readonly id?: string;
  /** Who may keep the page. Default: `private, no-store`, for it may say what only one user may know. */
  readonly cacheControl?: string;
  /** The clock. Default: `Date.now`. */
  readonly now?: () => number;
}

/**
 * Everything that one request for a page needs: a controller of its own, and what sends the page along with what it was
 * made of. Make one in the handler of the request, never outside of it.
 */
export class ServerSession {
  readonly controller: Controller;
  /** For the prop `rendering` of the provider. */
  readonly rendering: Rendering;
  /** Headers of the page. */
  readonly headers: Readonly<Record<string, string>>;
  readonly #options: ServerSessionOptions;
  readonly #log: ServerLog;
  readonly #pending = new Set<Pending>();
  /** Whether a part was sent; before, there may be none at all. */
  #hasSent = false;
  #isSending = false;
  #isOver = false;

  constructor(options: ServerSessionOptions = {}) {
    const { managers = [new NetworkManager()], now = () => Date.now(), cacheControl = 'private, no-store' } = options;
    this.#options = options;
    this.controller = new Controller({ managers: [watching(this.#pending), ...managers], now });
    this.#log = new ServerLog(this.controller);
    this.rendering = this.#log;
    this.headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': cacheControl };
  }

  /** What has come into the store since the last call, as an element for the page; '' where there is nothing new. */
  flush(): string {
    const script = this.script();
    return script === undefined ? '' : asHtml(script);
  }

  /** What `flush` gives, as the props of a `<script>`, for frameworks that put elements into their pages. */
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

  /** Resolves when no read is under way any more; `undefined` where none is. */
  settled(): Promise<void> | undefined {
    if (this.#pending.size === 0) return undefined;
    const all = Promise.allSettled([...this.#pending].map(({ promise }) => promise));
    // Who waited for one of them is rendered again, and may ask for another.
    return all
      .then(pause)
      .then(pause)
      .then(() => this.settled());
  }

  /** For `renderToPipeableStream`: sends the page to the response, each part behind the data that it was made of. */
  pipe<To extends Destination>(page: PipeableStream, response: To): To {
    this.#begin();
    for (const [name, value] of Object.entries(this.headers))
      if (response.headersSent === false && response.hasHeader?.(name) === false) response.setHeader?.(name, value);
    response.on('close', () => this.dispose());
    page.pipe(wovenDestination(response, () => this.flush()));
    return response;
  }

  /** For `renderToReadableStream`: the same page, each part behind the data that it was made of. */
  inject(page: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    this.#begin();
    return wovenStream(
      page,
      () => this.flush(),
      () => this.dispose(),
    );
  }

  #begin(): void {
    if (this.#isSending || this.#isOver) throw usedTwice();
    this.#isSending = true;
  }

  /** Ends what is under way for the page. Called by itself when the page has been sent, or its reader is gone. */
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
    'A ServerSession was used for a second page, whose user would see the records of another. Make one for each request.',
  );
}

function asJson(part: PagePart): string {
  try {
    return toScriptJson(part);
  } catch {
    return toScriptJson({ ...part, states: part.states.map(sendable) });
  }
}

/** A read that is under way. */
interface Pending {
  readonly key: string;
  readonly promise: Promise<void>;
}

/** Knows which reads are under way. */
function watching(pending: Set<Pending>): Manager {
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
