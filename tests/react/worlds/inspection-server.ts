/** The server of people who inspect buildings. It carries out each idempotency key once, and notes what it has carried out. */
import type { Random } from '../random.ts';
import type { Call, Fields, Network, Reply } from './network.ts';

interface Kept extends Fields {
  readonly id: string;
  /** The text that its create has written. */
  readonly origin: string;
  readonly text: string;
  readonly parent: string;
  readonly version: number;
  readonly photos: number;
}

interface Effect {
  readonly origin: string;
  readonly texts: readonly string[];
}

const TABLES: readonly string[] = ['buildings', 'floors', 'defects'];

export class InspectionServer {
  readonly effects: Effect[] = [];
  /** The origins of records that were deleted. */
  readonly deleted = new Set<string>();
  readonly wrong: string[] = [];
  isLoggedIn = true;
  readonly #network: Network;
  readonly #answers = new Map<string, Reply>();
  readonly #rows = new Map<string, readonly Kept[]>(TABLES.map((table) => [table, []]));
  /** The origins of all records that ever were. */
  readonly #origins = new Map<string, string>();
  #last = 0;

  constructor(network: Network) {
    this.#network = network;
    const building = this.#create('buildings', { text: 'b', origin: 'b' });
    const floor = this.#create('floors', { text: 'f', origin: 'f', parent: building.id });
    for (const text of ['d1', 'd2']) this.#create('defects', { text, origin: text, parent: floor.id });
  }

  /** Another user. */
  other(choice: Random): string | undefined {
    const [table, row] =
      choice.pick([...this.#rows].flatMap(([name, rows]) => rows.map((one) => [name, one] as const))) ?? [];
    if (table === undefined || row === undefined) return undefined;
    if (choice.isLucky(0.6)) {
      this.#change(table, row, { text: `o${this.#network.next()}`, version: row.version + 1 });
      return `changes ${row.origin}`;
    }
    if (table === 'floors' && choice.isLucky(0.5))
      return `creates ${this.#create('defects', { text: 'o', origin: `o${this.#network.next()}`, parent: row.id }).id}`;
    this.#delete(table, row);
    return `deletes ${row.origin}`;
  }

  originOf(id: string): string | undefined {
    return this.#origins.get(id);
  }

  answer(call: Call): Reply {
    if (!this.isLoggedIn && !this.#network.isFresh) return { status: 401 };
    const { body, headers, method, path, search } = call;
    const key = headers.get('Idempotency-Key');
    if (method === 'GET') return { body: this.#list(path[0] ?? '', search) };
    if (JSON.stringify([path, search, body]).includes('temp:'))
      this.wrong.push(`a temporary pk was sent: ${JSON.stringify(call)}`);
    if (key === null) this.wrong.push(`no key: ${JSON.stringify(call)}`);
    const answer = this.#answers.get(String(key)) ?? this.#carryOut(call);
    this.#answers.set(String(key), answer);
    return answer;
  }

  #missing(id: string): Reply {
    if (!this.#origins.has(id)) this.wrong.push(`no record has ever had the id ${id}`);
    return { status: 404 };
  }

  #list(table: string, { parent }: Call['search']): readonly Kept[] {
    const rows = (this.#rows.get(table) ?? []).filter((row) => parent === undefined || row.parent === parent);
    return rows.sort((one, other) => (one.origin < other.origin ? -1 : 1));
  }

  #carryOut({ body, method, path: [table = '', id, photos] }: Call): Reply {
    const texts = ['text', 'state', 'file'].flatMap((field) => (field in body ? String(body[field]) : []));
    if (texts.some((text) => text.includes('bad'))) return { status: 422, body: { message: 'bad' } };
    if (id === undefined) {
      const above = this.#rows.get(TABLES[TABLES.indexOf(table) - 1] ?? '');
      if (above?.some((one) => one.id === body['parent']) === false) return this.#missing(String(body['parent']));
      this.effects.push({ origin: String(body['origin']), texts });
      return { status: 201, body: this.#create(table, body) };
    }
    const row = this.#rows.get(table)?.find((one) => one.id === id);
    if (row === undefined) return this.#missing(id);
    const { origin, version } = row;
    if (method === 'PATCH' && 'version' in body && body['version'] !== version) return { status: 409, body: row };
    this.effects.push({ origin, texts: method === 'DELETE' ? ['delete'] : texts });
    if (photos !== undefined) return { body: this.#change(table, row, { photos: row.photos + 1 }) };
    if (method === 'PATCH') return { body: this.#change(table, row, { ...body, version: version + 1 }) };
    this.#delete(table, row);
    return { status: 204 };
  }

  #create(table: string, fields: Fields): Kept {
    const made = {
      version: 1,
      photos: 0,
      state: 'new',
      parent: '',
      ...fields,
      id: `${table[0]}${++this.#last}`,
    } as unknown as Kept;
    this.#origins.set(made.id, made.origin);
    this.#rows.set(table, [...(this.#rows.get(table) ?? []), made]);
    return made;
  }

  #change(table: string, row: Kept, changes: Fields): Kept {
    const changed = { ...row, ...changes };
    this.#rows.set(
      table,
      (this.#rows.get(table) ?? []).map((one) => (one === row ? changed : one)),
    );
    return changed;
  }

  #delete(table: string, row: Kept): void {
    this.deleted.add(row.origin);
    this.#rows.set(
      table,
      (this.#rows.get(table) ?? []).filter((one) => one !== row),
    );
    const below = TABLES[TABLES.indexOf(table) + 1] ?? '';
    for (const one of this.#list(below, { parent: row.id })) this.#delete(below, one);
  }
}
