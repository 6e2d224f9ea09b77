/** A simulated disk with texts by key, which every library can use. It answers at once, so that only the work of the libraries is measured. */
export class TextDisk {
  texts = new Map();
  /** The number of characters that were written. */
  written = 0;
  #waiting = [];

  getItem = async (key) => this.texts.get(key) ?? null;

  setItem = async (key, text) => {
    this.texts.set(key, text);
    this.written += key.length + text.length;
    for (const wake of this.#waiting.splice(0)) wake();
  };

  removeItem = async (key) => void this.texts.delete(key);

  /** Resolves after the next write. */
  next() {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
