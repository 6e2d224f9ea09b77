import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { type Answer, type EarlierReader, type LiveView, MISSING, nextAnswer } from './answer.ts';
import { type RequestingController, type Demands, requestsOf, type Wanted } from './demands.ts';
import { type EndpointView, responseView } from './endpoint-view.ts';

/** What an endpoint answers, for readers that want it asked for. */
export class RequestView<Value = unknown> implements LiveView<Value>, Wanted {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly key: string;
  readonly view: EndpointView<Value>;
  wasThere = false;
  readonly #requests: Demands;
  #last: Answer<Value> = MISSING;
  #observers = 0;
  /** Until when the last reading is fresh, and until when that of the last change was. */
  #expiresAt = 0;
  #knownUntil = 0;

  constructor(
    controller: RequestingController,
    requests: Demands,
    endpoint: EndpointInterface,
    args: readonly unknown[],
  ) {
    this.endpoint = endpoint;
    this.args = args;
    this.key = endpoint.key(...args);
    this.view = responseView(controller, endpoint, args);
    this.#requests = requests;
  }

  current(): Answer<Value> {
    this.#last = nextAnswer(this.#last, this.#read);
    if ('value' in this.#last) this.wasThere = true;
    return this.#last;
  }

  readonly #read = (): Answer<Value> => {
    const reading = this.view.read();
    this.#expiresAt = reading.expiresAt;
    const shown = this.#observers > 0 ? this.#last : undefined;
    // What a schema makes of a response is for the types of the endpoint to say.
    return this.#requests.answer(this, reading, shown) as Answer<Value>;
  };

  subscribe(onChange: () => void): () => void {
    this.#observers++;
    this.current();
    this.#knownUntil = this.#expiresAt;
    const stop = this.view.subscribe(() => {
      this.#changed();
      onChange();
    });
    return () => {
      this.#observers--;
      stop();
    };
  }

  at(earlier: EarlierReader): Answer<Value> {
    return this.view.at(earlier);
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
    const { status } = this.current();
    const isExpired = this.#expiresAt < this.#knownUntil;
    this.#knownUntil = this.#expiresAt;
    if (status === 'missing' || (status === 'stale' && isExpired)) this.#requests.refresh(this);
  }
}

export function requestView(
  controller: RequestingController,
  endpoint: EndpointInterface,
  args: readonly unknown[],
): RequestView {
  return new RequestView(controller, requestsOf(controller), endpoint, args);
}

/** The view of no request at all. */
export const UNASKED: LiveView<never> = {
  current: () => MISSING,
  subscribe: () => () => {},
  at: () => MISSING,
};
