import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A record to which other records refer by its id. */
interface Named {
  readonly id: number;
  readonly name: string;
}

/** An issue in the database of the server. */
interface Kept {
  readonly id: number;
  readonly subject: string;
  readonly description: string;
  readonly project: number;
  readonly status: number;
  readonly assigned_to: number | undefined;
  readonly done_ratio: number;
  readonly journals: readonly { readonly id: number; readonly user: number; readonly notes: string }[];
}

/** The answer to a request. With an `undefined` body, the answer has no body. */
interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly location?: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** A running server: its URL, its requests with their bodies, and a function that stops it. */
export interface RedmineServer {
  readonly url: string;
  /** `METHOD url body`, of every request since the last call. */
  asked(): string[];
  /** Returns the issue on the server. */
  issue(id: number): Kept | undefined;
  close(): Promise<void>;
}

/** Runs before a request is answered: waits, or gives a status to refuse it with. */
export type Before = (method: string, path: string) => Promise<number | void> | number | void;

const KEY = 'secret';
const projects: readonly Named[] = [
  { id: 1, name: 'Website' },
  { id: 2, name: 'Shop' },
];
const statuses: readonly (Named & { readonly is_closed: boolean })[] = [
  { id: 1, name: 'New', is_closed: false },
  { id: 2, name: 'In Progress', is_closed: false },
  { id: 5, name: 'Closed', is_closed: true },
];
const users: readonly Named[] = [
  { id: 7, name: 'Ann Lee' },
  { id: 8, name: 'Bob Ray' },
];

/**
 * A server with the API of Redmine: records in an envelope, pages with `total_count`, references that are read as `{ id, name }` and
 * written as `status_id`, 204 after a change, no field for a missing value, 422 with a list of sentences.
 */
export async function startRedmine(before: Before = () => undefined): Promise<RedmineServer> {
  const issues = new Map<number, Kept>(first.map((issue) => [issue.id, issue]));
  const log: string[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '' } = request;
    let text = '';
    for await (const chunk of request) text += String(chunk);
    log.push(`${method} ${url}${text === '' ? '' : ` ${text}`}`);
    const refused = await before(method, url);
    const isKnown = request.headers['x-redmine-api-key'] === KEY;
    const body = text === '' ? {} : (JSON.parse(text) as Fields);
    const reply =
      typeof refused === 'number'
        ? { status: refused }
        : isKnown
          ? answer(issues, method, new URL(url, 'http://here'), body)
          : { status: 401 };
    response.writeHead(reply.status, {
      'Content-Type': 'application/json; charset=utf-8',
      ...(reply.location !== undefined && { Location: reply.location }),
    });
    response.end(reply.body === undefined ? '' : JSON.stringify(reply.body));
  };
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => log.splice(0),
    issue: (id) => issues.get(id),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const first: readonly Kept[] = ['Logo is blurred', 'Add a search', 'Pay by card', 'Old prices', 'Typo'].map(
  (subject, at) => ({
    id: at + 1,
    subject,
    description: `${subject}, in full`,
    project: at < 3 ? 1 : 2,
    status: at === 3 ? 5 : 1,
    assigned_to: at === 1 ? undefined : 7,
    done_ratio: at * 10,
    journals: [],
  }),
);

function answer(issues: Map<number, Kept>, method: string, { pathname, searchParams }: URL, body: Fields): Reply {
  if (pathname === '/issue_statuses.json') return { status: 200, body: { issue_statuses: statuses } };
  if (pathname === '/issues.json') {
    return method === 'POST' ? created(issues, body) : { status: 200, body: listed(issues, searchParams) };
  }
  const id = Number(/^\/issues\/(\d+)\.json$/.exec(pathname)?.[1]);
  const issue = issues.get(id);
  if (issue === undefined) return { status: 404 };
  if (method === 'DELETE') {
    issues.delete(id);
    return { status: 204 };
  }
  if (method === 'GET') return { status: 200, body: { issue: detailOf(issue, searchParams.get('include') ?? '') } };
  return changed(issues, issue, body);
}

function created(issues: Map<number, Kept>, body: Fields): Reply {
  const id = Math.max(0, ...issues.keys()) + 1;
  const empty = { id, subject: '', description: '', project: 0, status: 1, assigned_to: undefined, done_ratio: 0 };
  const reply = changed(issues, { ...empty, journals: [] }, body);
  const issue = issues.get(id);
  if (issue === undefined) return reply;
  return { status: 201, body: { issue: detailOf(issue, '') }, location: `/issues/${id}` };
}

/** Applies a body. Fields outside of the envelope are ignored, as in Redmine. */
function changed(issues: Map<number, Kept>, issue: Kept, body: Fields): Reply {
  const sent = (body['issue'] ?? {}) as Readonly<Record<string, string | number | null>>;
  const number = (name: string, former: number): number => (name in sent ? Number(sent[name]) : former);
  const text = (name: string, former: string): string => (name in sent ? String(sent[name]) : former);
  const { notes } = sent;
  const entry = { id: issue.journals.length + 1, user: 7, notes: String(notes) };
  const next: Kept = {
    ...issue,
    subject: text('subject', issue.subject),
    description: text('description', issue.description),
    project: number('project_id', issue.project),
    status: number('status_id', issue.status),
    assigned_to: number('assigned_to_id', issue.assigned_to ?? 0) || undefined,
    done_ratio: number('done_ratio', issue.done_ratio),
    journals: notes === undefined || notes === '' ? issue.journals : [...issue.journals, entry],
  };
  const errors = [
    ...(next.subject.trim() === '' ? ['Subject cannot be blank'] : []),
    ...(projects.some(({ id }) => id === next.project) ? [] : ['Project cannot be blank']),
    ...(statuses.some(({ id }) => id === next.status) ? [] : ['Status is not included in the list']),
  ];
  if (errors.length > 0) return { status: 422, body: { errors } };
  issues.set(issue.id, next);
  return { status: 204 };
}

function listed(issues: Map<number, Kept>, search: URLSearchParams): Fields {
  const of = (name: string): string | null => search.get(name);
  const found = [...issues.values()].filter((issue) => {
    const isClosed = statuses.find(({ id }) => id === issue.status)?.is_closed === true;
    const status = of('status_id') ?? 'open';
    const isAsked =
      status === '*' || (status === 'open' ? !isClosed : status === 'closed' ? isClosed : +status === issue.status);
    const isProject = of('project_id') === null || Number(of('project_id')) === issue.project;
    return (
      isAsked && isProject && (of('assigned_to_id') === null || Number(of('assigned_to_id')) === issue.assigned_to)
    );
  });
  const [offset, limit] = [Number(of('offset') ?? 0), Number(of('limit') ?? 25)];
  const page = found.toSorted((one, other) => other.id - one.id).slice(offset, offset + limit);
  return { issues: page.map(summaryOf), total_count: found.length, offset, limit };
}

function summaryOf({ id, subject, project, status, assigned_to, done_ratio }: Kept): Fields {
  return {
    id,
    project: projects.find((one) => one.id === project),
    status: statuses.find((one) => one.id === status),
    // A missing value has no field.
    ...(assigned_to !== undefined && { assigned_to: users.find((one) => one.id === assigned_to) }),
    subject,
    done_ratio,
  };
}

function detailOf(issue: Kept, include: string): Fields {
  const journals = issue.journals.map(({ user, ...entry }) => ({
    ...entry,
    user: users.find(({ id }) => id === user),
  }));
  return {
    ...summaryOf(issue),
    description: issue.description,
    ...(include.split(',').includes('journals') && { journals }),
  };
}
