import { Collection, Entity, Scalar, Store } from '../../src/index.ts';
import { Random } from './random.ts';

class Sector extends Entity {
  id = '';
  name = '';
  weight: number | undefined = undefined;
  static override key = 'Sector';
  static override schema: Record<string, unknown> = {};
}

class Company extends Entity {
  id = '';
  name = '';
  share: number | undefined = undefined;
  sector: Sector | undefined = undefined;
  static override key = 'Company';
  static override schema: Record<string, unknown> = {};
}

const lens = (args: readonly { readonly portfolio?: string }[]): string | undefined => args[0]?.portfolio;
const share = new Scalar({ lens, key: 'portfolio' });
Sector.schema = { weight: share };
Company.schema = { share, sector: Sector };
const companies = new Collection([Company], { argsKey: (_params: { readonly portfolio: string }) => ({}) });

const PORTFOLIOS = ['A', 'B', 'C'] as const;
const IDS = ['1', '2', '3'] as const;
const SECTORS = ['x', 'y'] as const;

interface Plain {
  readonly name: string;
  readonly sector: string;
}

/**
 * Writes values that differ for each portfolio. A reader of one portfolio must not see values of another one, and its objects must not
 * change when only another portfolio changes. Returns the first fault, if there is one.
 */
export function runLenses(seed: number, steps: number): string | undefined {
  const tested = new Lenses(new Random(seed));
  for (let step = 0; step < steps; step++) {
    const did = tested.change();
    const wrong = tested.compare();
    if (wrong !== undefined) return `seed ${seed}, step ${step} (${did}): ${wrong}`;
  }
  return undefined;
}

class Lenses {
  readonly #random: Random;
  readonly #store = new Store();
  readonly #companies = new Map<string, Plain>();
  readonly #sectors = new Map<string, string>();
  /** The expected numbers, by portfolio and id of the company or sector. */
  readonly #numbers = new Map<string, number>();
  readonly #live = PORTFOLIOS.map((portfolio) => this.#store.query(companies, [{ portfolio }]));
  readonly #calls = PORTFOLIOS.map(() => 0);
  #seen: readonly (readonly [text: string, value: unknown])[] = [];

  constructor(random: Random) {
    this.#random = random;
    this.#store.write(companies, [], { args: [{ portfolio: 'A' }] });
    for (const [at, live] of this.#live.entries()) live.subscribe(() => (this.#calls[at] = (this.#calls[at] ?? 0) + 1));
  }

  change(): string {
    const portfolio = this.#random.pick(PORTFOLIOS);
    const what = this.#random.weighted({ company: 5, sector: 3, remove: 1, collect: 1 });
    if (what === 'company') this.#writeCompany(portfolio);
    if (what === 'sector') this.#writeSector(portfolio);
    if (what === 'remove') this.#remove();
    if (what === 'collect') Array.from(this.#store.collect());
    return `${what} ${portfolio}`;
  }

  #writeCompany(portfolio: string): void {
    const id = this.#random.pick(IDS);
    const plain = { name: this.#random.pick(['a', 'b']), sector: this.#random.pick(SECTORS) };
    const number = this.#random.below(3);
    this.#companies.set(id, plain);
    this.#numbers.set(`${portfolio} ${id}`, number);
    this.#store.write(companies.push, { id, ...plain, share: number }, { args: [{ portfolio }] });
  }

  #writeSector(portfolio: string): void {
    const id = this.#random.pick(SECTORS);
    const name = this.#random.pick(['m', 'n']);
    const number = this.#random.below(2);
    this.#sectors.set(id, name);
    this.#numbers.set(`${portfolio} ${id}`, number);
    this.#store.write(Sector, { id, name, weight: number }, { args: [{ portfolio }] });
  }

  #remove(): void {
    const id = this.#random.pick(IDS);
    this.#companies.delete(id);
    this.#store.invalidate(Company, id);
  }

  compare(): string | undefined {
    if (this.#random.chance(0.2)) return undefined;
    const before = this.#seen;
    const calls = this.#calls.splice(0, PORTFOLIOS.length, ...PORTFOLIOS.map(() => 0));
    this.#seen = this.#live.map((live) => [textOf(live.current() as readonly Company[]), live.current()] as const);
    for (const [at, portfolio] of PORTFOLIOS.entries()) {
      const [text, value] = this.#seen[at] as readonly [string, unknown];
      const expected = this.#expected(portfolio);
      const found = [...text.split(';')].sort().join(';');
      if (found !== expected) return `under ${portfolio} there is ${found} instead of ${expected}`;
      if (value !== this.#store.get(companies, { portfolio })) return `under ${portfolio} there are two lists`;
      const [textBefore, valueBefore] = before[at] ?? [];
      if (textBefore !== undefined && textBefore !== text && calls[at] === 0)
        return `the reader of ${portfolio} was not notified`;
      if (textBefore !== undefined && textBefore !== text && valueBefore === value)
        return `the list of ${portfolio} changed, but is the same object`;
      if (calls[at] === 0 && before.length > 0 && valueBefore !== value)
        return `the list of ${portfolio} is another object, but did not change`;
    }
    return undefined;
  }

  #expected(portfolio: string): string {
    const shown = [...this.#companies].map(([id, { name, sector }]) => {
      const sectorName = this.#sectors.get(sector);
      const inner = sectorName === undefined ? '-' : `${sectorName}${this.#numbers.get(`${portfolio} ${sector}`)}`;
      return `${id}${name}${this.#numbers.get(`${portfolio} ${id}`)}${inner}`;
    });
    return shown.sort().join(';');
  }
}

function textOf(list: readonly Company[]): string {
  return list
    .map(
      ({ id, name, share: number, sector }) =>
        `${id}${name}${number}${sector ? `${sector.name}${sector.weight}` : '-'}`,
    )
    .join(';');
}
