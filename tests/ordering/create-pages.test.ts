import { describe, expect, test } from 'vitest';
import {
  Collection,
  Controller,
  Endpoint,
  type EndpointInterface,
  Entity,
  getDefaultManagers,
  platform,
  RestEndpoint,
} from '../../src/index.ts';
import { Random } from '../oracle/random.ts';
import { seedsInTurn } from '../turn.ts';
import { settled } from './transport.ts';
import { isSaved, type SavedRecord, WaitingRequests } from './waiting-requests.ts';

/* oxlint-disable no-await-in-loop -- one step after the other */

class Message extends Entity {
  id = '';
  rank = 0;
  text = '';
  static override key = 'PagedMessage';
}

/** How many records a page has. */
const SIZE = 3;

/** A record on the server, or on its way there. */
interface Saved extends SavedRecord {
  readonly rank: number;
}

interface WorldOptions {
  /** Whether the newest record is the first one. */
  readonly isNewestFirst: boolean;
  readonly isSorted: boolean;
  readonly isGuessed: boolean;
  readonly isWatched: boolean;
  /** Whether `getPage` adds further pages to the list. */
  readonly isGrowing: boolean;
  /** How many records the server has at the start. */
  readonly size: number;
}

type Search = { readonly limit?: number; readonly cursor?: number } | undefined;

/** A server that sends pages of its records, and a client with requests that wait for their answers. */
class World {
  readonly #controller = new Controller({ managers: getDefaultManagers({ devToolsManager: null }) });
  readonly #options: WorldOptions;
  /** In the order of issue. */
  readonly #all: Saved[];
  readonly #requests = new WaitingRequests<Saved>((id) => this.#all.find((one) => one.id === id));
  /** The reads in flight. */
  #reads = 0;

  readonly #first: Search;
  readonly #list;
  readonly #create: EndpointInterface;
  readonly #delete: EndpointInterface;
  readonly #edit: EndpointInterface;

  constructor(options: WorldOptions) {
    this.#options = options;
    this.#all = Array.from({ length: options.size }, (_, rank) => ({ rank, id: `old ${rank}`, state: 'saved' }));
    const sign = options.isNewestFirst ? -1 : 1;
    const end = options.isNewestFirst ? 'first' : 'last';
    const items = options.isSorted
      ? new Collection([Message], { create: 'sorted', orderBy: (one, other) => (one.rank - other.rank) * sign })
      : new Collection([Message], { create: end });
    this.#first = options.isGrowing ? {} : { limit: SIZE };
    this.#list = new RestEndpoint({
      path: '/messages',
      urlPrefix: 'http://server.example',
      searchParams: undefined as Search,
      schema: { items },
      paginationField: 'cursor',
      platform: { ...platform, fetch: (url: string) => this.#read(new URL(url)) },
    });
    this.#create = new Endpoint((body: { rank: number }): Promise<unknown> => this.#save(body.rank), {
      name: 'create',
      schema: items.push,
      sideEffect: true,
      key: ({ rank }: { rank: number }) => `create ${rank}`,
      ...(options.isGuessed && { getOptimisticResponse: (_: unknown, body: object) => ({ ...body }) }),
    });
    this.#delete = this.#requests.deletionOf(Message);
    this.#edit = this.#requests.editOf(Message);
    if (options.isWatched) this.#controller.watch(this.#list, this.#first, () => {});
  }

  get #items(): readonly Message[] {
    return this.#controller.getResponse(this.#list, this.#first).data.items ?? [];
  }

  /** The records on the first page, or on all pages if the list grows. */
  get shown(): readonly number[] {
    return this.#items.map(({ rank }) => rank);
  }

  /** All records that exist for the user. */
  get expected(): readonly number[] {
    const { isGuessed } = this.#options;
    return this.#inOrder(({ state }) => state === 'saved' || (state === 'pending' && isGuessed));
  }

  #inOrder(isWanted: (one: Saved) => boolean): readonly number[] {
    const ranks = this.#all.filter(isWanted).map(({ rank }) => rank);
    return this.#options.isNewestFirst ? ranks.toReversed() : ranks;
  }

  /** The page when the request was sent, or when it is answered. */
  async #read(url: URL): Promise<Response> {
    const cursor = url.searchParams.get('cursor');
    const content = (): unknown => {
      const all = this.#inOrder(({ state }) => state === 'saved');
      const isBehind = (rank: number): boolean =>
        cursor === null || (this.#options.isNewestFirst ? rank < Number(cursor) : rank > Number(cursor));
      const page = all.filter(isBehind).slice(0, SIZE);
      return { items: page.map((rank) => fieldsOf(this.#all[rank] as Saved)) };
    };
    const early = content();
    this.#reads++;
    const body = await this.#requests.send(() => (this.#requests.created % 2 === 0 ? early : content()));
    this.#reads--;
    return Response.json(body);
  }

  #save(rank: number): Promise<unknown> {
    const record = this.#all[rank] as Saved;
    return this.#requests.save(record, () => fieldsOf(record));
  }

  /** Answers the first read of the list. */
  async start(): Promise<void> {
    this.read();
    await settled();
    await this.end(0, true);
  }

  /** Creates a record, unless one that is much older is pending. */
  create(): void {
    const rank = this.#all.length;
    if (this.#all.some((one) => one.state === 'pending' && one.rank < rank - 2)) return;
    this.#all.push({ rank, id: undefined, state: 'pending' });
    this.#fetch(this.#create, { rank });
  }

  read(): void {
    if (this.#reads === 0) this.#fetch(this.#list, this.#first);
  }

  /** Fetches the page behind the last record that the server knows. */
  readMore(): void {
    const last = this.#items.findLast(({ rank }) => this.#all[rank]?.state === 'saved');
    if (this.#reads > 0 || last === undefined) return;
    const endpoint = this.#options.isGrowing ? this.#list.getPage : this.#list;
    this.#fetch(endpoint, { ...this.#first, cursor: last.rank });
  }

  change(random: Random, isDeletion: boolean): void {
    const saved = this.#all.filter(isSaved);
    if (saved.length > 0) this.#fetch(isDeletion ? this.#delete : this.#edit, { id: random.pick(saved).id });
  }

  get open(): number {
    return this.#requests.size;
  }

  /** Ends a request in flight. */
  async end(at: number, isDone: boolean): Promise<void> {
    await this.#requests.end(at, isDone);
    await settled();
  }

  dispose(): void {
    this.#controller.dispose();
  }

  #fetch(endpoint: EndpointInterface, ...args: readonly unknown[]): void {
    (this.#controller.fetch(endpoint, ...args) as Promise<unknown>).catch(() => {});
  }
}

function fieldsOf({ id, rank }: Saved): object {
  return { id, rank };
}

type Step = 'create' | 'end' | 'fail' | 'read' | 'readMore' | 'remove' | 'edit';

/** Does one step after the other, until all requests have ended. Calls `look` after each. */
async function play(
  world: World,
  random: Random,
  weights: Readonly<Record<Step, number>>,
  look: () => void,
): Promise<void> {
  await world.start();
  look();
  for (let step = 0; step < 30; step++) {
    const kind = random.weighted(weights);
    if (kind === 'create' || kind === 'read' || kind === 'readMore') world[kind]();
    else if (kind === 'remove' || kind === 'edit') world.change(random, kind === 'remove');
    else if (world.open > 0) await world.end(random.below(world.open), kind === 'end');
    await settled();
    look();
  }
  while (world.open > 0) {
    await world.end(random.below(world.open), true);
    look();
  }
  world.dispose();
}

const { seed: from, runs } = seedsInTurn(200, 10);
const seeds = Array.from({ length: runs }, (_, at) => from + at);

describe('created records on pages of a list', () => {
  const weights = { create: 4, end: 4, fail: 1, read: 1, readMore: 1, remove: 0.6, edit: 1 };
  /** Plays random histories of a page. */
  async function playPages(isNewestFirst: boolean, look: (world: World, seed: number) => void): Promise<void> {
    for (const seed of seeds) {
      const random = new Random(seed);
      const isWatched = random.chance(0.6);
      const world = new World({
        isNewestFirst,
        isSorted: random.chance(0.4),
        isGuessed: random.chance(0.7),
        isWatched,
        isGrowing: false,
        size: random.pick([0, 1, 3, 4, 9]),
      });
      await play(world, random, weights, () => look(world, seed));
      if (isWatched) expect(world.shown, `seed ${seed}`).toEqual(world.expected.slice(0, SIZE));
    }
  }

  test('that come first: the page has the first of all records at every moment', async () => {
    await playPages(true, ({ expected, shown }, seed) =>
      expect(shown, `seed ${seed}`).toEqual(expected.slice(0, shown.length)),
    );
  });

  test('that come last: the records of the page are in order at every moment, and in the end they are the first of all', async () => {
    await playPages(false, ({ expected, shown }, seed) =>
      expect(shown, `seed ${seed}`).toEqual(expected.filter((rank) => shown.includes(rank))),
    );
  });

  test('are the first records, in the order of issue, and each is there once if getPage adds pages to the list', async () => {
    for (const seed of seeds) {
      const random = new Random(seed);
      const world = new World({
        isNewestFirst: true,
        isSorted: random.chance(0.4),
        isGuessed: random.chance(0.7),
        isWatched: random.chance(0.6),
        isGrowing: true,
        size: random.pick([0, 1, 3, 4, 9]),
      });
      await play(world, random, { ...weights, edit: 0 }, () => {
        const { expected, shown } = world;
        expect(new Set(shown).size, `seed ${seed}`).toBe(shown.length);
        const size = Math.min(SIZE, shown.length);
        expect(shown.slice(0, size), `seed ${seed}`).toEqual(expected.slice(0, size));
      });
    }
  });
});

/** A page, and two creates in its list. The later one is answered first. Returns what is shown after each answer. */
async function shownAfterAnswers(end: 'first' | 'last', ranks: readonly number[]): Promise<readonly unknown[]> {
  const answers: ((value: unknown) => void)[] = [];
  const controller = new Controller();
  const messages = new Collection([Message], { create: end });
  const create = new Endpoint(
    (_body: { rank: number }): Promise<unknown> => new Promise((resolve) => void answers.push(resolve)),
    {
      name: 'create',
      schema: messages.push,
      sideEffect: true,
      key: ({ rank }) => `create ${rank}`,
      getOptimisticResponse: (_, body) => body,
    },
  );
  const list = new Endpoint(async (_page: Search): Promise<object[]> => [], { name: 'list', schema: messages });
  const page = { limit: SIZE };
  const records = ranks.map((rank) => ({ id: `${rank}`, rank }));
  await controller.setResponse(list, page, records);
  const created = [4, 5].map((rank) => controller.fetch(create, { rank }));
  const shown: unknown[] = [];
  for (const at of [1, 0]) {
    answers[at]?.({ id: `${at + 4}`, rank: at + 4 });
    await created[at];
    shown.push(controller.get(messages, page)?.map(({ rank }) => rank));
  }
  return shown;
}

test('a pending create stands behind a later one that was answered first, at the start of a full page', async () => {
  expect(await shownAfterAnswers('first', [3, 2, 1])).toEqual([
    [5, 4, 3],
    [5, 4, 3],
  ]);
});

test('a create takes the last place of a page from a later one that was answered first', async () => {
  expect(await shownAfterAnswers('last', [1, 2])).toEqual([
    [1, 2, 4],
    [1, 2, 4],
  ]);
});
