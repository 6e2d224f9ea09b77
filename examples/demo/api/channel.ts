/** A record that was changed or deleted. */
export interface Change {
  readonly entity: string;
  readonly id: string | number;
  /** The changed record; absent if it was deleted. */
  readonly value?: unknown;
}

export interface ChannelEvent {
  readonly id: string;
  readonly name: string;
  readonly data: unknown;
}

const KEPT = 500;

/** Sends events to listeners. It keeps the latest ones for listeners that were disconnected for a moment. */
export class Channel {
  /** A part of each id, so that an id of an earlier run of the server is not mistaken for an id of this run. */
  readonly #run: string;
  readonly #kept: ChannelEvent[] = [];
  readonly #listeners = new Set<(event: ChannelEvent) => void>();
  #count = 0;

  constructor(run: string) {
    this.#run = run;
  }

  get listening(): number {
    return this.#listeners.size;
  }

  publish(name: string, data: unknown): void {
    const event = { id: `${this.#run}-${++this.#count}`, name, data };
    this.#kept.push(event);
    if (this.#kept.length > KEPT) this.#kept.shift();
    for (const listener of this.#listeners) listener(event);
  }

  /** The events after `id`; `undefined` if it is not known any more, and the listener has to fetch everything again. */
  after(id: string): readonly ChannelEvent[] | undefined {
    const count = id.startsWith(`${this.#run}-`) ? id.slice(this.#run.length + 1) : '';
    const at = /^\d+$/.test(count) ? Number(count) : Number.NaN;
    const oldest = this.#count - this.#kept.length;
    if (!(at >= oldest && at <= this.#count)) return undefined;
    return this.#kept.slice(at - oldest);
  }

  subscribe(listener: (event: ChannelEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
