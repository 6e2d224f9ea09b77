import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

interface Row {
  readonly id: number;
  readonly title: string;
  readonly assignee: number | null;
  readonly labels: readonly number[];
}

const PEOPLE = [
  { id: 1, name: 'Ann' },
  { id: 2, name: 'Bob' },
];
const LABELS = [
  { id: 1, name: 'bug' },
  { id: 2, name: 'docs' },
];
const SIZE = 2;

/** Answers as Django REST framework does with its default pagination, errors and tokens. */
export class DjangoServer {
  token = 'a';
  #issues: readonly Row[] = [
    { id: 1, title: 'Write', assignee: 1, labels: [1] },
    { id: 2, title: 'Test', assignee: null, labels: [2] },
    { id: 3, title: 'Send', assignee: 2, labels: [1] },
  ];
  #last = 3;

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams, href, origin } = new URL(request.url ?? '', `http://${request.headers.host}`);
    const send = (status: number, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
      response.end(body === undefined ? undefined : JSON.stringify(body));
    };
    const sent = await text(request);
    if (!pathname.endsWith('/')) return send(301, undefined, { Location: `${pathname}/` });
    if (request.headers.authorization !== `Token ${this.token}`)
      return send(401, { detail: 'Invalid token.' }, { 'WWW-Authenticate': 'Token' });
    const [, kind, id] = pathname.split('/');
    if (kind !== 'issues') return send(200, kind === 'people' ? PEOPLE : LABELS);
    const own = this.#issues.find((row) => row.id === Number(id));
    if (id !== '' && own === undefined) return send(404, { detail: 'Not found.' });
    if (request.method === 'DELETE') {
      this.#issues = this.#issues.filter((row) => row !== own);
      return send(204);
    }
    if (request.method !== 'GET') return this.#save(own, JSON.parse(sent) as Partial<Row>, send);
    if (own !== undefined) return send(200, own);
    const label = searchParams.get('labels');
    const found = this.#issues.filter(({ labels }) => label === null || labels.includes(Number(label)));
    const page = Number(searchParams.get('page') ?? '1');
    const addressOf = (to: number): string => {
      const address = new URL(href, origin);
      address.searchParams.set('page', String(to));
      return address.href;
    };
    send(200, {
      count: found.length,
      next: page * SIZE < found.length ? addressOf(page + 1) : null,
      previous: page > 1 ? addressOf(page - 1) : null,
      results: found.slice((page - 1) * SIZE, page * SIZE),
    });
  }

  #save(own: Row | undefined, sent: Partial<Row>, send: (status: number, body: unknown) => void): void {
    const unknown = sent.labels?.find((label) => !LABELS.some(({ id }) => id === label));
    const errors = {
      ...(sent.title === '' && { title: ['This field may not be blank.'] }),
      ...(unknown !== undefined && { labels: [`Invalid pk "${unknown}" - object does not exist.`] }),
    };
    if (Object.keys(errors).length > 0) return send(400, errors);
    const saved = { title: '', assignee: null, labels: [], ...own, ...sent, id: own?.id ?? ++this.#last };
    this.#issues =
      own === undefined ? [...this.#issues, saved] : this.#issues.map((row) => (row === own ? saved : row));
    send(own === undefined ? 201 : 200, saved);
  }
}
