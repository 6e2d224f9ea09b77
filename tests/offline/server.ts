interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

/** A server with the tasks of one user, which carries out each idempotency key once. */
export class TaskServer {
  readonly user: string;
  tasks: readonly { readonly id: string; readonly title: string }[] = [];
  /** The edits that were carried out: the titles that were written. */
  readonly effects: string[] = [];
  /** The titles that each task has had. */
  readonly titles: Map<string, string[]> = new Map();
  /** The edits of deleted tasks, which were not carried out. */
  readonly refused: string[] = [];
  /** The number of received deletes with different keys. */
  deletes = 0;
  readonly #known = new Set<string>();
  readonly #answers = new Map<string, Answer>();

  constructor(user: string) {
    this.user = user;
    for (const title of ['a', 'b']) this.#add(`${user} ${title}`);
  }

  answer(url: string, { body, headers, method = 'GET' }: RequestInit): Response {
    const key = new Headers(headers).get('idempotency-key') ?? '';
    const answer = this.#answers.get(key) ?? this.#carryOut(url, method, body);
    if (method !== 'GET') this.#answers.set(key, answer);
    return answer.status === 204 ? new Response(null, answer) : Response.json(answer.body, answer);
  }

  #carryOut(url: string, method: string, body: RequestInit['body']): Answer {
    if (method === 'GET') return { status: 200, body: this.tasks };
    const id = decodeURIComponent(url.split('/').at(-1) ?? '');
    const { title } = JSON.parse(typeof body === 'string' ? body : '{}') as { readonly title: string };
    if (method === 'DELETE') this.deletes++;
    if (method !== 'POST' && !this.tasks.some((task) => task.id === id)) {
      if (method === 'PATCH') this.refused.push(this.#known.has(id) ? title : `no task ${id} for ${title}`);
      return { status: 404, body: {} };
    }
    if (method === 'DELETE') {
      this.tasks = this.tasks.filter((task) => task.id !== id);
      return { status: 204 };
    }
    this.effects.push(title);
    if (method === 'POST') return { status: 201, body: this.#add(title) };
    this.titles.get(id)?.push(title);
    this.tasks = this.tasks.map((task) => (task.id === id ? { id, title } : task));
    return { status: 200, body: { id, title } };
  }

  #add(title: string): object {
    const made = { id: `${this.user}-${this.#known.size + 1}`, title };
    this.#known.add(made.id);
    this.titles.set(made.id, [title]);
    this.tasks = [...this.tasks, made];
    return made;
  }
}
