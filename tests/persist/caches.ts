/** A Cache Storage in memory, with the members that the library uses. */
export class FakeCaches {
  readonly #caches = new Map<string, Map<string, string>>();
  readonly #waiting: (() => void)[] = [];
  #hangsFrom: { readonly name: string; left: number } | undefined;
  /** Whether each call is refused. */
  fails = false;
  /** Whether no call is answered before `answer()`. */
  hangs = false;
  /** Whether copies are deleted. A browser can be killed before. */
  deletes = true;
  /** The promise for which writes wait. */
  written: Promise<void> | undefined;

  /** Answers the calls that were made so far, and all further calls. */
  answer(): void {
    this.hangs = false;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** The browser starts again: calls from before are never answered. */
  restart(): void {
    this.hangs = false;
    this.#waiting.length = 0;
  }

  /** Answers no call any more from this call of `open` with a name on. */
  hangsFrom(name: string, call: number): void {
    this.#hangsFrom = { name, left: call };
  }

  /** The names of the caches, sorted. */
  get names(): readonly string[] {
    return [...this.#caches.keys()].sort();
  }

  /** The texts of a cache. */
  textsIn(name: string): readonly string[] {
    return [...(this.#caches.get(name)?.values() ?? [])];
  }

  async has(name: string): Promise<boolean> {
    await this.#check();
    return this.#caches.has(name);
  }

  async delete(name: string): Promise<boolean> {
    await this.#check();
    return this.#caches.delete(name);
  }

  async open(name: string) {
    const from = this.#hangsFrom;
    if (from?.name === name && --from.left === 0) this.hangs = true;
    await this.#check();
    const texts = this.#caches.get(name) ?? new Map<string, string>();
    this.#caches.set(name, texts);
    const urlOf = (given: string | { readonly url: string }): string => (typeof given === 'string' ? given : given.url);
    return {
      keys: async (given?: string) =>
        [...texts.keys()].filter((url) => given === undefined || isSamePath(url, given)).map((url) => ({ url })),
      match: async (given: string | { readonly url: string }) => {
        const text = texts.get(urlOf(given));
        return text === undefined ? undefined : new Response(text);
      },
      put: async (url: string, response: Response) => {
        // Chromium too deletes a copy before it writes another one in its place.
        texts.delete(url);
        const text = await response.text();
        await this.written;
        texts.set(url, text);
      },
      delete: async (given: string | { readonly url: string }, { ignoreSearch = false } = {}) => {
        const urls = ignoreSearch ? [...texts.keys()].filter((url) => isSamePath(url, urlOf(given))) : [urlOf(given)];
        return this.deletes && urls.map((url) => texts.delete(url)).includes(true);
      },
    };
  }

  async #check(): Promise<void> {
    if (this.fails) throw new DOMException('refused', 'SecurityError');
    if (this.hangs) await new Promise<void>((resolve) => void this.#waiting.push(resolve));
  }
}

function isSamePath(url: string, other: string): boolean {
  return url.split('?')[0] === other.split('?')[0];
}
