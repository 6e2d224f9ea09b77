/** The open connections of a session, so that the simulation can close them. */
export class Line {
  readonly #open = new Set<() => void>();

  /** Adds the function that closes a connection. Returns a function that removes it. */
  hold(cut: () => void): () => void {
    this.#open.add(cut);
    return () => void this.#open.delete(cut);
  }

  cut(): void {
    for (const cut of this.#open) cut();
    this.#open.clear();
  }
}
