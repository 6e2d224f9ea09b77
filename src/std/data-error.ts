/** Where an error happened: the entity or schema, and the path to the value in the input. */
export interface ErrorDetails {
  readonly entity?: string | undefined;
  readonly path?: string | undefined;
  readonly cause?: unknown;
  /** What to do: the second part of the message. In production it is left out, and the message names the page that has it. */
  readonly cure?: string | undefined;
}

/**
 * Every error that Rejoin throws on purpose. `code` is stable and has a heading in docs/errors.md;
 * `entity` and `path` name the record.
 */
export class DataError extends Error {
  override readonly name: string = 'DataError';
  readonly code: string;
  readonly entity: string | undefined;
  /** An HTTP status for errors that a response caused: 400 if the response arrived and could not be stored. */
  declare status?: number;
  #path: string | undefined;

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    const text = [message, details.cure].filter(Boolean).join(' ');
    super(withoutCredentials(withAddress(text, code)), 'cause' in details ? { cause: details.cause } : undefined);
    this.code = code;
    this.entity = details.entity;
    this.#path = details.path;
  }

  get path(): string | undefined {
    return this.#path;
  }

  /** Prefixes the path with the path of the record ('' at the top): code that throws knows only the path inside the record. */
  at(record: string): this {
    this.#path = [record, this.#path].filter(Boolean).join('.') || 'the top';
    this.message = `At ${this.#path}: ${this.message}`;
    return this;
  }
}

/** The file that explains each code. It is part of the installed package. */
const PAGE = 'See node_modules/rejoin/docs/errors.md#';

/** Ends a message with the address of its explanation. A message that quotes another error has the address of that one already. */
export function withAddress(message: string, code: string): string {
  return message.includes(PAGE) ? message : `${message} ${PAGE}${code}.`;
}

/** Removes the user and the password from all URLs in a text, because messages are logged and sent to other services. */
export function withoutCredentials(text: string): string {
  const parts = text.split('/');
  // A host follows two slashes.
  return parts.map((part, at) => (at > 1 && parts[at - 1] === '' ? withoutUser(part) : part)).join('/');
}

/** Removes the text before the last `@` of a host. */
function withoutUser(part: string): string {
  const [host = ''] = part.split(CREDENTIALS_END, 1);
  return part.slice(host.lastIndexOf('@') + 1);
}

/** Characters that end the user and password of a URL. */
const CREDENTIALS_END = /[\\?#"<> \t\n\r]/;
