/** The steps of the random histories of a page with lists of deals. */
import type { Controller } from 'rejoin';
import { controllerOf, type Deal, type Model, modelOf, type ModelSetting } from './deal-model.ts';
import { isDetail, type ListKind, type Place, Root } from './deal-page.tsx';
import { DealServer, type KeptDeal, STAGES } from './deal-server.ts';
import { ManualTime } from './manual-time.ts';
import { type Random, random } from './random.ts';

const LISTS: readonly ListKind[] = [
  { search: {}, paging: 'page' },
  { search: {}, paging: 'cursor' },
  { search: { stage: 'lead' }, paging: 'offset' },
  { search: { stage: 'lead' }, paging: 'cursor' },
  { search: { stage: 'won' }, paging: 'page' },
  { search: { sort: '-id' }, paging: 'cursor' },
  { search: { stage: 'lead', sort: '-id' }, paging: 'page' },
  { search: { stage: 'won', sort: '-id' }, paging: 'cursor' },
  { search: { sort: 'title' }, paging: 'page' },
  { search: { stage: 'lead', sort: 'title' }, paging: 'offset' },
  { search: { owner_id: 1 }, paging: 'page' },
  { search: { q: '1' }, paging: 'cursor' },
  { search: { q: '2', stage: 'won' } },
  { search: { stage: 'lost' } },
  { search: { owner_id: 2, sort: 'title' } },
];

/** The kinds of places. Infinite lists are more frequent. */
const KINDS = ['infinite', 'infinite', 'infinite', 'list', 'dle', 'detail', 'polled', 'won'] as const;

export interface Step {
  readonly name: string;
  readonly run: () => void;
}

type Draw = (stage: Stage, choice: Random) => Step;

export interface StageSetting extends ModelSetting {
  readonly maxPages: number | undefined;
  /** Whether other clients change records too. */
  readonly hasOthers: boolean;
}

/** A server, a controller, and a page. */
export class Stage {
  readonly server: DealServer;
  readonly model: Model;
  readonly controller: Controller;
  readonly root: Root;
  readonly setting: StageSetting;
  /** The mutations since the last rest; `undefined` if something else reads too. */
  burst: number | undefined = 0;
  /** Whether no request is in flight. */
  isAtRest = false;
  readonly #time = new ManualTime();

  constructor(seed: number, setting: StageSetting) {
    const choice = random(seed);
    this.setting = setting;
    this.server = new DealServer(random(seed + 0.25), 10 + choice.below(12));
    const platform = this.#time.platform(this.server.fetch);
    this.model = modelOf(setting, platform);
    this.controller = controllerOf(platform, this.#time.page);
    const places = Array.from({ length: 4 }, () => this.place(choice));
    this.root = new Root(this.model, { places, isHidden: false });
  }

  place({ below, isLucky, pick }: Random): Place {
    const list = pick(LISTS);
    const kind = pick(KINDS);
    return {
      at: below(1_000_000),
      kind: kind === 'infinite' && list.paging === undefined ? 'list' : kind,
      list,
      id: below(this.server.deals.length) + 1,
      maxPages: this.setting.maxPages,
      isHideable: isLucky(0.3),
    };
  }

  /** A record on the screen, perhaps one that is being created, or any other. */
  someId({ below }: Random): number | string {
    const shown = [...this.root.lists.values()].flatMap(({ items }) => items);
    const from: readonly (Deal | KeptDeal)[] = below(3) > 0 && shown.length > 0 ? shown : this.server.deals;
    return from[below(from.length)]?.id ?? 1;
  }

  /** The user comes back to the page after some time. */
  focus(after: number): void {
    this.#time.focus(after, this.#longest);
  }

  pass(milliseconds: number): void {
    this.#time.pass(milliseconds, this.#longest);
  }

  /** While requests are in flight, less time passes than a request may take. */
  get #longest(): number {
    return this.isAtRest || this.server.troubles.failing > 0 ? Infinity : 1000;
  }
}

function mutation(stage: Stage, name: string, run: () => Promise<unknown>): Step {
  return {
    name,
    run: () => {
      if (stage.burst !== undefined) stage.burst++;
      run().catch(() => {});
    },
  };
}

/** A step after which the screen may read, without a mutation. */
function reading(stage: Stage, name: string, run: () => void): Step {
  return { name, run: () => ((stage.burst = undefined), run()) };
}

function edit(stage: Stage, choice: Random, body: Partial<{ title: string; stage: string; owner_id: number }>): Step {
  const id = stage.someId(choice);
  const { deals } = stage.model;
  const run = (): Promise<unknown> => stage.controller.fetch(deals.partialUpdate, { id }, body);
  return mutation(stage, `edit ${id} ${JSON.stringify(body)}`, run);
}

/** Another client changes a record; `push` sends the change to this one. */
function other(stage: Stage, { below, pick }: Random): Step {
  const { controller, model, root, server } = stage;
  const deal = server.deals[below(server.deals.length)];
  const what = pick(['stage', 'title', 'create', 'delete', 'push'] as const);
  return reading(stage, `another client: ${what} ${deal?.id}`, () => {
    if (what === 'create' || deal === undefined) server.create({ title: 't4', stage: pick(STAGES) });
    else if (what === 'delete') {
      root.deleted.add(deal.id);
      server.delete(deal);
    } else {
      const changed = server.change(deal, what === 'title' ? { title: `t${below(5)}` } : { stage: pick(STAGES) });
      if (what === 'push') void controller.setResponse(model.deals.get, { id: changed.id }, changed);
    }
  });
}

function more(stage: Stage, { isLucky, below }: Random): Step {
  const lists = [...stage.root.lists.values()].filter(({ infinite }) => infinite !== undefined);
  const list = lists[below(lists.length)];
  const rarer = isLucky(0.6) ? 'fetchPrevious' : 'refetch';
  const what = isLucky(0.7) ? 'fetchNext' : rarer;
  return reading(stage, `${what} ${list?.place.at}`, () => {
    const done = what === 'refetch' ? list?.infinite?.refetch(0) : list?.infinite?.[what]();
    done?.catch(() => {});
  });
}

/** Another list in the same place. */
function turn(stage: Stage, { below, pick }: Random): Step {
  const { root } = stage;
  const place = root.state.places[below(root.state.places.length)];
  const list = pick(LISTS.filter(({ paging }) => paging !== undefined));
  const id = place && isDetail(place) ? below(10) + 1 : 0;
  const turned = (one: Place): Place => (one.at === place?.at ? { ...one, list, id } : one);
  return reading(stage, `turn ${place?.at} to ${JSON.stringify(list)} ${id}`, () =>
    root.change(({ places, ...before }) => ({ ...before, places: places.map(turned) })),
  );
}

function unmount(stage: Stage, { below }: Random): Step {
  const { root } = stage;
  const place = root.state.places[below(root.state.places.length)];
  return reading(stage, `unmount ${place?.at}`, () => {
    root.change(({ places, ...before }) => ({ ...before, places: places.filter(({ at }) => at !== place?.at) }));
    if (place !== undefined) root.lists.delete(place.at);
  });
}

/** The kinds of steps, each with its frequency. */
const STEPS: Readonly<Record<string, readonly [weight: number, draw: Draw]>> = {
  stage: [3, (stage, choice) => edit(stage, choice, { stage: choice.pick(STAGES) })],
  title: [1, (stage, choice) => edit(stage, choice, { title: choice.pick(['t1', 't2', 't3']) })],
  owner: [1, (stage, choice) => edit(stage, choice, { owner_id: choice.pick([1, 2]) })],
  create: [
    1.5,
    (stage, { below, pick }) => {
      const body = { title: `t${below(5)}`, stage: pick(STAGES), owner_id: below(2) + 1 };
      const run = (): Promise<unknown> => stage.controller.fetch(stage.model.deals.create, body);
      return mutation(stage, `create ${JSON.stringify(body)}`, run);
    },
  ],
  delete: [
    1.5,
    (stage, choice) => {
      const id = stage.someId(choice);
      return mutation(stage, `delete ${id}`, () => {
        stage.root.deleted.add(Number(id));
        return stage.controller.fetch(stage.model.deals.delete, { id });
      });
    },
  ],
  rename: [
    0.5,
    (stage, { below, pick }) => {
      const [id, name] = [pick([1, 2]), `name${below(100)}`];
      const run = (): Promise<unknown> => stage.controller.fetch(stage.model.owners.partialUpdate, { id }, { name });
      return mutation(stage, `rename ${id} ${name}`, run);
    },
  ],
  others: [2, other],
  more: [3, more],
  mount: [
    0.7,
    (stage, choice) => {
      const place = stage.place(choice);
      return reading(stage, `mount ${JSON.stringify(place)}`, () =>
        stage.root.change((before) => ({ ...before, places: [...before.places, place] })),
      );
    },
  ],
  unmount: [0.7, unmount],
  turn: [0.7, turn],
  hide: [
    0.7,
    (stage) =>
      reading(stage, 'hide or show', () => {
        stage.root.seen.clear();
        stage.root.change((before) => ({ ...before, isHidden: !before.isHidden }));
      }),
  ],
  focus: [0.4, (stage, { pick }) => reading(stage, 'focus', () => stage.focus(pick([1, 70_000])))],
  poll: [0.4, (stage) => reading(stage, 'poll', () => stage.pass(11_000))],
};

/** Chooses kinds of steps that a history does not have. */
export function leftOut({ isLucky }: Random, { hasOthers }: StageSetting): readonly string[] {
  const left = ['hide', 'focus', 'poll', 'turn', 'mount', 'burst', 'delete', 'create', 'rename'];
  return [...left.filter(() => isLucky(0.25)), ...(hasOthers ? [] : ['others'])];
}

export function draw(stage: Stage, choice: Random, without: ReadonlySet<string>): Step {
  const kinds = Object.entries(STEPS).filter(([kind]) => !without.has(kind));
  let left = (choice.below(10_000) / 10_000) * kinds.reduce((sum, [, [weight]]) => sum + weight, 0);
  const found = kinds.find(([, [weight]]) => (left -= weight) < 0) ?? kinds[0];
  if (found === undefined) throw new Error('No step is left.');
  return found[1][1](stage, choice);
}
