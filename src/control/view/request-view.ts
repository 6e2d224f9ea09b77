import type { EndpointInterface } from '../../define/endpoint/infer.ts';
import type { Queryable } from '../../define/schema/infer.ts';
import { type Answer, type LiveView, MISSING, nextAnswer, type View } from './answer.ts';
import { ExpiryStatus } from './expiry-status.ts';
import type { Moment } from './moment.ts';
import type { Asked, Requests, Wanted } from './requests.ts';
import { canInfer } from './responses.ts';

/** What gives views of endpoints. */
export interface Viewed extends Asked {
  view(endpoint: EndpointInterface, ...args: readonly unknown[]): View;
}

/** What an endpoint answers, without asking for it. */
export class ResponseView<Value = unknown> implements LiveView<Value>, Wanted {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly key: string;
  readonly view: View<Value>;

  constructor(controller: Viewed, endpoint: EndpointInterface, args: readonly unknown[]) {
    this.endpoint = endpoint;
    this.args = args;
    this.key = endpoint.key(...args);
    this.view = controller.view(endpoint, ...args) as View<Value>;
  }

  current(): Answer<Value> {
    return this.view.current();
  }

  subscribe(onChange: () => void): () => void {
    return this.view.subscribe(onChange);
  }

  at(moment: Moment): Answer<Value> {
    const schema = canInfer(this.endpoint) ? (this.endpoint.schema as Queryable) : undefined;
    const value = moment.respond(this.key, schema, this.args);
    return value === undefined ? MISSING : { status: 'fresh', value: value as Value };
  }
}

/** What there is of what an endpoint answers, whether or not the latest request for it failed. */
export class CacheView<Value = unknown> extends ResponseView<Value> {
  readonly #controller: Viewed;
  #last: Answer<Value> = MISSING;

  constructor(controller: Viewed, endpoint: EndpointInterface, args: readonly unknown[]) {
    super(controller, endpoint, args);
    this.#controller = controller;
  }

  override current(): Answer<Value> {
    return (this.#last = nextAnswer(this.#last, () => {
      const answer = super.current();
      if (answer.status !== 'failed') return answer;
      const { data } = this.#controller.getResponse(this.endpoint, ...this.args);
      return data === undefined ? MISSING : { status: 'stale', value: data as Value };
    }));
  }
}

/** What an endpoint answers, for those who want it asked for. */
export class RequestView<Value = unknown> extends ResponseView<Value> {
  readonly #requests: Requests;
  readonly #controller: Viewed;
  #last: Answer<Value> = MISSING;
  #observers = 0;
  #expiresAt = 0;

  constructor(controller: Viewed, requests: Requests, endpoint: EndpointInterface, args: readonly unknown[]) {
    super(controller, endpoint, args);
    this.#controller = controller;
    this.#requests = requests;
  }

  override current(): Answer<Value> {
    return (this.#last = nextAnswer(this.#last, () => this.#answer()));
  }

  #answer(): Answer<Value> {
    const answer = this.#requests.answer(this, super.current()) as Answer<Value>;
    if (answer.status !== 'missing' || this.#observers === 0) return answer;
    const { data, expiryStatus } = this.#controller.getResponse(this.endpoint, ...this.args);
    // What is shown does not go because time has passed.
    const isOnlyStale = expiryStatus === ExpiryStatus.InvalidIfStale && data !== undefined;
    return isOnlyStale ? { status: 'stale', value: data as Value } : answer;
  }

  override subscribe(onChange: () => void): () => void {
    this.#observers++;
    this.#expiresAt = this.#until();
    const stop = super.subscribe(() => {
      this.#expired();
      onChange();
    });
    const stopAsking = this.#requests.subscribe(this.key, onChange);
    return () => {
      this.#observers--;
      stop();
      stopAsking();
    };
  }

  /** Asks for what is missing. The promise is the same until it resolves. */
  ask(): Promise<void> {
    return this.#requests.ask(this);
  }

  /** It is shown from now on. */
  shown(): void {
    this.#requests.shown(this);
  }

  /** What was good for longer, and is stale now, has been expired: it is asked for, while what there is stays. */
  #expired(): void {
    const before = this.#expiresAt;
    this.#expiresAt = this.#until();
    if (this.#expiresAt < before && this.current().status === 'stale') void this.ask();
  }

  #until(): number {
    return this.#controller.getResponse(this.endpoint, ...this.args).expiresAt;
  }
}

/** The view of no request at all. */
export const UNASKED: LiveView<never> = {
  current: () => MISSING,
  subscribe: () => () => {},
  at: () => MISSING,
};
