/** What a session has open, so that it can be cut. */
export class Line {
  readonly #open = new Set<() => void>();

  /** Remembers how to cut one connection; the returned function forgets it. */
  hold(cut: () => void): () => void {
    this.#open.add(cut);
    return () => void this.#open.delete(cut);
  }

  cut(): void {
    for (const cut of this.#open) cut();
    this.#open.clear();
  }
}
