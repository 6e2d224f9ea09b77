/** Real headers are shorter. A longer one is read as empty. */
export const MAX_HEADER_LENGTH = 65_536;

const TAB = 9;

/** Reads the value of a header from left to right. It reads each character at most twice, so that no header can take long. */
export class HeaderReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text.length > MAX_HEADER_LENGTH ? '' : text;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  skipSpace(): void {
    while (this.#text.charAt(this.#at) === ' ' || this.#text.charCodeAt(this.#at) === TAB) this.#at++;
  }

  /** Moves past the next character if it is `char`, and returns whether it was. */
  take(char: string): boolean {
    if (this.#text.charAt(this.#at) !== char) return false;
    this.#at++;
    return true;
  }

  /** Returns the text up to the first of these characters, or to the end. */
  until(ends: string): string {
    const from = this.#at;
    while (!this.isAtEnd && !ends.includes(this.#text.charAt(this.#at))) this.#at++;
    return this.#text.slice(from, this.#at);
  }

  /** Returns the text up to the closing quote. A `\` escapes the next character. Call it after the opening quote. */
  quoted(): string {
    let value = '';
    while (!this.isAtEnd) {
      const char = this.#text.charAt(this.#at++);
      if (char === '"') return value;
      value += char === '\\' ? this.#text.charAt(this.#at++) : char;
    }
    return value;
  }

  /** Reads `; name=value; name="value"`. Names become lower case. If a name occurs twice, the first value counts. */
  parameters(ends: string): Map<string, string> {
    const parameters = new Map<string, string>();
    for (;;) {
      this.skipSpace();
      if (!this.take(';')) return parameters;
      this.skipSpace();
      const name = this.until(`=;${ends}`).trim().toLowerCase();
      const value = this.take('=') ? this.#value(ends) : '';
      if (name !== '' && !parameters.has(name)) parameters.set(name, value);
    }
  }

  #value(ends: string): string {
    this.skipSpace();
    if (!this.take('"')) return this.until(`;${ends}`).trim();
    const value = this.quoted();
    // Text between the closing quote and the next parameter is ignored.
    this.until(`;${ends}`);
    return value;
  }
}

/** Decodes a value of RFC 8187, such as `UTF-8''na%C3%AFve`. Returns `undefined` for any other value. */
export function decodeExtended(value: string): string | undefined {
  const [charset = '', , encoded] = value.split("'", 3);
  if (encoded === undefined) return undefined;
  const bytes = percentBytes(value.slice(value.indexOf("'", charset.length + 1) + 1));
  const label = charset.toLowerCase();
  if (bytes === undefined || (label !== 'utf-8' && label !== 'iso-8859-1')) return undefined;
  if (label === 'iso-8859-1') return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return new TextDecoder().decode(bytes);
}

function percentBytes(text: string): Uint8Array | undefined {
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 127) return undefined;
    if (text.charAt(at) !== '%') bytes.push(code);
    else {
      const byte = Number(`0x${text.slice(at + 1, at + 3)}`);
      if (!Number.isInteger(byte) || at + 2 >= text.length) return undefined;
      bytes.push(byte);
      at += 2;
    }
  }
  return Uint8Array.from(bytes);
}
