import { setOwn } from '../../std/plain.ts';
import { type Platform, platform } from '../../std/platform.ts';
import { QUOTE, stringEnd } from './json-text.ts';

/** The options of `parseInSlices`. */
export interface SlicedJsonOptions {
  /** How many characters are parsed at once, at most, where the text can be cut. Default: 50,000. */
  readonly pieceLength?: number;
  readonly platform?: Pick<Platform, 'now' | 'setTimeout'>;
}

const SLICE_MILLISECONDS = 8;
const SPACE = 32;
const COMMA = 44;
const BRACKET = 91;
const BRACKET_END = 93;
const BRACE = 123;
const BRACE_END = 125;

/**
 * As `JSON.parse`, but parses a long text in slices, so that the page stays responsive. The text is cut only inside a list that is the
 * whole value, or a member of the top object.
 */
export async function parseInSlices(
  text: string,
  { pieceLength = 50_000, platform: clock = platform }: SlicedJsonOptions = {},
): Promise<unknown> {
  if (text.length > pieceLength) {
    try {
      return await new SlicedText(text, pieceLength, clock).read();
    } catch {
      // `JSON.parse` below throws the error for invalid text.
    }
  }
  return JSON.parse(text) as unknown;
}

class SlicedText {
  readonly #text: string;
  readonly #pieceLength: number;
  readonly #platform: Pick<Platform, 'now' | 'setTimeout'>;
  #at = 0;
  #sliceEnd: number;

  constructor(text: string, pieceLength: number, clock: Pick<Platform, 'now' | 'setTimeout'>) {
    this.#text = text;
    this.#pieceLength = pieceLength;
    this.#platform = clock;
    this.#sliceEnd = clock.now() + SLICE_MILLISECONDS;
  }

  async read(): Promise<unknown> {
    while (this.#text.charCodeAt(this.#at) <= SPACE) this.#at++;
    const value = this.#text.charCodeAt(this.#at) === BRACKET ? await this.#list() : await this.#record();
    if (this.#text.slice(this.#at).trim() !== '') throw new SyntaxError();
    return value;
  }

  /** Reads the list that begins at the present index. */
  async #list(): Promise<unknown[]> {
    const items: unknown[] = [];
    let from = ++this.#at;
    for (let depth = 0; depth >= 0; this.#at++) {
      const code = this.#next();
      depth += stepOf(code);
      const isCut = code === COMMA && depth === 0 && this.#at - from >= this.#pieceLength;
      if (!isCut && depth >= 0) continue;
      const piece = this.#text.slice(from, this.#at);
      // A comma needs an item on both sides.
      if ((isCut || items.length > 0) && piece.trim() === '') throw new SyntaxError();
      for (const item of JSON.parse(`[${piece}${isCut ? ']' : String.fromCharCode(code)}`) as unknown[])
        items.push(item);
      from = this.#at + 1;
      if (this.#platform.now() >= this.#sliceEnd) await this.#yieldToPage();
    }
    return items;
  }

  /**
   * Reads the object that begins at the present index. Each list in it is read on its own, and an index replaces it in the text of the
   * rest.
   */
  async #record(): Promise<unknown> {
    const lists: unknown[][] = [];
    const parts: string[] = [];
    let from = this.#at++;
    for (let depth = 0; depth >= 0;) {
      const code = this.#next();
      if (code === BRACKET && depth === 0) {
        parts.push(this.#text.slice(from, this.#at), `[${lists.length}]`);
        lists.push(await this.#list());
        from = this.#at;
      } else {
        depth += stepOf(code);
        this.#at++;
      }
    }
    const record = JSON.parse(parts.join('') + this.#text.slice(from, this.#at)) as object;
    for (const [name, value] of Object.entries(record))
      if (Array.isArray(value)) setOwn(record, name, lists[value[0] as number]);
    return record;
  }

  /** Returns the next character that is not in a string. */
  #next(): number {
    while (this.#text.charCodeAt(this.#at) === QUOTE) this.#at = stringEnd(this.#text, this.#at);
    if (this.#at >= this.#text.length) throw new SyntaxError();
    return this.#text.charCodeAt(this.#at);
  }

  /** Lets other tasks run. */
  async #yieldToPage(): Promise<void> {
    await new Promise<void>((resolve) => void this.#platform.setTimeout(resolve, 0));
    this.#sliceEnd = this.#platform.now() + SLICE_MILLISECONDS;
  }
}

/** Returns by how much a character changes the depth of nesting. */
function stepOf(code: number): number {
  if (code === BRACKET || code === BRACE) return 1;
  return code === BRACKET_END || code === BRACE_END ? -1 : 0;
}
