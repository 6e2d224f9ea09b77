import { describe, expect, it } from 'vitest';
import { All, Collection, Entity, from, INVALID, Query, Scalar, type Schema, Store, Values } from '../../index.ts';
import { addGuess } from '../store/layer.ts';

const share = new Scalar({ key: 'share', lens: ([args]) => (args as { portfolio?: string } | undefined)?.portfolio });
class Company extends Entity {
  id = '';
  name = '';
  share: number | undefined = undefined;
  parent: Company | undefined = undefined;
  static override key = 'Company';
  static override schema: Record<string, unknown> = {};
}
Company.schema = { share, parent: Company };
const under = (id: string, portfolio: string): { id: string; portfolio: string } => ({ id, portfolio });
const companies: Collection = new Collection([Company], { argsKey: () => ({}) });

describe('a value with a lens', () => {
  const filled = (): Store => {
    const store = new Store();
    for (const [portfolio, of] of [
      ['a', 1],
      ['b', 2],
    ] as const)
      store.write(companies, [{ id: '1', name: 'x', share: of, parent: { id: '2', share: of * 10 } }], {
        args: [{ portfolio }],
      });
    return store;
  };
  const shares = (store: Store, portfolio?: string): unknown => {
    const list = store.get(companies, { portfolio }) as Company[];
    return list.map((company) => [company.share, company.parent?.share]);
  };

  it('differs for each lens, at every depth', () => {
    const store = filled();
    expect(shares(store, 'a')).toEqual([[1, 10]]);
    expect(shares(store, 'b')).toEqual([[2, 20]]);
    expect(shares(store, 'c')).toEqual([[undefined, undefined]]);
    expect(shares(store)).toEqual([[undefined, undefined]]);
  });

  it('is the same object until its own lens changes', () => {
    const store = filled();
    const [a, b] = ['a', 'b'].map((portfolio) => store.get(companies, { portfolio }));
    expect(store.get(companies, { portfolio: 'a', page: 2 })).toBe(a);
    store.write(Company, { id: '1', share: 5 }, { args: [{ portfolio: 'b' }] });
    expect(store.get(companies, { portfolio: 'a' })).toBe(a);
    expect(store.get(companies, { portfolio: 'b' })).not.toBe(b);
    expect(shares(store, 'b')).toEqual([[5, 20]]);
  });

  it('stays the same object in a long list from which members are removed', () => {
    const store = new Store();
    const rows = Array.from({ length: 100 }, (_, at) => ({ id: String(at), share: at }));
    store.write(companies, rows, { args: [{ portfolio: 'a' }] });
    const read = (): Company[] => store.get(companies, { portfolio: 'a' }) as Company[];
    for (const id of ['10', '50', '90']) {
      const before = read();
      store.write(companies.remove, { id }, { args: [{ portfolio: 'a' }] });
      expect(read()).toHaveLength(before.length - 1);
      for (const company of read()) expect(before).toContain(company);
    }
    expect(read().at(-1)?.share).toBe(99);
  });

  it('changes with data that is the same for all lenses', () => {
    const store = filled();
    shares(store, 'a');
    store.write(Company, { id: '1', name: 'y' });
    expect((store.get(companies, { portfolio: 'a' }) as Company[])[0]?.name).toBe('y');
    store.invalidate(Company, '2');
    expect(shares(store, 'a')).toEqual([[1, undefined]]);
    store.invalidate(Company, '1');
    expect(shares(store, 'a')).toEqual([]);
    expect(store.read(Company, '1', [{ portfolio: 'a' }])).toBe(INVALID);
  });

  it('a deleted record leaves a list that was read with a lens', () => {
    const store = filled();
    store.write(companies, ['1', { id: '3', share: 3 }], { args: [{ portfolio: 'a' }] });
    expect(shares(store, 'a')).toHaveLength(2);
    store.invalidate(Company, '1');
    expect(store.row(companies.key, '{}')).toEqual(['3']);
    expect(shares(store, 'a')).toEqual([[3, undefined]]);
  });

  it('in a cycle is whole', () => {
    const store = new Store();
    store.write(
      Company,
      { id: '1', share: 1, parent: { id: '2', share: 2, parent: '1' } },
      { args: [{ portfolio: 'a' }] },
    );
    const one = store.get(Company, under('1', 'a')) as Company;
    expect(one.parent?.parent).toBe(one);
    expect([one.share, one.parent?.share]).toEqual([1, 2]);
  });

  it('reaches through maps, objects and queries', () => {
    class Page extends Entity {
      id = '';
      map: Record<string, Company> = {};
      static override key = 'Page';
      static override schema = { map: new Values(Company), pair: { left: Company } };
    }
    const store = filled();
    store.write(Page, { id: 'p', map: { one: '1' }, pair: { left: '1' } });
    const page = store.get(Page, under('p', 'b')) as Page & { pair: { left: Company } };
    expect([page.map['one']?.share, page.pair.left.share]).toEqual([2, 2]);
    const total = new Query(new All(Company), (list: Company[], _args: { portfolio: string }) => list.reduce((sum, { share: one }) => sum + (one ?? 0), 0)); // prettier-ignore
    expect([store.get(total, { portfolio: 'a' }), store.get(total, { portfolio: 'b' })]).toEqual([11, 22]);
  });

  it('a lens that fails is an error of a read with arguments, and selects nothing in a live query', () => {
    const byTeam = new Scalar({ key: 'byTeam', lens: ([args]) => (args as { team: { id: string } }).team.id });
    class Player extends Entity {
      id = '';
      goals: number | undefined = undefined;
      static override key = 'Player';
      static override schema = { goals: byTeam };
    }
    const store = new Store();
    store.write(Player, { id: '1', goals: 5 }, { args: [{ team: { id: 'a' } }] });
    expect(store.get(Player, { id: '1', team: { id: 'a' } })?.goals).toBe(5);
    expect(() => store.get(Player, { id: '1' })).toThrow(TypeError);
    expect(store.get(from(Player))?.map(({ goals }) => goals)).toEqual([undefined]);
  });

  it('a lens field that other records lack does not affect them', () => {
    class User extends Entity {
      id = '';
      static override key = 'User';
    }
    const store = new Store();
    store.write([User], [{ id: '1' }]);
    expect(store.get(User, under('1', 'a'))).toBe(store.get(User, under('1', 'b')));
  });
});

describe('maxEntityDepth', () => {
  class Leaf extends Entity {
    id = '';
    leaf: unknown = undefined;
    static override key = 'Leaf';
    static override schema: Record<string, unknown> = {};
  }
  Leaf.schema = { leaf: Leaf };
  class Tree extends Entity {
    id = '';
    leaf: unknown = undefined;
    leaves: unknown = undefined;
    static override key = 'Tree';
    static override schema: Record<string, unknown> = {
      leaf: Leaf,
      leaves: new Collection([Leaf], { nestKey: (tree: { id: string }) => ({ tree: tree.id }) }),
    };
    static override maxEntityDepth = 2;
  }
  const filled = (): Store => {
    const store = new Store();
    store.write(Tree, {
      id: 't',
      leaf: { id: '1', leaf: { id: '2', leaf: { id: '3', leaf: { id: '4' } } } },
      leaves: ['1'],
    });
    return store;
  };

  it('cuts below that many levels, where the refs stay', () => {
    const tree = filled().get(Tree, 't') as Tree;
    const [one, two] = [tree.leaf as Leaf, (tree.leaf as Leaf).leaf as Leaf];
    expect([one.id, two.id, two.leaf]).toEqual(['1', '2', '3']);
    expect(tree.leaves).toEqual([one]);
    expect((tree.leaves as Leaf[])[0]).toBe(one);
  });

  it('does not cut records that are read by themselves', () => {
    const leaf = filled().get(Leaf, '1') as Leaf;
    expect((((leaf.leaf as Leaf).leaf as Leaf).leaf as Leaf).id).toBe('4');
  });

  it('follows changes of a cut value', () => {
    const store = filled();
    const tree = store.get(Tree, 't') as Tree;
    store.write(Leaf, { id: '4', name: 'x' });
    expect(store.get(Tree, 't')).toBe(tree);
    store.write(Leaf, { id: '2', leaf: null });
    expect((((store.get(Tree, 't') as Tree).leaf as Leaf).leaf as Leaf).leaf).toBeNull();
  });

  it('of 0 reads no records at all', () => {
    class Bare extends Tree {
      static override key = 'Bare';
      static override maxEntityDepth = 0;
    }
    const store = new Store();
    store.write(Bare, { id: 'b', leaf: { id: '1' } });
    expect(store.get(Bare, 'b')).toMatchObject({ leaf: '1' });
  });
});

it('a schema that is assigned again is read with its lenses, also in lists that were read without', () => {
  class Fund extends Entity {
    id = '';
    share: number | undefined = undefined;
    static override key = 'Fund';
    static override schema: Record<string, unknown> = {};
  }
  const store = new Store();
  const list = [Fund];
  const read = (portfolio: string): unknown => store.read(list, ['1'], [{ portfolio }]);
  store.write(Fund, { id: '1' });
  expect(read('a')).toMatchObject([{ share: undefined }]);
  store.write(list, ['1'], { args: [{ portfolio: 'a' }], resultKey: 'k' });
  const live = store.resultView('k', list);
  live.current();

  Fund.schema = { share };
  for (const [portfolio, value] of [
    ['a', 1],
    ['b', 2],
  ] as const)
    store.write(list, [{ id: '1', share: value }], {
      args: [{ portfolio }],
      resultKey: portfolio === 'a' ? 'k' : 'other',
    });

  expect(read('a')).toMatchObject([{ share: 1 }]);
  expect(read('b')).toMatchObject([{ share: 2 }]);
  store.write(list, ['1', '2'], { args: [{ portfolio: 'a' }], resultKey: 'k' });
  expect(live.current()).toMatchObject([{ share: 1 }]);
});

it('a variant of a record that referred to itself still follows its row', () => {
  class Person extends Entity {
    id = '';
    name = '';
    best: Person | undefined;
    static override key = 'Person';
    static override schema = {};
  }
  class Named extends Entity {
    id = '';
    name = '';
    best: Person | undefined;
    static override key = 'Person';
    static override schema = { best: Person };
  }
  Person.schema = { best: Person };
  const store = new Store();
  store.write(Person, { id: '1', name: 'a', best: '1' });
  store.get(Person, '1');
  expect(store.get(Named, '1')?.best).toBe(store.get(Person, '1'));
  store.write(Person, { id: '1', best: '2' });
  expect(store.get(Named, '1')?.best).toBeUndefined();
  store.write(Person, { id: '1', name: 'b' });
  expect(store.get(Named, '1')?.name).toBe('b');
});

it('a long list that is read with a lens holds a record once, although it is pushed again', () => {
  const store = new Store();
  const args = [{ portfolio: 'a' }];
  const ids = Array.from({ length: 30 }, (_, at) => `${at}`);
  store.write(companies, ids.map((id) => ({ id, share: 1 })), { args }); // prettier-ignore
  const shown = (): string[] => (store.get(companies, under('', 'a')) as Company[]).map(({ id }) => id);
  expect(shown()).toEqual(ids);
  store.write(companies.push, { id: '7' }, { args });
  store.write(companies.push, { id: 'new' }, { args });
  expect(shown()).toEqual([...ids, 'new']);
});

it('a schema that is assigned again applies to each class that reads the table', () => {
  class Author extends Entity {
    id = '';
    static override key = 'Author';
  }
  class Book extends Entity {
    id = '';
    author: unknown = undefined;
    static override key = 'Book';
    static override schema: Record<string, Schema> = {};
  }
  class Loan extends Book {
    book: Book | undefined = undefined;
    static override key = 'Loan';
    static override schema: Record<string, Schema> = { book: Book };
  }
  class Detail extends Book {
    static override key = 'Book';
    static override schema: Record<string, Schema> = {};
  }
  const store = new Store();
  store.write(Author, { id: 'a' });
  store.write(Loan, { id: 'l', book: { id: '1', author: 'a' } });
  expect((store.get(Loan, 'l') as Loan).book?.author).toBe('a');
  expect(store.get(Detail, '1')).toMatchObject({ author: 'a' });
  Book.schema = { author: Author };
  Detail.schema = { author: Author };
  store.write(Book, { id: '2' });
  store.write(Detail, { id: '2' });
  expect(store.get(Detail, '1')?.author).toBe(store.get(Author, 'a'));
  expect(store.get(Detail, '1')).toBeInstanceOf(Detail);
});

it.each([
  ['list', [{ id: '1' }, { id: '2' }], [{ id: '3', name: 'bad' }]],
  ['map', { one: { id: '1' }, two: { id: '2' } }, { one: { id: '3', name: 'bad' }, three: { id: '1' } }],
])('a %s under a lens is the stored one again after a guess that could not be built', (_kind, rows, guessed) => {
  class Checked extends Company {
    static override fromJS(props: Partial<Company> = {}): never {
      if (props.name === 'bad') throw new Error('bad');
      return super.fromJS(props) as never;
    }
  }
  const checked = new Collection(Array.isArray(rows) ? [Checked] : new Values(Checked));
  const store = new Store();
  store.write(checked, rows, { args: [] });
  const before = structuredClone(store.get(checked));
  const layer = addGuess(store, () => ({ schema: checked, response: guessed }));
  expect(() => store.get(checked)).toThrow('bad');
  layer.drop();
  expect(structuredClone(store.get(checked))).toEqual(before);
});
