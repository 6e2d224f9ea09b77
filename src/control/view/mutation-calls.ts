import { notifyEach } from '../../std/listeners.ts';

/** The state of the calls of a mutation. The same object until the state changes. */
export interface CallState {
  readonly isPending: boolean;
  /** The error with which the latest call failed. */
  readonly error: unknown;
  /** The value that the latest call resolved to. */
  readonly data: unknown;
}

/** The state without a call. */
export const NO_CALLS: CallState = { isPending: false, error: undefined, data: undefined };

/** The calls of one `useMutation` or `useLoading`. Their state is not a React state, so that a call is pending at once, also in a transition. */
export class MutationCalls {
  #state = NO_CALLS;
  /** The fields that the component has read. Listeners are called when one of these changes. */
  readonly #fields: Set<keyof CallState>;
  #pending = 0;
  #latest: object | undefined;
  readonly #listeners = new Set<() => void>();

  /** `fields` are read in each render. */
  constructor(...fields: readonly (keyof CallState)[]) {
    this.#fields = new Set(fields);
  }

  readonly current = (): CallState => this.#state;

  /** Returns a field as it is now, and notes that it is read. */
  read<Name extends keyof CallState>(name: Name): CallState[Name] {
    this.#fields.add(name);
    return this.#state[name];
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Resolves to the value of `send`; to `undefined` if it rejects. */
  async run(send: () => Promise<unknown>): Promise<unknown> {
    const call = {};
    this.#latest = call;
    this.#pending++;
    this.#setState({});
    const end = (outcome: Partial<CallState>): void => {
      this.#pending--;
      this.#setState(this.#latest === call ? outcome : this.#state);
    };
    try {
      const data = await send();
      end({ data });
      return data;
    } catch (error) {
      end({ error: error ?? new Error(String(error)) });
      return undefined;
    }
  }

  readonly reset = (): void => {
    this.#latest = undefined;
    this.#setState({});
  };

  #setState({ error, data }: Partial<CallState>): void {
    const before = this.#state;
    const state: CallState = { isPending: this.#pending > 0, error, data };
    this.#state = state;
    if ([...this.#fields].some((name) => before[name] !== state[name])) notifyEach(this.#listeners, undefined);
  }
}
