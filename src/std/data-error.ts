/** Where an error happened: the entity or schema, and the way to the value inside the input. */
export interface ErrorPlace {
  readonly entity?: string | undefined;
  readonly path?: string | undefined;
  readonly cause?: unknown;
}

/**
 * Every error that Rejoin throws on purpose. `code` is stable and has a heading in docs/errors.md;
 * `entity` and `path` say which record it was.
 */
export class DataError extends Error {
  override readonly name: string = 'DataError';
  readonly code: string;
  readonly entity: string | undefined;
  /** That of HTTP, for what a response was to blame for: 400 where it came and could not be filed. */
  declare status?: number;
  #path: string | undefined;

  constructor(code: string, message: string, place: ErrorPlace = {}) {
    super(withoutCredentials(`${message} ${seePage(code)}`), 'cause' in place ? { cause: place.cause } : undefined);
    this.code = code;
    this.entity = place.entity;
    this.#path = place.path;
  }

  get path(): string | undefined {
    return this.#path;
  }

  /** Adds where the record is, '' at the top, to the place inside it, which is all that the one who threw knew. */
  at(record: string): this {
    this.#path = [record, this.#path].filter(Boolean).join('.') || 'the top';
    this.message = `At ${this.#path}: ${this.message}`;
    return this;
  }
}

/** Where a code is explained: a file that is there wherever the package is installed. */
export function seePage(code: string): string {
  return `See node_modules/rejoin/docs/errors.md#${code}.`;
}

/** A text without the user and the password of the addresses in it: messages are logged, and sent elsewhere. */
export function withoutCredentials(text: string): string {
  let kept = '';
  let copied = 0;
  for (let at = text.indexOf('//'); at >= 0; at = text.indexOf('//', at + 1)) {
    const host = hostAfter(text, at + 2);
    if (host > at + 2) {
      kept += text.slice(copied, at + 2);
      copied = host;
    }
  }
  return kept + text.slice(copied);
}

/** Characters that neither a user nor a password of an address can have. */
const ENDS: ReadonlySet<string> = new Set('/\\?#"<> \t\n\r');

/** Where the host of an address starts: behind the last `@` before its path. `start` where there is no user. */
function hostAfter(text: string, start: number): number {
  let host = start;
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at);
    if (ENDS.has(char)) break;
    if (char === '@') host = at + 1;
  }
  return host;
}
