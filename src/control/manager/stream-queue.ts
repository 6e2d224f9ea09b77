/** Waiting messages, of which a newer one with the same key takes the place of the older. */
export class StreamQueue<Message> {
  readonly #capacity: number;
  readonly #onDropped: (message: Message) => void;
  /** In order of arrival of the newest of each key. A message without a key is its own. */
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

  /** Drops the oldest messages above the limit. Returns whether there were any. */
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
