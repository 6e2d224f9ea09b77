import type { Flaw } from './json-schema.ts';

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  412: 'Precondition failed',
  413: 'Content too large',
  415: 'Unsupported media type',
  422: 'Not valid',
  426: 'Upgrade required',
  429: 'Too many requests',
  500: 'Internal error',
  503: 'Service unavailable',
};

interface ProblemOptions {
  readonly flaws?: readonly Flaw[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** The error of a request. The app answers with it: `application/problem+json`, RFC 9457. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly flaws: readonly Flaw[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, detail: string, { flaws = [], headers = {} }: ProblemOptions = {}) {
    super(detail);
    this.status = status;
    this.flaws = flaws;
    this.headers = headers;
  }

  toResponse(instance: string): Response {
    const title = TITLES[this.status] ?? 'Failed';
    const body = {
      type: `urn:rejoin-demo:problem:${title.toLowerCase().replaceAll(' ', '-')}`,
      title,
      status: this.status,
      detail: this.message,
      instance,
      ...(this.flaws.length > 0 && { errors: this.flaws }),
    };
    return new Response(JSON.stringify(body), {
      status: this.status,
      headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...this.headers },
    });
  }
}

export const notFound = (what: string, id: string): Problem => new Problem(404, `There is no ${what} ${id}.`);

export const invalid = (flaws: readonly Flaw[]): Problem =>
  new Problem(422, flaws.map(({ pointer, detail }) => `${pointer.slice(2) || 'The body'} ${detail}`).join('; ') + '.', {
    flaws,
  });
