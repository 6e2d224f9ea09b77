import { describe, expect, test } from 'vitest';
import { Collection, Controller, Endpoint, type EndpointInterface, Entity, Union } from '../../src/index.ts';
import { Random } from '../oracle/random.ts';
import { seedsInTurn } from '../turn.ts';
import { settled } from './transport.ts';
import { isSaved, type SavedRecord, WaitingRequests } from './waiting-requests.ts';

/* oxlint-disable no-await-in-loop -- one step after the other */

class Note extends Entity {
  id = '';
  title = '';
  group = 0;
  text = '';
  static override key = 'OrderedNote';
}

const plain = new Collection([Note]);
const ofUnion = new Collection([new Union({ note: Note }, () => 'note')]);
const filtered = new Collection([Note], { createCollectionFilter: () => () => true });
const newestFirst = new Collection([Note], { create: 'first' });
const sorted = new Collection([Note], { create: 'sorted', orderBy: (one, other) => one.group - other.group });
const byGroup = (one: Saved, other: Saved): number => one.group - other.group;

/** A kind of list: its collection, how records are created in it, and the order that users expect. */
interface Kind {
  readonly list: Collection;
  readonly create: unknown;
  /** Returns the records in the order of the list, given the old ones, and the created ones in the order of issue. */
  readonly order: (old: readonly Saved[], created: readonly Saved[]) => readonly Saved[];
}

const atEnd: Kind['order'] = (old, created) => [...old, ...created];
const atStart: Kind['order'] = (old, created) => [...created.toReversed(), ...old];
const inOrder: Kind['order'] = (old, created) => [...old, ...created].toSorted(byGroup);

const kinds: Readonly<Record<string, Kind>> = {
  'at the end': { list: plain, create: plain.push, order: atEnd },
  'at the start': { list: plain, create: plain.unshift, order: atStart },
  'at the start, by an option': { list: newestFirst, create: newestFirst.push, order: atStart },
  'in an order with equal records': { list: sorted, create: sorted.push, order: inOrder },
  'of a union': { list: ofUnion, create: ofUnion.push, order: atEnd },
  'with a filter of its own': { list: filtered, create: filtered.push, order: atEnd },
  'inside an object': { list: plain, create: { note: plain.push }, order: atEnd },
};

/** A record on the server, or on its way there. */
interface Saved extends SavedRecord {
  readonly title: string;
  readonly group: number;
  /** Whether it has to be shown: after a reset of the store, records from before it are shown when a read has brought them. */
  isKnown: boolean;
}

interface WorldOptions {
  readonly isGuessed: boolean;
  readonly isSerial: boolean;
  readonly isWatched: boolean;
  /** How many records the list has at the start. */
  readonly size: number;
}

/** A list on a server that has records in the order in which users created them, and a client with requests that wait for their answers. */
class World {
  readonly #controller = new Controller();
  readonly #kind: Kind;
  readonly #isGuessed: boolean;
  readonly #old: readonly Saved[];
  readonly #created: Saved[] = [];
  readonly #requests = new WaitingRequests<Saved>((id) => this.#inOrder().find((one) => one.id === id));

  readonly #list: EndpointInterface;
  readonly #create: EndpointInterface;
  readonly #delete: EndpointInterface;
  readonly #edit: EndpointInterface;

  constructor(kind: Kind, { isGuessed, isSerial, isWatched, size }: WorldOptions) {
    this.#kind = kind;
    this.#isGuessed = isGuessed;
    this.#old = Array.from({ length: size }, (_, at) => ({
      title: `old ${at}`,
      group: 0,
      id: `old ${at}`,
      state: 'saved',
      isKnown: true,
    }));
    this.#list = new Endpoint((): Promise<unknown> => this.#read(), { name: 'list', schema: kind.list });
    this.#create = new Endpoint((body: { title: string }): Promise<unknown> => this.#save(body.title), {
      name: 'create',
      schema: kind.create,
      sideEffect: true,
      serial: isSerial,
      key: ({ title }: { title: string }) => `create ${title}`,
      ...(isGuessed && { getOptimisticResponse: (_: unknown, body: object) => this.#answered({ ...body }) }),
    });
    this.#delete = this.#requests.deletionOf(Note);
    this.#edit = this.#requests.editOf(Note);
    if (isWatched) this.#controller.store.query(kind.list, [{}]).subscribe(() => {});
  }

  get #isRead(): boolean {
    return this.#controller.get(this.#kind.list, {}) !== undefined;
  }

  get titles(): readonly string[] {
    const list = (this.#controller.get(this.#kind.list, {}) ?? []) as readonly Note[];
    return list.map(({ title }) => title);
  }

  get expected(): readonly string[] {
    const isShown = ({ state }: Saved): boolean => state === 'saved' || (state === 'pending' && this.#isGuessed);
    const { titles } = this;
    return this.#inOrder()
      .filter((one) => isShown(one) && (one.isKnown || titles.includes(one.title)))
      .map(({ title }) => title);
  }

  #inOrder(): readonly Saved[] {
    return this.#kind.order(this.#old, this.#created);
  }

  /** The content of the list when the request was sent, or when it is answered. */
  #read(): Promise<unknown> {
    const content = (): unknown =>
      this.#inOrder()
        .filter(({ state }) => state === 'saved')
        .map(fieldsOf);
    const early = content();
    return this.#requests.send(() => (this.#requests.created % 2 === 0 ? early : content()));
  }

  #answered(record: object): unknown {
    return this.#kind.create === this.#kind.list.push || this.#kind.create === this.#kind.list.unshift
      ? record
      : { note: record };
  }

  #save(title: string): Promise<unknown> {
    const record = this.#created.find((one) => one.title === title) as Saved;
    return this.#requests.save(record, () => this.#answered(fieldsOf(record)));
  }

  get #saved(): readonly (Saved & { readonly id: string })[] {
    return this.#inOrder().filter(isSaved);
  }

  /** Answers the first read of the list. */
  async start(): Promise<void> {
    this.#fetch(this.#list);
    await this.end(0, true);
  }

  /** Creates a record, if the list is shown. */
  create(group: number): void {
    if (!this.#isRead) return;
    const record: Saved = {
      title: `new ${this.#created.length}`,
      group,
      id: undefined,
      state: 'pending',
      isKnown: true,
    };
    this.#created.push(record);
    this.#fetch(this.#create, { title: record.title, group });
  }

  read(): void {
    this.#fetch(this.#list);
  }

  /** Resets the store, and reads the list again. The server goes on with the requests that have arrived there. */
  async reset(): Promise<void> {
    for (const record of this.#inOrder()) record.isKnown = false;
    await this.#controller.resetEntireStore();
    this.read();
  }

  change(random: Random, isDeletion: boolean): void {
    const saved = this.#saved;
    if (saved.length > 0) this.#fetch(isDeletion ? this.#delete : this.#edit, { id: random.pick(saved).id });
  }

  get open(): number {
    return this.#requests.size;
  }

  /** Ends a request in flight. */
  async end(at: number, isDone: boolean): Promise<void> {
    await this.#requests.end(at, isDone);
  }

  #fetch(endpoint: EndpointInterface, ...args: readonly object[]): void {
    (this.#controller.fetch(endpoint, ...args) as Promise<unknown>).catch(() => {});
  }
}

function fieldsOf({ group, id, title }: Saved): object {
  return { id, title, group };
}

/** Returns what the list shows, and what users expect, at each moment of a random history. */
async function play(world: World, random: Random): Promise<readonly Moment[]> {
  const moments: Moment[] = [];
  const look = (): void => void moments.push({ titles: world.titles, expected: world.expected });
  await world.start();
  look();
  for (let step = 0; step < 30; step++) {
    const kind = random.weighted({ create: 4, end: 4, fail: 1, read: 1, remove: 1, edit: 1, reset: 0.3 });
    if (kind === 'create') world.create(random.below(2));
    else if (kind === 'read') world.read();
    else if (kind === 'reset') await world.reset();
    else if (kind === 'remove' || kind === 'edit') world.change(random, kind === 'remove');
    else if (world.open > 0) await world.end(random.below(world.open), kind === 'end');
    await settled();
    look();
  }
  while (world.open > 0) {
    await world.end(random.below(world.open), true);
    look();
  }
  return moments;
}

interface Moment {
  readonly titles: readonly string[];
  readonly expected: readonly string[];
}

describe.each(Object.entries(kinds))('records that are created %s', (_, kind) => {
  test('stand in the order of issue at every moment, whatever is answered first', async () => {
    const { seed: from, runs } = seedsInTurn(200, 10);
    for (let seed = from; seed < from + runs; seed++) {
      const random = new Random(seed);
      const options = {
        isGuessed: random.chance(0.7),
        isSerial: random.chance(0.2),
        isWatched: random.chance(0.5),
        size: random.pick([0, 0, 1, 3, 40]),
      };
      for (const { titles, expected } of await play(new World(kind, options), random))
        expect(titles, `seed ${seed}`).toEqual(expected);
    }
  });
});

const old = { id: '0', title: 'old' };

/** A list, and creates in it that are answered by hand. */
function scene() {
  const answers: ((value: unknown) => void)[] = [];
  const controller = new Controller();
  const create = new Endpoint(
    (_body: { title: string }): Promise<unknown> => new Promise((resolve) => void answers.push(resolve)),
    {
      name: 'create',
      schema: plain.push,
      sideEffect: true,
      key: ({ title }) => title,
      getOptimisticResponse: (_, body) => body,
    },
  );
  const list = new Endpoint(async (): Promise<object[]> => [], { name: 'list', schema: plain });
  const titles = (): readonly string[] | undefined => controller.get(plain, {})?.map(({ title }) => title);
  return { answers, controller, create, list, titles };
}

test('a created record that a read has brought before its answer keeps the place in which the server has it', async () => {
  const { answers, controller, create, list, titles } = scene();
  const [, second] = ['first', 'second'].map((title) => controller.fetch(create, { title }));
  await controller.setResponse(list, [{ id: '2', title: 'second' }, old]);
  answers[1]?.({ id: '2', title: 'second' });
  await second;
  expect(titles()).toEqual(['second', 'old', 'first']);
});

test('a list that is read decides: a pending create does not stand beside records that the server has elsewhere', async () => {
  const { answers, controller, create, list, titles } = scene();
  await controller.setResponse(list, [old]);
  const [, second] = ['first', 'second', 'third'].map((title) => controller.fetch(create, { title }));
  answers[1]?.({ id: '2', title: 'second' });
  await second;
  expect(titles()).toEqual(['old', 'first', 'second', 'third']);
  await controller.setResponse(list, [{ id: '2' }, old]);
  expect(titles()).toEqual(['second', 'old', 'first', 'third']);
  answers[0]?.({ id: '1', title: 'first' });
  await settled();
  expect(titles()).toEqual(['second', 'old', 'first', 'third']);
});
