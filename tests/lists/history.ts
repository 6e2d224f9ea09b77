import { Collection, Entity, Invalidate, schema, Store } from '../../src/index.ts';
import { INVALID } from '../../src/define/schema/row.ts';
import { Random } from '../oracle/random.ts';
import { addGuess } from '../../src/state/store/layer.ts';

class Deal extends Entity {
  id = '';
  title = '';
  stage = '';
  owner: string | undefined = undefined;
  static override key = 'Deal';
}

const STAGES = ['lead', 'won', 'lost'];
const OWNERS = ['ann', 'bob'];
const IDS = Array.from({ length: 8 }, (_, at) => `d${at}`);

/** All lists that can be fetched. Together they show every deal. */
const KEYS: readonly Readonly<Record<string, string>>[] = [
  {},
  ...STAGES.map((stage) => ({ stage })),
  ...OWNERS.map((owner) => ({ owner })),
  ...STAGES.flatMap((stage) => OWNERS.map((owner) => ({ stage, owner }))),
];

interface Plain {
  readonly id: string;
  readonly title: string;
  readonly stage: string;
  readonly owner: string;
}

type Layer = ReturnType<typeof addGuess>;

/**
 * A store with every list in it, through a random history of answers and guesses. The law needs no model: each list has
 * exactly the shown deals whose fields equal the arguments of the list.
 */
export class History {
  readonly #random: Random;
  readonly #store = new Store();
  readonly #deals: Collection;
  readonly #truth = new Map<string, Plain>();
  readonly #guesses: { readonly layer: Layer; readonly settle: () => void }[] = [];
  readonly #orderBy: boolean;
  #made = 0;

  constructor(seed: number) {
    this.#random = new Random(seed);
    this.#orderBy = this.#random.chance(0.3);
    this.#deals = new Collection([Deal], {
      total: 'total',
      ...(this.#orderBy && { orderBy: (one: Deal, other: Deal) => one.title.localeCompare(other.title) }),
    });
    for (const id of IDS) if (this.#random.chance(0.7)) this.#truth.set(id, this.#draw(id));
    for (const key of KEYS) this.#readList(key);
  }

  #draw(id: string): Plain {
    const title = this.#random.pick(['a', 'b', 'c', 'd']);
    return { id, title, stage: this.#random.pick(STAGES), owner: this.#random.pick(OWNERS) };
  }

  /** A fresh answer: the list of the server. */
  #readList(key: Readonly<Record<string, string>>): void {
    const items = [...this.#truth.values()].filter((deal) =>
      Object.entries(key).every(([name, value]) => Reflect.get(deal, name) === value),
    );
    if (this.#orderBy) items.sort((one, other) => one.title.localeCompare(other.title));
    this.#store.write({ items: this.#deals, total: 0 }, { items, total: items.length }, { args: [key] });
  }

  step(): string {
    const steps: readonly (() => string)[] = [
      () => this.#change(false),
      () => this.#change(true),
      () => this.#change(true),
      () => this.#create(false),
      () => this.#create(true),
      () => this.#remove(false),
      () => this.#remove(true),
      () => this.#settle(true),
      () => this.#settle(true),
      () => this.#settle(false),
      () => {
        const key = this.#random.pick(KEYS);
        this.#readList(key);
        return `read ${JSON.stringify(key)}`;
      },
    ];
    return this.#random.pick(steps)();
  }

  #change(isGuess: boolean): string {
    const deal = this.#truth.get(this.#random.pick(IDS));
    if (deal === undefined) return 'nothing';
    const whole = this.#draw(deal.id);
    const field = this.#random.pick(['title', 'stage', 'owner'] as const);
    const response = this.#random.chance(0.5) ? { id: deal.id, [field]: whole[field] } : whole;
    const kind = this.#random.chance(0.5) ? Deal : [Deal];
    const input = Array.isArray(kind) ? [response] : response;
    const land = (): Plain | undefined => {
      const known = this.#truth.get(deal.id);
      if (known !== undefined) this.#truth.set(deal.id, { ...known, ...response });
      return this.#truth.get(deal.id);
    };
    if (isGuess) this.#guess(kind, input, [], land, Array.isArray(kind));
    else {
      // The server answers with the data that it has at that time.
      const now = land();
      this.#store.write(kind, Array.isArray(kind) ? [now] : now);
    }
    return `change ${isGuess ? '(guess) ' : ''}${JSON.stringify(response)}`;
  }

  #create(isGuess: boolean): string {
    const deal = this.#draw(`n${this.#made++}`);
    const { id, ...body } = deal;
    if (isGuess) this.#guess(this.#deals.push, body, [{}, body], () => (this.#truth.set(id, deal), deal), false);
    else {
      this.#truth.set(id, deal);
      this.#store.write(this.#deals.push, deal, { args: [{}, body] });
    }
    return `create ${isGuess ? '(guess) ' : ''}${JSON.stringify(deal)}`;
  }

  #remove(isGuess: boolean): string {
    const id = this.#random.pick([...this.#truth.keys(), ...IDS]);
    const land = (): object => (this.#truth.delete(id), { id });
    if (isGuess) this.#guess(new Invalidate(Deal), { id }, [], land, false);
    else this.#store.write(new Invalidate(Deal), land());
    return `delete ${isGuess ? '(guess) ' : ''}${id}`;
  }

  #guess(kind: unknown, response: unknown, args: readonly unknown[], land: () => unknown, isList: boolean): void {
    // A change does not restore a deleted record.
    const { id } = Object([response].flat()[0]) as Partial<Plain>;
    const layer = addGuess(this.#store, (below) =>
      id !== undefined && below.row('Deal', id) === INVALID ? undefined : { schema: kind, response, args },
    );
    const settle = (): void => {
      const answer = land();
      // The server has deleted it meanwhile.
      if (answer === undefined) return layer.drop();
      layer.confirm(kind, isList ? [answer] : answer, { args });
    };
    this.#guesses.push({ layer, settle });
  }

  #settle(isConfirmed: boolean): string {
    const at = this.#random.below(this.#guesses.length);
    const [guess] = this.#guesses.splice(at, 1);
    if (guess === undefined) return 'nothing';
    if (isConfirmed) guess.settle();
    else guess.layer.drop();
    return `${isConfirmed ? 'confirm' : 'drop'} guess ${at}`;
  }

  /** The fault, if there is one. */
  judge(): string | undefined {
    const all = new Map<string, Deal>();
    const lists = KEYS.map((key) => [key, this.#store.get(this.#deals, key) as readonly Deal[]] as const);
    for (const [, list] of lists) for (const deal of list) all.set(deal.id, deal);
    for (const [key, list] of lists) {
      const belonging = [...all.values()].filter((deal) =>
        Object.entries(key).every(([name, value]) => Reflect.get(deal, name) === value),
      );
      const due = belonging.map(({ id }) => id).toSorted();
      const found = list.map(({ id }) => id).toSorted();
      if (JSON.stringify(found) !== JSON.stringify(due))
        return `${JSON.stringify(key)} has ${found.join()} instead of ${due.join()}`;
      const titles = list.map(({ title }) => title);
      if (this.#orderBy && titles.join() !== titles.toSorted().join())
        return `${JSON.stringify(key)} is not sorted: ${titles.join()}`;
      const { total } = this.#store.get(new schema.Object({ items: this.#deals, total: 0 }), key) as unknown as {
        readonly total: number;
      };
      if (total !== due.length) return `the total of ${JSON.stringify(key)} is ${total} instead of ${due.length}`;
    }
    return undefined;
  }
}
