import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { type Answer, type LiveView, MISSING, nextAnswer, type View } from './answer.ts';
import type { Moment } from './moment.ts';
import { type RequestingController, type Demands, requestsOf, type Wanted } from './demands.ts';

/** What gives views of endpoints. */
export interface Viewed extends RequestingController {
  view(endpoint: EndpointInterface, ...args: readonly unknown[]): View;
}

/** What an endpoint answers, without asking for it. */
export function responseView(controller: Viewed, endpoint: EndpointInterface, args: readonly unknown[]): LiveView {
  // Those of a controller can also say what they were.
  return controller.view(endpoint, ...args) as LiveView;
}

/** What an endpoint answers, for those who want it asked for. */
export class RequestView<Value = unknown> implements LiveView<Value>, Wanted {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly key: string;
  readonly view: LiveView<Value>;
  wasThere = false;
  readonly #requests: Demands;
  readonly #controller: Viewed;
  #last: Answer<Value> = MISSING;
  #observers = 0;
  #expiresAt = 0;

  constructor(controller: Viewed, requests: Demands, endpoint: EndpointInterface, args: readonly unknown[]) {
    this.endpoint = endpoint;
    this.args = args;
    this.key = endpoint.key(...args);
    this.view = responseView(controller, endpoint, args) as LiveView<Value>;
    this.#controller = controller;
    this.#requests = requests;
  }

  current(): Answer<Value> {
    const shown = this.#observers > 0 ? this.#last : undefined;
    const read = (): Answer => this.#requests.answer(this, this.view.current(), shown);
    this.#last = nextAnswer(this.#last, read as () => Answer<Value>);
    if ('value' in this.#last) this.wasThere = true;
    return this.#last;
  }

  subscribe(onChange: () => void): () => void {
    this.#observers++;
    this.#expiresAt = this.#until();
    const stop = this.view.subscribe(() => {
      this.#changed();
      onChange();
    });
    return () => {
      this.#observers--;
      stop();
    };
  }

  at(moment: Moment): Answer<Value> {
    return this.view.at(moment);
  }

  ask(): Promise<void> {
    return this.#requests.ask(this);
  }

  shown(): void {
    this.#requests.shown(this);
  }

  /**
   * Asks for what is not there any more. What was good for longer, and is stale now, has been expired: it is asked for,
   * while what there is stays.
   */
  #changed(): void {
    // An error is shown until something changes.
    if (this.#last.status === 'failed') this.#last = MISSING;
    const before = this.#expiresAt;
    this.#expiresAt = this.#until();
    const { status } = this.current();
    if (status === 'missing' || (status === 'stale' && this.#expiresAt < before)) this.#requests.refresh(this);
  }

  /** A value that cannot be made throws when it is read, and not where its readers are notified. */
  #until(): number {
    try {
      return this.#controller.getResponse(this.endpoint, ...this.args).expiresAt;
    } catch {
      return this.#expiresAt;
    }
  }
}

export function requestView(controller: Viewed, endpoint: EndpointInterface, args: readonly unknown[]): RequestView {
  return new RequestView(controller, requestsOf(controller), endpoint, args);
}

/** The view of no request at all. */
export const UNASKED: LiveView<never> = {
  current: () => MISSING,
  subscribe: () => () => {},
  at: () => MISSING,
};
