/** Waiting messages. A newer message replaces an older one with the same key. */
export class StreamQueue<Message> {
  readonly #capacity: number;
  readonly #onDropped: (message: Message) => void;
  /** By key, in order of arrival of the newest message. A message without a key is its own key. */
  readonly #messages = new Map<unknown, Message>();

  constructor(capacity: number, onDropped: (message: Message) => void) {
    this.#capacity = capacity;
    this.#onDropped = onDropped;
  }

  get size(): number {
    return this.#messages.size;
  }

  get isFull(): boolean {
    return this.#messages.size >= this.#capacity;
  }

  put(message: Message, key: string | undefined): void {
    const name = key ?? message;
    this.#drop(name);
    this.#messages.set(name, message);
  }

  #drop(name: unknown): void {
    const message = this.#messages.get(name);
    this.#messages.delete(name);
    if (message !== undefined) this.#onDropped(message);
  }

  /** Drops the oldest messages that exceed the capacity. Returns whether it dropped any. */
  trim(): boolean {
    const [oldest] = this.#messages.keys();
    const isTooMuch = this.#messages.size > this.#capacity;
    if (isTooMuch) this.#drop(oldest);
    return isTooMuch;
  }

  clear(): void {
    for (const message of this.takeAll()) this.#onDropped(message);
  }

  takeAll(): Message[] {
    const messages = [...this.#messages.values()];
    this.#messages.clear();
    return messages;
  }
}
