/** Removes the state elements with one id from a page, in order, each as soon as all of its text has arrived. */
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

  /** Reads the elements that are there, and later ones while the page is loading. */
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
      // React would hydrate the element as a part of its content.
      script.remove();
      this.#onPart(text);
    }
  }
}
