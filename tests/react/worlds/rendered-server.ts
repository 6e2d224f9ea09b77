/** The API of a page that is rendered on a server: the tasks and projects of two users, and a count. */
import type { Random } from '../random.ts';
import type { Call, Fields, Network, Reply } from './network.ts';

export const USERS = ['Ada', 'Ben'] as const;
export type UserName = (typeof USERS)[number];

interface KeptProject {
  readonly id: string;
  readonly name: string;
}
interface KeptTask {
  readonly id: string;
  readonly title: string;
  readonly done: boolean;
  readonly projectId: string;
}

export class RenderedServer {
  readonly #network: Network;
  readonly #projects: Record<UserName, readonly KeptProject[]> = { Ada: [], Ben: [] };
  readonly #tasks: Record<UserName, readonly KeptTask[]> = { Ada: [], Ben: [] };

  constructor(network: Network, { below }: Random) {
    this.#network = network;
    for (const user of USERS) {
      this.#projects[user] = [1, 2].map((at) => ({ id: `p${at}`, name: this.#text(user) }));
      for (let count = 2 + below(3); count > 0; count--) this.#create(user, { projectId: `p${1 + below(2)}` });
    }
  }

  /** What the user does in another browser. */
  other(user: UserName, { pick }: Random): string {
    const task = pick(this.#tasks[user]);
    const project = pick(this.#projects[user]);
    const title = this.#text(user);
    switch (pick(['create', 'rename', 'edit', 'move', 'delete'])) {
      case 'create':
        return `creates ${this.#create(user, { title, projectId: project.id }).id}`;
      case 'rename':
        this.#projects[user] = this.#projects[user].map((one) => (one === project ? { ...one, name: title } : one));
        return `renames ${project.id} to ${title}`;
      case 'delete':
        if (task !== undefined) this.#delete(user, task);
        return `deletes ${task?.id}`;
      case 'move':
        if (task !== undefined) this.#change(user, task, { projectId: project.id });
        return `moves ${task?.id} to ${project.id}`;
      default:
        if (task !== undefined) this.#change(user, task, { title });
        return `calls ${task?.id} ${title}`;
    }
  }

  answer({ body, headers, method, path: [table, id], search }: Call): Reply {
    const user = headers.get('Authorization') as UserName;
    const [projects, tasks] = [this.#projects[user], this.#tasks[user]];
    if (table === 'count') return { body: { user, open: tasks.filter(({ done }) => !done).length } };
    if (table === 'projects' && id === undefined) return { body: projects };
    if (table === 'projects') {
      this.#projects[user] = projects.map((one) => (one.id === id ? { ...one, ...body } : one));
      return { body: this.#projects[user].find((one) => one.id === id) };
    }
    const read = (task: KeptTask): Fields => ({
      ...task,
      project: this.#projects[user].find((one) => one.id === task.projectId),
    });
    if (id === undefined && method === 'POST') return { status: 201, body: read(this.#create(user, body)) };
    if (id === undefined) {
      const { projectId = '' } = search;
      return { body: tasks.filter((one) => projectId === '' || one.projectId === projectId).map(read) };
    }
    const task = tasks.find((one) => one.id === id);
    if (task === undefined) return { status: 404 };
    if (method === 'GET') return { body: read(task) };
    if (method === 'PATCH') return { body: read(this.#change(user, task, body)) };
    this.#delete(user, task);
    return { status: 204 };
  }

  #text(user: UserName): string {
    return `${user}${this.#network.next()}`;
  }

  #create(user: UserName, fields: Fields): KeptTask {
    const id = `t${this.#network.next()}`;
    const task = { title: this.#text(user), done: false, projectId: 'p1', ...fields, id };
    this.#tasks[user] = [...this.#tasks[user], task];
    return task;
  }

  #change(user: UserName, task: KeptTask, fields: Fields): KeptTask {
    const changed = { ...task, ...fields };
    this.#tasks[user] = this.#tasks[user].map((one) => (one.id === task.id ? changed : one));
    return changed;
  }

  #delete(user: UserName, task: KeptTask): void {
    this.#tasks[user] = this.#tasks[user].filter((one) => one.id !== task.id);
  }
}
