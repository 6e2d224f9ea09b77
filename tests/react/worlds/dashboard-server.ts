/** The server of a dashboard. It sends related records nested or by their keys, as it happens, and every change over a WebSocket. */
import type { Random } from '../random.ts';
import { deletedIds } from './dashboard-model.ts';
import { Socket } from './kanban-server.ts';
import type { Call, Fields, Network, Reply } from './network.ts';

export type Table = 'teams' | 'people' | 'members' | 'tags' | 'tasks' | 'notes';

interface Kept extends Fields {
  readonly id: string;
}

export class DashboardServer {
  readonly #network: Network;
  readonly #choice: Random;
  readonly #tables: Record<Table, readonly Kept[]> = {
    teams: ['t1', 't2', 't3', 't4'].map((id, at) => ({
      id,
      name: `n${id}`,
      parentId: ['', 't1', 't1', 't2'][at] || null,
      type: 'team',
    })),
    people: ['p1', 'p2', 'p3'].map((id) => ({ id, name: `n${id}`, type: 'person' })),
    members: [
      { id: 'm1', teamId: 't1', personId: 'p1', role: 'r1' },
      { id: 'm2', teamId: 't1', personId: 'p2', role: 'r2' },
      { id: 'm3', teamId: 't2', personId: 'p2', role: 'r3' },
    ],
    tags: ['g1', 'g2', 'g3'].map((id) => ({ id, name: `n${id}` })),
    tasks: [],
    notes: [
      { id: 'o1', about: 't1', type: 'team', text: 'x1' },
      { id: 'o2', about: 'p1', type: 'person', text: 'x2' },
    ],
  };

  constructor(network: Network, choice: Random) {
    this.#network = network;
    this.#choice = choice;
    Socket.network = network;
    Socket.latest = undefined;
    deletedIds.clear();
    for (const [name, rows] of Object.entries(this.#tables))
      this.#tables[name as Table] = rows.map((row) => ({ ...row, version: 1 }));
    for (let at = 0; at < 6; at++) this.#create('tasks', { ...this.#task(choice), id: `k${at}` });
  }

  other(choice: Random): string {
    const table = choice.pick(['tasks', 'tasks', 'tasks', 'members', 'notes', 'people', 'teams'] as const);
    const row = choice.pick(this.#tables[table]);
    const kind = choice.pick(['create', 'change', 'change', 'delete']);
    if (kind === 'delete' && table !== 'teams' && this.#tables[table].length > 1) {
      this.#delete(table, row);
      return `deletes ${row.id}`;
    }
    if (kind === 'create' && table !== 'teams' && table !== 'people')
      return `creates ${this.#create(table, { ...this.#fields(table, choice), id: `${table[0]}x${this.#network.next()}` }).id}`;
    this.#change(table, row, this.#fields(table, choice));
    return `changes ${row.id}`;
  }

  answer({ body, method, path: [name = '', id = ''] }: Call): Reply {
    const table = name as Table;
    if (id === '' && method === 'GET') return { body: this.#tables[table].map((row) => this.#body(table, row)) };
    if (id === '') return { status: 201, body: this.#body(table, this.#create(table, body)) };
    const row = this.#tables[table].find((one) => one.id === id);
    if (row === undefined) return { status: 404 };
    if (method === 'PATCH') return { body: this.#body(table, this.#change(table, row, body)) };
    if (method === 'GET') return { body: this.#body(table, row) };
    // Other people need a record of each kind that they can change.
    if (this.#tables[table].length === 1) return { status: 409 };
    this.#delete(table, row);
    return { status: 204 };
  }

  #fields(table: Table, choice: Random): Fields {
    const some = (of: Table): string => choice.pick(this.#tables[of]).id;
    if (table === 'tasks') return this.#task(choice);
    if (table === 'members')
      return { teamId: some('teams'), personId: some('people'), role: `r${this.#network.next()}` };
    if (table === 'notes') {
      const type = choice.pick(['team', 'person'] as const);
      return { about: some(type === 'team' ? 'teams' : 'people'), type, text: `x${this.#network.next()}` };
    }
    return table === 'teams' ? { parentId: choice.pick([null, some('teams')]) } : { name: `n${this.#network.next()}` };
  }

  #task(choice: Random): Fields {
    return {
      title: `x${this.#network.next()}`,
      state: choice.pick(['open', 'done']),
      hours: choice.below(6),
      due: `2026-0${1 + choice.below(9)}-01`,
      path: `${choice.pick(this.#tables.teams).id}/a`,
      team: choice.pick(this.#tables.teams).id,
      assigneeId: choice.pick(this.#tables.people).id,
      tags: this.#tables.tags.flatMap(({ id }) => (choice.isLucky(0.4) ? [id] : [])),
    };
  }

  #create(table: Table, fields: Fields): Kept {
    const id = String(fields['id'] ?? `${table[0]}y${this.#network.next()}`);
    const { about } = fields;
    // A page sends what a note is about as a record, and the table has its key and its type.
    const flat = typeof about === 'object' && about !== null ? { ...about, about: (about as Kept).id } : {};
    const row = { ...fields, ...flat, id, version: this.#network.next() };
    this.#tables[table] = [...this.#tables[table], row];
    this.#send('created', table, row);
    return row;
  }

  #change(table: Table, row: Kept, changes: Fields): Kept {
    const changed = { ...row, ...changes, version: this.#network.next() };
    this.#tables[table] = this.#tables[table].map((one) => (one.id === row.id ? changed : one));
    this.#send('changed', table, changed);
    return changed;
  }

  #delete(table: Table, row: Kept): void {
    this.#tables[table] = this.#tables[table].filter((one) => one.id !== row.id);
    deletedIds.add(row.id);
    this.#send('deleted', table, row);
  }

  #send(type: string, table: Table, row: Kept): void {
    if (Socket.latest?.readyState === 1)
      Socket.latest.deliver(JSON.stringify({ type, table, row: type === 'deleted' ? row : this.#body(table, row) }));
  }

  /** The same record in one of its forms. */
  #body(table: Table, row: Kept): Fields {
    const nested = (of: Table, id: unknown): unknown =>
      this.#network.isFresh || this.#choice.isLucky(0.5) ? this.#tables[of].find((one) => one.id === id) : id;
    if (table === 'tasks')
      return {
        ...row,
        team: nested('teams', row['team']),
        tags: (row['tags'] as readonly string[]).map((id) => nested('tags', id)),
      };
    if (table === 'notes') {
      const { type, about, ...rest } = row;
      const found = this.#tables[type === 'team' ? 'teams' : 'people'].find((one) => one.id === about);
      return { ...rest, about: found && (this.#choice.isLucky(0.5) ? found : { id: about, type }) };
    }
    if (table === 'people' && this.#choice.isLucky(0.5))
      return { ...row, tasks: this.#tables.tasks.filter((one) => one['assigneeId'] === row.id) };
    return row;
  }
}
