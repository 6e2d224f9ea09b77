/** Texts by key, as every library can keep them. It answers at once: what is measured is what the libraries do. */
export class TextDisk {
  texts = new Map();
  /** How many characters were written. */
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
