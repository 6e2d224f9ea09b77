import {
  Controller,
  Endpoint,
  type EndpointInterface,
  Entity,
  Invalidate,
  validateRequired,
} from '../../../src/index.ts';
import { RequestView } from '../../../src/control/view/request-view.ts';
import { Demands } from '../../../src/control/view/demands.ts';
import { Random } from '../../oracle/random.ts';
import { Clock, settled } from '../network/clock.ts';

class User extends Entity {
  id = '';
  name = '';
  profile: object = {};
  static override key = 'User';
}
class Post extends Entity {
  id = '';
  title = '';
  author: User | undefined = undefined;
  static override key = 'Post';
  static override schema = { author: User };
  /** A post without a title is invalid. */
  static override validate(record: object): string | undefined {
    return validateRequired(record, { title: '' });
  }
}
/** Cannot be shown without its user. */
class Card extends Entity {
  id = '';
  user: User = User.fromJS();
  static override key = 'Card';
  static override schema = { user: User };
  static override validate(record: object): string | undefined {
    return validateRequired(record, { user: undefined });
  }
}

type Answer = (nth: number, chance: Random) => unknown;

/** The answers of a difficult server: parts of records, times that change, missing records, errors. */
const ANSWERS: Readonly<Record<string, readonly [schema: unknown, answer: Answer]>> = {
  'user full': [User, (nth) => ({ id: '1', name: 'Ann', profile: { seen: nth } })],
  'user card': [User, (nth) => ({ id: '1', profile: { picture: 'a.png', at: nth } })],
  'user bare': [User, () => ({ id: '1' })],
  'all users': [
    [User],
    (nth) => [
      { id: '1', profile: { online: nth % 2 === 0 } },
      { id: '2', name: 'Bob' },
    ],
  ],
  post: [Post, (nth) => ({ id: '1', title: 'a', author: { id: '1', profile: { nth } } })],
  'post without author': [Post, () => ({ id: '1', title: 'a', author: null })],
  'post without title': [Post, (nth) => (nth % 2 === 0 ? { id: '2' } : { id: '2', title: 'late' })],
  'posts of nobody': [[Post], () => [{ id: '1', title: 'a', author: '9' }]],
  card: [Card, () => ({ id: '1', user: '2' })],
  'card of nobody': [Card, () => ({ id: '2', user: '9' })],
  'other user': [User, (nth) => ({ id: '2', name: `Bob ${nth}` })],
  'nothing at all': [User, () => null],
  'no record': [User, () => ({ name: 'without id' })],
  'no list': [[User], () => ({ items: 'none' })],
  'always fails': [User, () => new Error('down')],
  'mostly fails': [User, (_nth, chance) => (chance.chance(0.8) ? new Error('busy') : { id: '3' })],
  'no schema': [undefined, (nth) => ({ nth })],
};

/** The requests that a screen sent without an action of the user. */
export interface Budget {
  readonly key: string;
  readonly sent: number;
  /** The number of requests without a cause. */
  readonly uncaused: number;
  /** The largest number in ten seconds. */
  readonly burst: number;
}

/** For how many milliseconds an event is a cause of a request: until the requests that it causes were answered. */
const CAUSE = 1000;

/** One screen of views over the same records, for ten minutes in which things are deleted, invalidated and shown again. */
export async function showScreen(seed: number): Promise<readonly Budget[]> {
  const screen = new GeneratedScreen(seed);
  await screen.live();
  return screen.budgets();
}

interface Shown {
  stop: () => void;
}

class GeneratedScreen {
  readonly #clock = new Clock();
  readonly #chance: Random;
  readonly #controller: Controller;
  readonly #requests: Demands;
  readonly #endpoints = new Map<string, EndpointInterface>();
  readonly #sent = new Map<string, number[]>();
  /** The times of events that may cause a request and have caused none yet. */
  readonly #causes = new Map<string, number[]>();
  readonly #uncaused = new Map<string, number>();
  readonly #shown = new Map<string, Shown>();

  constructor(seed: number) {
    this.#chance = new Random(seed);
    this.#controller = new Controller({ now: () => 1_767_225_600_000 + this.#clock.now });
    const clock = {
      setTimeout: (run: () => void, milliseconds: number) => this.#clock.in(milliseconds, 'timer', run),
      clearTimeout: (timer: unknown) => void (timer && ((timer as { run: unknown }).run = undefined)),
    };
    this.#requests = new Demands(this.#controller, clock);
    const names = Object.keys(ANSWERS);
    for (let count = 2 + this.#chance.below(6); count > 0; count--) {
      const name = this.#chance.pick(names);
      if (!this.#endpoints.has(name)) this.#endpoints.set(name, this.#endpoint(name));
    }
  }

  #endpoint(name: string): EndpointInterface {
    const [schema, answer] = ANSWERS[name] as (typeof ANSWERS)[string];
    const fetch = (): Promise<unknown> => {
      const times = this.#sent.get(name) ?? [];
      this.#sent.set(name, times);
      const nth = times.push(this.#clock.now);
      this.#use(name);
      return new Promise((resolve, reject) => {
        this.#clock.in(10 + this.#chance.below(200), name, () => {
          const given = answer(nth, this.#chance);
          if (given instanceof Error) reject(given);
          else resolve(given);
        });
      });
    };
    const dataExpiryLength = this.#chance.pick([0, 50, 5000, 60_000]);
    const invalidIfStale = this.#chance.chance(0.2);
    const isSoft = this.#chance.chance(0.3);
    return new Endpoint(fetch, {
      name,
      schema,
      dataExpiryLength,
      invalidIfStale,
      ...(isSoft && { errorPolicy: () => 'soft' as const }),
    });
  }

  async live(): Promise<void> {
    for (const name of this.#endpoints.keys()) this.#mount(name);
    await settled();
    for (let at = 1; at <= 12; at++) {
      this.#clock.in(at * 45_000 + this.#chance.below(10_000), 'disturb', () => this.#disturb());
    }
    for (let event = this.#clock.next(); event !== undefined && event.at < 600_000; event = this.#clock.next()) {
      event.run?.();
      // oxlint-disable-next-line no-await-in-loop -- one event after another
      await settled();
      if (this.#isStorm()) return;
    }
  }

  #isStorm(): boolean {
    return [...this.#sent.values()].some((times) => times.length > 200);
  }

  #cause(...names: readonly string[]): void {
    for (const name of names) this.#causes.set(name, [...(this.#causes.get(name) ?? []), this.#clock.now]);
  }

  /** A request was made: removes one of its causes. */
  #use(name: string): void {
    const recent = (this.#causes.get(name) ?? []).filter((at) => at >= this.#clock.now - CAUSE);
    if (recent.shift() === undefined) this.#uncaused.set(name, (this.#uncaused.get(name) ?? 0) + 1);
    this.#causes.set(name, recent);
  }

  /** As a hook does: fetches missing data while it waits for the data, and stale data after it is shown. */
  #mount(name: string): void {
    const endpoint = this.#endpoints.get(name);
    if (endpoint === undefined || this.#shown.has(name)) return;
    this.#cause(name);
    const view = new RequestView(this.#controller, this.#requests, endpoint, []);
    const shown = { stop: () => {} };
    const render = (): void => {
      if (this.#shown.get(name) !== shown) return;
      // Rendering takes some time.
      if (view.current().status === 'missing')
        return void view.fetchMissing().then(() => this.#clock.in(3, 'render', render));
      if (isShown) return;
      isShown = true;
      shown.stop = view.subscribe(render);
      view.shown();
    };
    let isShown = false;
    this.#shown.set(name, shown);
    render();
  }

  #unmount(name: string): void {
    this.#shown.get(name)?.stop();
    this.#shown.delete(name);
  }

  #disturb(): void {
    const controller = this.#controller;
    const name = this.#chance.pick([...this.#endpoints.keys()]);
    const endpoint = this.#endpoints.get(name) as EndpointInterface;
    switch (this.#chance.below(5)) {
      case 0:
        this.#unmount(name);
        return this.#mount(name);
      case 1:
        this.#cause(name);
        return void controller.invalidate(endpoint);
      case 2:
        this.#cause(name);
        return void controller.expireAll({ testKey: (key) => key === endpoint.key() });
      case 3: {
        // Each view that shows the record has to read again.
        this.#cause(...this.#endpoints.keys());
        const gone = new Endpoint(async () => undefined, {
          name: 'gone',
          schema: new Invalidate(User),
          sideEffect: true,
        });
        return void controller.setResponse(gone, { id: this.#chance.pick(['1', '2', '9']) });
      }
      default:
        this.#cause(...this.#endpoints.keys());
        return void controller.set(User, { id: '1' }, { id: '1', name: 'written' });
    }
  }

  budgets(): readonly Budget[] {
    return [...this.#sent].map(([key, times]) => ({
      key,
      sent: times.length,
      uncaused: this.#uncaused.get(key) ?? 0,
      burst: Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 10_000).length)),
    }));
  }
}
