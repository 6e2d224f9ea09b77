/** A step of a card, as the server stores it. `origin`: the text of the edit that has created it. */
interface StoredStep {
  readonly id: string;
  readonly origin: string;
  readonly text: string;
}

interface StoredCard {
  readonly id: string;
  readonly origin: string;
  readonly title: string;
  readonly notes: string;
  readonly list: string;
  readonly steps: readonly StoredStep[];
}

interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

/** What becomes of a request: it is lost, or its answer is, or the server refuses it for now, or because of a conflict. */
export type RequestFate = 'request lost' | 'answer lost' | 'busy' | 'conflict' | 'done';

/** An edit that was carried out: the texts that it has written, and the origin of the record that it has changed. */
export interface BoardEffect {
  readonly origin: string;
  readonly texts: readonly string[];
  readonly isDelete: boolean;
}

/** A server with the cards of one user in two lists, and their steps. It carries out each idempotency key once. */
export class BoardServer {
  readonly user: string;
  cards: readonly StoredCard[] = [];
  readonly effects: BoardEffect[] = [];
  /** The texts of edits that were refused because their records were deleted. */
  readonly refused = new Set<string>();
  /** The origins of deleted records. */
  readonly deleted = new Set<string>();
  /** What no client may send. */
  readonly wrong: string[] = [];
  readonly #origins = new Map<string, string>();
  readonly #answers = new Map<string, Answer>();

  constructor(user: string) {
    this.user = user;
    for (const list of ['a', 'b'])
      this.#create({ list, origin: `${user} first ${list}`, steps: [{ origin: `${user} step ${list}` }] });
  }

  answer(url: string, init: RequestInit, fate: RequestFate): Response {
    const { body, headers, method = 'GET' } = init;
    const key = new Headers(headers).get('idempotency-key') ?? '';
    const texts = textsOf(body);
    if (`${url} ${texts.join(' ')}`.includes('temp:'))
      this.wrong.push(`a temporary pk was sent: ${url} ${texts.join(' ')}`);
    if (fate === 'busy') return Response.json({}, { status: 503 });
    const known = method === 'GET' ? undefined : this.#answers.get(key);
    const answer = known ?? this.#carryOut(new URL(url), method, body, fate);
    if (method !== 'GET') this.#answers.set(key, answer);
    return answer.status === 204 ? new Response(null, answer) : Response.json(answer.body, answer);
  }

  #carryOut(url: URL, method: string, given: RequestInit['body'], fate: RequestFate): Answer {
    const [, table = '', id = ''] = url.pathname.split('/').map(decodeURIComponent);
    if (method === 'GET') return { status: 200, body: this.shown(url.searchParams.get('list') ?? '') };
    const body = bodyOf(given);
    const texts = textsOf(given);
    if (method === 'POST') {
      this.effects.push({ origin: String(body['origin']), texts, isDelete: false });
      return { status: 201, body: this.#create(body) };
    }
    const origin = this.#origins.get(id);
    if (origin === undefined) this.wrong.push(`${method} of an unknown record: ${id} ${texts.join(' ')}`);
    const now = this.#find(table, id);
    if (now === undefined) {
      for (const text of texts) this.refused.add(text);
      return { status: 404, body: {} };
    }
    if (fate === 'conflict' && method !== 'DELETE') return { status: 409, body: now };
    this.effects.push({ origin: String(origin), texts, isDelete: method === 'DELETE' });
    if (method === 'DELETE') {
      this.deleted.add(String(origin));
      if (table === 'cards') for (const step of (now as StoredCard).steps) this.deleted.add(step.origin);
    }
    this.#replace(table, id, method === 'DELETE' ? undefined : { ...now, ...body, id });
    return method === 'DELETE' ? { status: 204 } : { status: 200, body: this.#find(table, id) };
  }

  /** Whether the record that an edit has created, or was to create, has ever existed. */
  hasCreated(origin: string): boolean {
    return [...this.#origins.values()].includes(origin);
  }

  /** The cards of a list. */
  shown(list: string): readonly StoredCard[] {
    return this.cards.filter((card) => card.list === list);
  }

  #create(body: Readonly<Record<string, unknown>>): StoredCard {
    const steps = (body['steps'] ?? []) as readonly Partial<StoredStep>[];
    const card = { title: '', notes: '', list: 'a', origin: '', ...body } as unknown as StoredCard;
    const made = {
      ...card,
      id: this.#idFor(card.origin),
      steps: steps.map((step) => ({ text: '', origin: '', ...step, id: this.#idFor(String(step.origin)) })),
    };
    this.cards = [...this.cards, made];
    return made;
  }

  #idFor(origin: string): string {
    const id = `${this.user}-${this.#origins.size + 1}`;
    this.#origins.set(id, origin);
    return id;
  }

  #find(table: string, id: string): StoredCard | StoredStep | undefined {
    const all: readonly (StoredCard | StoredStep)[] =
      table === 'cards' ? this.cards : this.cards.flatMap(({ steps }) => steps);
    return all.find((one) => one.id === id);
  }

  #replace(table: string, id: string, record: object | undefined): void {
    if (table === 'steps') {
      this.cards = this.cards.map((card) => ({
        ...card,
        steps: card.steps.flatMap((step) => (step.id === id ? ((record ?? []) as StoredStep) : step)),
      }));
      return;
    }
    const before = this.cards.find((card) => card.id === id);
    const card = record as StoredCard | undefined;
    const isMoved = card !== undefined && card.list !== before?.list;
    this.cards = this.cards.flatMap((one) => (one.id !== id ? one : card === undefined || isMoved ? [] : card));
    if (isMoved) this.cards = [...this.cards, card];
  }
}

function bodyOf(body: RequestInit['body']): Readonly<Record<string, unknown>> {
  return JSON.parse(typeof body === 'string' ? body : '{}') as Record<string, unknown>;
}

/** The texts that a body writes. Those of the edits begin with the name of the user. */
function textsOf(body: RequestInit['body']): readonly string[] {
  const { moved, notes, steps, text, title } = bodyOf(body);
  const inSteps = (Array.isArray(steps) ? steps : []) as readonly { readonly text?: unknown }[];
  return [moved, notes, text, title, ...inSteps.map((step) => step.text)].filter((one) => typeof one === 'string');
}
