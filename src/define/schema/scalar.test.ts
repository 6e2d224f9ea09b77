import { describe, expect, it } from 'vitest';
import { keepsTheSchemaLaws } from '../../../tests/laws/schema-laws.ts';
import { from } from '../../state/query/live-query.ts';
import { Store } from '../../state/store/store.ts';
import { All } from './all.ts';
import { Entity } from './entity.ts';
import { Scalar } from './scalar.ts';
import { INVALID } from './row.ts';
import type { Stamp } from './stamp.ts';
import { Values } from './values.ts';

const lens = (args: readonly { readonly portfolio?: string }[]): string | undefined => args[0]?.portfolio;
const share = new Scalar({ lens, key: 'portfolio' });
class Company extends Entity {
  id = '';
  name = '';
  share: number | undefined = undefined;
  static override key = 'Company';
  static override schema = { share };
}
const cells = new Scalar({ lens, key: 'portfolio', entity: Company });

function storeWithShares(): Store {
  const store = new Store();
  store.write([Company], [{ id: '1', name: 'Acme', share: 0.5 }], { args: [{ portfolio: 'A' }] });
  store.write([Company], [{ id: '1', share: 0.25 }], { args: [{ portfolio: 'B' }] });
  return store;
}

function shareIn(store: Store, portfolio: string | undefined): number | undefined {
  const [company] = store.read([Company], ['1'], [{ portfolio }]) as Company[];
  return company?.share;
}

/** A class whose lens throws in reads without its argument. */
class Owned extends Entity {
  id = '';
  share: unknown = undefined;
  static override key = 'Owned';
  static override schema = {
    share: new Scalar({
      lens: (args: readonly unknown[]) => (args[0] as { portfolio?: string }).portfolio,
      key: 'portfolio',
    }),
  };
}

describe('a field of an entity', () => {
  keepsTheSchemaLaws({
    schema: () => [Company],
    response: () => [
      { id: '1', name: 'Acme', share: 0.5 },
      { id: '2', share: 0 },
    ],
    args: [{ portfolio: 'A' }],
    part: { entity: Company, pk: '1', record: { id: '1', name: 'Acme' } },
    withoutPart: [{ id: '2', name: '', share: 0 }],
    wrong: [[{ share: 1 }], [{ id: {}, share: 1 }]],
  });

  it('has another value for each lens, and one answer does not overwrite the other', () => {
    const store = storeWithShares();
    expect(shareIn(store, 'A')).toBe(0.5);
    expect(shareIn(store, 'B')).toBe(0.25);
  });

  it('does not make two objects of a record that is read without a lens', () => {
    const store = storeWithShares();
    const company = store.get(Company, { id: '1' });
    expect(store.get(from(Company))?.[0]).toBe(company);
    expect(store.get(from(Company).where({ name: 'Acme' }))?.[0]).toBe(company);
    expect(store.get(new All(Company))?.[0]).toBe(company);
    expect(store.get(Company, '1')).toBe(company);
    expect(store.get(Company, { id: '1', portfolio: 'A' })).not.toBe(company);
    const usual = new Scalar({ lens: (args) => lens(args) ?? 'A', key: 'usual' });
    class Usual extends Company {
      static override key = 'Usual';
      static override schema = { share: usual };
    }
    store.write(Usual, { id: '1', share: 0.5 }, { args: [{ portfolio: 'A' }] });
    const found = store.get(Usual, { id: '1', portfolio: 'A' });
    expect(found?.share).toBe(0.5);
    expect(store.get(from(Usual))?.[0]).toBe(found);
  });

  it('is undefined in reads without arguments, such as live queries, although its lens reads an argument', () => {
    const store = new Store();
    store.write([Owned], [{ id: '1', share: 0.5 }], { args: [{ portfolio: 'A' }] });
    expect(store.get(Owned, { id: '1' })?.share).toBeUndefined();
    expect(store.get(from(Owned))?.[0]?.share).toBeUndefined();
    expect(store.get(new All(Owned))?.[0]?.share).toBeUndefined();
    expect(store.read([Owned], ['1'], [{ portfolio: 'A' }])).toMatchObject([{ share: 0.5 }]);
  });

  it('whose lens throws for the arguments of a read makes this read fail', () => {
    const store = new Store();
    store.write([Owned], [{ id: '1', share: 0.5 }], { args: [{ portfolio: 'A' }] });
    expect(() => store.read([Owned], ['1'], [null])).toThrow("reading 'portfolio'");
  });

  it('is undefined without a lens, or for a lens without a value', () => {
    const store = storeWithShares();
    expect(shareIn(store, undefined)).toBeUndefined();
    expect(shareIn(store, 'C')).toBeUndefined();
  });

  it('changes with its stored value', () => {
    const store = storeWithShares();
    store.write(Company, { id: '1', share: 0.75 }, { args: [{ portfolio: 'A' }] });
    expect(shareIn(store, 'A')).toBe(0.75);
    expect(shareIn(store, 'B')).toBe(0.25);
  });

  it('is stored as the reference to its row', () => {
    const store = storeWithShares();
    expect(store.row('Company', '1')).toEqual({ id: '1', name: 'Acme', share: ['1', 'share', 'Company'] });
    expect(store.row('Scalar(portfolio)', 'Company|1|A')).toEqual({ share: 0.5 });
  });

  it('is left out while the record is being created, and has no pk yet', () => {
    class Draft extends Entity {
      id = '';
      static override key = 'Draft';
    }
    const visit = share.normalize(5, {}, 'share', { args: [{ portfolio: 'A' }] } as never, Draft);
    expect(visit).toBeUndefined();
  });

  it('refuses a write without a lens', () => {
    expect(() => new Store().write(Company, { id: '1', share: 1 })).toThrow(
      expect.objectContaining({ code: 'lens-missing' }),
    );
  });
});

describe('values without their entity', () => {
  it('belong to the entity whose pk is their key in a map, or in themselves', () => {
    const store = storeWithShares();
    store.write(new Values(cells), { 1: { share: 0.9 } }, { args: [{ portfolio: 'A' }] });
    expect(shareIn(store, 'A')).toBe(0.9);
    store.write([cells], [{ id: '1', share: 0.8 }], { args: [{ portfolio: 'B' }] });
    expect(shareIn(store, 'B')).toBe(0.8);
  });

  it('belong to the entity whose pk is their key in a map, if its pk is made of fields that they lack', () => {
    class Position extends Entity {
      fund = '';
      company = '';
      share = 0;
      static override key = 'Position';
      override pk(): string {
        return `${this.fund}|${this.company}`;
      }
    }
    const shares = new Scalar({ lens, key: 'positions', entity: Position });
    const store = new Store();
    const args = [{ portfolio: 'A' }];
    expect(store.write(new Values(shares), { 'x|1': { share: 0.5 } }, { args })).toEqual({ 'x|1': 'Position|x%7C1|A' });
    const whole = { fund: 'y', company: 'undefined', share: 1 };
    expect(store.write([shares], [whole], { args })).toEqual(['Position|y%7Cundefined|A']);
  });

  it('are refused in a list if they have no pk, at any place of the list', () => {
    const write = (): unknown =>
      new Store().write({ stock: [cells] }, { stock: [{ share: 1 }] }, { args: [{ portfolio: 'A' }] });
    expect(write).toThrow(expect.objectContaining({ code: 'pk-missing' }));
  });

  it('merge the fields of one record and lens', () => {
    const store = new Store();
    store.write(new Values(cells), { 1: { share: 0.5 } }, { args: [{ portfolio: 'A' }] });
    store.write(new Values(cells), { 1: { weight: 2 } }, { args: [{ portfolio: 'A' }] });
    expect(store.row('Scalar(portfolio)', 'Company|1|A')).toEqual({ share: 0.5, weight: 2 });
  });

  it('read as objects', () => {
    const store = new Store();
    const schema = new Values(cells);
    const stored = store.write(schema, { 1: { share: 0.5 } }, { args: [{ portfolio: 'A' }] });
    expect(stored).toEqual({ 1: 'Company|1|A' });
    expect(store.read(schema, stored, [{ portfolio: 'B' }])).toEqual({ 1: { share: 0.5 } });
  });

  it('can have a pk by another entityPk', () => {
    class BySymbol extends Scalar {
      override entityPk(input: { readonly symbol: string }): string {
        return input.symbol;
      }
    }
    const bySymbol = new BySymbol({ lens, key: 'symbol', entity: Company });
    expect(new Store().write([bySymbol], [{ symbol: 'ACME' }], { args: [{ portfolio: 'A' }] })).toEqual([
      'Company|ACME|A',
    ]);
  });

  it('never share a pk, whatever the ids and lenses are', () => {
    const store = new Store();
    const write = (id: string, portfolio: string): unknown =>
      store.write(cells, { id, share: 1 }, { args: [{ portfolio }] });
    const pks = [write('a|b', 'c'), write('a', 'b|c'), write('a%7Cb', 'c'), write('a', 'b%7Cc'), write('ab', 'c')];
    expect(pks).toEqual([
      'Company|a%7Cb|c',
      'Company|a|b%7Cc',
      'Company|a%257Cb|c',
      'Company|a|b%257Cc',
      'Company|ab|c',
    ]);
  });

  it('are refused without an entity, a pk, or fields', () => {
    const write = (schema: unknown, input: unknown): unknown =>
      new Store().write(schema, input, { args: [{ portfolio: 'A' }] });
    expect(() => write(share, { share: 1 })).toThrow(expect.objectContaining({ code: 'scalar-entity-missing' }));
    expect(() => write(cells, { share: 1 })).toThrow(expect.objectContaining({ code: 'pk-missing' }));
    expect(() => write(cells, 5)).toThrow(expect.objectContaining({ code: 'input-invalid' }));
  });
});

describe('a read by arguments', () => {
  it('returns the values of the lens', () => {
    const store = storeWithShares();
    store.write([Company], [{ id: '2', share: 0.1 }], { args: [{ portfolio: 'A' }] });
    expect(store.get(cells, { portfolio: 'A' })).toEqual([{ share: 0.5 }, { share: 0.1 }]);
    expect(store.get(share, { portfolio: 'B' })).toEqual([{ share: 0.25 }]);
  });

  it('is missing for a lens without values, so that they are fetched', () => {
    expect(storeWithShares().get(share, { portfolio: 'C' })).toBeUndefined();
  });

  it('returns those of its own entity only, and no deleted ones', () => {
    class Fund extends Entity {
      id = '';
      static override key = 'Fund';
      static override schema = { share };
    }
    const store = storeWithShares();
    store.write(Fund, { id: '1', share: 0.1 }, { args: [{ portfolio: 'A' }] });
    expect(store.get(cells, { portfolio: 'A' })).toEqual([{ share: 0.5 }]);
    expect(store.get(share, { portfolio: 'A' })).toEqual([{ share: 0.5 }, { share: 0.1 }]);
    store.invalidate(share, 'Company|1|A');
    expect(store.get(share, { portfolio: 'A' })).toEqual([{ share: 0.1 }]);
  });

  it('returns nothing without a lens, or before there is a value', () => {
    expect(storeWithShares().get(share, {})).toBeUndefined();
    expect(new Store().get(share, { portfolio: 'A' })).toBeUndefined();
  });
});

describe('versions of a value', () => {
  const [early, late] = [1, 2].map((issue) => ({ issue, fetchedAt: 0, date: 0, expiresAt: 0 })) as [Stamp, Stamp];

  it('merge in the order in which they were requested', () => {
    expect(share.mergeWithStore(early, late, { a: 1, b: 1 }, { a: 2 })).toEqual({ a: 2, b: 1 });
    expect(share.mergeWithStore(late, late, { a: 1 }, { a: 2 })).toEqual({ a: 2 });
    expect(share.mergeWithStore(late, early, { a: 1, b: 1 }, { a: 2, c: 2 })).toEqual({ a: 1, b: 1, c: 2 });
    expect(share.mergeMetaWithStore(early, late, {}, {})).toBe(late);
    expect(share.mergeMetaWithStore(late, early, {}, {})).toBe(late);
  });

  it('replace a deleted one, and stay if a subclass says not to update', () => {
    class Fixed extends Scalar {
      override shouldUpdate(): boolean {
        return false;
      }
    }
    expect(share.mergeWithStore(early, late, INVALID, { a: 1 })).toEqual({ a: 1 });
    expect(new Fixed({ lens, key: 'x' }).mergeWithStore(early, late, { a: 1 }, { a: 2 })).toEqual({ a: 1 });
  });
});

it('a Scalar returns a stored value of an unknown form unchanged', () => {
  expect(share.denormalize(5, {} as never)).toBe(5);
  const delegate = { argsKey: () => 'A' } as never;
  expect(share.denormalize(['1', 'share'], delegate)).toBeUndefined();
  expect(share.denormalize({ cells: 5 }, delegate)).toEqual({ cells: 5 });
});
