import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import {
  type Answer,
  type EarlierReader,
  type LiveView,
  MISSING,
  nextAnswer,
  type ViewingController,
} from './answer.ts';
import { type RequestingController, type Demands, demandsOf, type DemandedRequest } from './demands.ts';
import { type EndpointView, responseView } from './endpoint-view.ts';
import { ExpiryStatus } from './expiry-status.ts';

/** The live answer of an endpoint, for readers that want it fetched. */
export class RequestView<Value = unknown> implements LiveView<Value>, DemandedRequest {
  endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly key: string;
  readonly view: EndpointView<Value>;
  hadValue = false;
  readonly #demands: Demands;
  #last: Answer<Value> = MISSING;
  #observers = 0;
  /** The time of expiry at the last read, and at the last change. */
  #expiresAt = 0;
  #knownUntil = 0;
  #isInvalid = false;

  constructor(
    controller: RequestingController,
    demands: Demands,
    endpoint: EndpointInterface,
    args: readonly unknown[],
  ) {
    this.endpoint = endpoint;
    this.args = args;
    this.key = endpoint.key(...args);
    this.view = responseView(controller, endpoint, args);
    this.#demands = demands;
  }

  current(): Answer<Value> {
    this.#last = nextAnswer(this.#last, this.#read);
    if ('value' in this.#last) this.hadValue = true;
    return this.#last;
  }

  readonly #read = (): Answer<Value> => {
    const reading = this.view.read();
    this.#expiresAt = reading.expiresAt;
    this.#isInvalid = reading.expiryStatus === ExpiryStatus.Invalid;
    const shown = this.#observers > 0 ? this.#last : undefined;
    // The type of the value follows from the types of the endpoint.
    return this.#demands.answer(this, reading, shown) as Answer<Value>;
  };

  subscribe(onChange: () => void): () => void {
    this.#observers++;
    this.current();
    this.#knownUntil = this.#expiresAt;
    const stop = this.view.subscribe(() => {
      this.#noteChange();
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

  fetchMissing(): Promise<void> {
    return this.#demands.fetch(this);
  }

  shown(): void {
    this.#demands.shown(this);
  }

  renew(controller: ViewingController, endpoint: EndpointInterface): void {
    this.endpoint = endpoint;
    this.view.renew(controller, endpoint);
  }

  /**
   * Fetches an answer that was invalidated. If its time of expiry has moved to the past, the answer was expired: it is fetched while the
   * old value, or the same error, stays on the screen. An answer that is gone otherwise, as after a reset, is fetched by the readers that are rendered
   * without it: the cause of the reset, such as a logout, may remove readers.
   */
  #noteChange(): void {
    // The last error was shown until this change.
    const last = errorOf(this.#last);
    if (this.#last.status === 'failed') this.#last = MISSING;
    const answer = this.current();
    const isExpired = this.#expiresAt < this.#knownUntil;
    this.#knownUntil = this.#expiresAt;
    const canStay = answer.status === 'stale' || (last !== undefined && last === errorOf(answer));
    if (answer.status === 'missing' ? this.#isInvalid : canStay && isExpired) this.#demands.refresh(this);
  }
}

function errorOf(answer: Answer): unknown {
  return answer.status === 'failed' ? answer.error : undefined;
}

export function requestView(
  controller: RequestingController,
  endpoint: EndpointInterface,
  args: readonly unknown[],
): RequestView {
  return new RequestView(controller, demandsOf(controller), endpoint, args);
}

/** The view for `null` instead of arguments: no request. */
export const NO_REQUEST: LiveView<never> = {
  current: () => MISSING,
  subscribe: () => () => {},
  at: () => MISSING,
};
