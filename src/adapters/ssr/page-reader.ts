/** Takes the elements of one id out of a page, in their order, as they come; each once all of its text has come. */
export class PageReader {
  readonly #document: Document;
  readonly #id: string;
  readonly #onPart: (json: string) => void;
  readonly #onEnd: () => void;
  #observer: MutationObserver | undefined;

  constructor(page: Document, id: string, onPart: (json: string) => void, onEnd: () => void) {
    this.#document = page;
    this.#id = id;
    this.#onPart = onPart;
    this.#onEnd = onEnd;
  }

  /** Reads what is there, and goes on as long as the page is being loaded. */
  start(): void {
    this.#read();
    if (this.#document.readyState !== 'loading') return this.#end();
    this.#observer = new MutationObserver(() => this.#read());
    this.#observer.observe(this.#document, { childList: true, subtree: true, characterData: true });
    this.#document.addEventListener('DOMContentLoaded', this.#end);
  }

  stop(): void {
    this.#observer?.disconnect();
    this.#document.removeEventListener('DOMContentLoaded', this.#end);
  }

  readonly #end = (): void => {
    this.#read();
    this.stop();
    this.#onEnd();
  };

  #read(): void {
    for (const script of this.#document.querySelectorAll('script[data-rejoin]')) {
      if (script.getAttribute('data-rejoin') !== this.#id) continue;
      const text = script.textContent ?? '';
      if (text.length < Number(script.getAttribute('data-length'))) return;
      // React would take it for a part of what it hydrates.
      script.remove();
      this.#onPart(text);
    }
  }
}
