/** Waiting messages, of which a newer one with the same key takes the place of the older. */
export class StreamQueue<Message> {
  readonly #capacity: number;
  /** In order of arrival of the newest of each key. A message without a key is its own. */
  readonly #messages = new Map<unknown, Message>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#messages.size;
  }

  get isFull(): boolean {
    return this.#messages.size >= this.#capacity;
  }

  put(message: Message, key: string | undefined): void {
    const name = key ?? message;
    this.#messages.delete(name);
    this.#messages.set(name, message);
  }

  /** Throws away the oldest of what is too much. Gives whether there was any. */
  trim(): boolean {
    const [oldest] = this.#messages.keys();
    return this.#messages.size > this.#capacity && this.#messages.delete(oldest);
  }

  takeAll(): Message[] {
    const messages = [...this.#messages.values()];
    this.#messages.clear();
    return messages;
  }
}
