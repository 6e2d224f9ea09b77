/** An issue in the database of the server. */
export interface Kept {
  readonly id: number;
  readonly project_id: number;
  readonly subject: string;
  readonly done_ratio: number;
  readonly status: { readonly id: number; readonly name: string };
  readonly assigned_to?: { readonly id: number; readonly name: string };
  /** The sum of the time entries of the issue. */
  readonly spent_hours: number;
  /** How often the issue was changed. */
  readonly lock_version: number;
}

type Fields = Readonly<Record<string, unknown>>;

const STATUSES = ['', 'New', 'In Progress', 'Closed'];
const USERS = ['', 'Ann', 'Bob'];

/**
 * The part of the API of Redmine that a board of issues needs: records in an envelope, pages with `total_count`, references that are written as ids and
 * read as `{ id, name }`, 204 after a change, no field for a missing value, 422 with messages.
 */
export class Server {
  readonly issues: Map<number, Kept> = new Map();
  #entries = 0;
  #last = 0;

  constructor() {
    for (let at = 0; at < 6; at++) this.#create({ subject: `First ${at}`, project_id: (at % 2) + 1, status_id: 1 });
  }

  answer(method: string, url: string, body: unknown): Response {
    const { pathname, searchParams } = new URL(url, 'http://here');
    if (pathname === '/time_entries.json') return this.#log(Object(body) as Fields);
    const sent = Object((body as { issue?: unknown } | undefined)?.issue) as Fields;
    if (pathname === '/issues.json') {
      if (method !== 'POST') return Response.json(this.list(searchParams));
      if (sent['subject'] === '') return refused();
      return Response.json({ issue: this.#create(sent) }, { status: 201 });
    }
    const id = Number(/^\/issues\/(\d+)\.json$/.exec(pathname)?.[1]);
    const issue = this.issues.get(id);
    if (issue === undefined) return new Response(null, { status: 404 });
    if (method === 'GET') return Response.json({ issue });
    if (method === 'DELETE') this.issues.delete(id);
    else if (sent['subject'] === '') return refused();
    else this.issues.set(id, changed(issue, sent));
    return new Response(null, { status: 204 });
  }

  list(search: URLSearchParams): { readonly issues: readonly Kept[] } & Fields {
    const [project, status, user] = ['project_id', 'status_id', 'assigned_to_id'].map((name) => search.get(name));
    const found = [...this.issues.values()]
      .filter(({ project_id }) => project === null || String(project_id) === project)
      .filter((issue) => status === null || String(issue.status.id) === status)
      .filter(({ assigned_to }) => user === null || String(assigned_to?.id) === user);
    const [offset, limit] = [Number(search.get('offset') ?? 0), Number(search.get('limit') ?? 100)];
    return { issues: found.slice(offset, offset + limit), total_count: found.length, offset, limit };
  }

  /** Logs the time that was spent on an issue. */
  #log({ time_entry: sent }: Fields): Response {
    const { hours, issue_id: id } = sent as { readonly hours: number; readonly issue_id: number };
    const issue = this.issues.get(id);
    if (issue === undefined) return refused();
    this.issues.set(issue.id, { ...issue, spent_hours: issue.spent_hours + hours });
    const entry = { id: ++this.#entries, hours, issue: { id: issue.id } };
    return Response.json({ time_entry: entry }, { status: 201 });
  }

  #create(sent: Fields): Kept {
    const id = ++this.#last;
    const status = { id: 1, name: 'New' };
    const empty = { id, project_id: 1, subject: '', done_ratio: 0, spent_hours: 0, status, lock_version: -1 };
    const issue = changed(empty, sent);
    this.issues.set(id, issue);
    return issue;
  }
}

function changed(issue: Kept, { status_id, assigned_to_id, ...sent }: Fields): Kept {
  const { assigned_to, ...rest } = { ...issue, ...sent, lock_version: issue.lock_version + 1 };
  const user = assigned_to_id === undefined ? (assigned_to?.id ?? 0) : Number(assigned_to_id);
  return {
    ...rest,
    ...(status_id !== undefined && { status: { id: Number(status_id), name: STATUSES[Number(status_id)] ?? '' } }),
    // A field without a value is omitted.
    ...(user > 0 && { assigned_to: { id: user, name: USERS[user] ?? '' } }),
  };
}

function refused(): Response {
  return Response.json({ errors: ['Subject cannot be blank'] }, { status: 422 });
}
