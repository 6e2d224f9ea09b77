import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { push, unshift, without } from './collection-members.ts';
import { Collection } from './collection.ts';
import { Entity } from './entity.ts';
import type { EditTarget } from './edited-member.ts';
import { IssueOrder, JoinedMembers } from './joined-members.ts';
import { ListEdits } from './list-edits.ts';
import { memberEdit, PUSH, REMOVE, UNSHIFT } from './member-edit.ts';
import { MemberRules } from './member-rules.ts';
import { differencesOf, replaceStretch, splicedBy } from '../../std/splice.ts';
import { Random } from '../../../tests/oracle/random.ts';
import { addGuess, type Layer } from '../../state/store/layer.ts';
import { Store } from '../../state/store/store.ts';
import type { RowEdit, RowState } from './row.ts';

const pushed = (...incoming: readonly unknown[]): RowEdit => ({ repeat: PUSH, incoming });
const unshifted = (...incoming: readonly unknown[]): RowEdit => ({ repeat: UNSHIFT, incoming });
const removed = (...incoming: readonly unknown[]): RowEdit => ({ repeat: REMOVE, incoming });
const ref = (id: string): object => ({ schema: 'post', id });

const place = { pk: '', args: {}, getEntity: (): RowState => undefined, notes: () => new Map() };

class Item extends Entity {
  id = '';
  rank = 0;
  static override key = 'Item';
}
const ranked = new Collection([Item], { orderBy: (one, other) => one.rank - other.rank });
const sorted = (target: EditTarget, ...incoming: readonly string[]): RowEdit => ({
  repeat: memberEdit(target, ranked),
  incoming,
});

/** A list with tracked edits, as readers see it. */
class Shown {
  readonly edits: ListEdits;
  readonly #ranks: Record<string, number> = {};
  shown: readonly unknown[] | undefined;

  constructor(base: readonly unknown[], ...edits: readonly RowEdit[]) {
    this.edits = new ListEdits(edits);
    this.shown = this.applyTo(base);
  }

  applyTo(base: readonly unknown[]): readonly unknown[] | undefined {
    // The pk of each record is its rank, until it is changed.
    const getEntity = (_table: string, pk: string): RowState => ({ id: pk, rank: this.#ranks[pk] ?? Number(pk) });
    this.shown = this.edits.applyTo(base, this.shown, { ...place, getEntity });
    return this.shown;
  }

  rank(pk: string, rank: number): boolean {
    this.#ranks[pk] = rank;
    return this.edits.change('Item', pk);
  }
}

describe('edits that add members', () => {
  it('leave the list as it is when the first is confirmed', () => {
    const [b, c] = [pushed('b'), pushed('c')];
    const list = new Shown(['a'], b, c);
    const { shown } = list;
    expect(shown).toEqual(['a', 'b', 'c']);
    list.edits.remove([b]);
    expect(list.applyTo(['a', 'b'])).toBe(shown);
    expect(list.applyTo(['a', 'b'])).toBe(shown);
  });

  it('move a member to the others that are confirmed', () => {
    const [b, c] = [pushed('b'), pushed('c')];
    const list = new Shown(['a'], b, c);
    list.edits.remove([c]);
    expect(list.applyTo(['a', 'c'])).toEqual(['a', 'c', 'b']);
  });

  it('take out a member whose edit is dropped, and not one that the list had before', () => {
    const [b, more] = [pushed('b'), pushed('c', 'd')];
    const base = ['a', 'b'];
    const list = new Shown(base, b, more);
    list.edits.remove([b]);
    expect(list.applyTo(base)).toEqual(['a', 'b', 'c', 'd']);
    list.edits.remove([more]);
    expect(list.applyTo(base)).toBe(base);
  });

  it('do not add a member again that arrives, also with others and twice', () => {
    const list = new Shown(['a'], pushed('b'), pushed('c'));
    expect(list.applyTo(['x', 'c', 'c', 'a'])).toEqual(['x', 'c', 'c', 'a', 'b']);
    expect(list.applyTo(['x', 'c', 'a'])).toEqual(['x', 'c', 'a', 'b']);
  });

  it('add a member again that has left the list below', () => {
    const list = new Shown(['a', 'b'], pushed('b'), pushed('c'));
    expect(list.applyTo(['b'])).toEqual(['b', 'c']);
    expect(list.applyTo([])).toEqual(['b', 'c']);
  });

  it('stand at the end when a read has another order than that in which members were issued', () => {
    const joined = new JoinedMembers();
    joined.note(['n'], 'last', 5);
    const edits = new ListEdits([{ ...pushed('s'), issue: 3 }]);
    const shown = edits.applyTo(['a', 'n'], undefined, { ...place, joined });
    expect(shown).toEqual(['a', 's', 'n']);
    expect(edits.applyTo(['a', 'n', 'y'], shown, place)).toEqual(['a', 'n', 'y', 's']);
  });

  it('put a later one before an earlier one at the start, whichever is over first', () => {
    const [b, c, d] = [unshifted('b'), unshifted('c', 'e'), unshifted('d')];
    const list = new Shown(['a', 'z'], b, c, d);
    expect(list.shown).toEqual(['d', 'c', 'e', 'b', 'a', 'z']);
    list.edits.remove([d]);
    list.edits.remove([b]);
    expect(list.applyTo(['a', 'y', 'z'])).toEqual(['c', 'e', 'a', 'y', 'z']);
    list.edits.remove([c]);
    expect(list.applyTo(['y', 'z'])).toEqual(['y', 'z']);
  });
});

describe('edits of several kinds', () => {
  it('are taken out one by one', () => {
    const edits = [pushed('d'), removed('b'), unshifted('e'), removed('d'), pushed('b')];
    const list = new Shown(['a', 'b', 'c'], ...edits);
    expect(list.shown).toEqual(['e', 'a', 'c', 'b']);
    list.edits.remove(edits.slice(3, 4));
    expect(list.applyTo(['a', 'b', 'c'])).toEqual(['e', 'a', 'c', 'd', 'b']);
    list.edits.remove(edits.slice(1, 2));
    expect(list.applyTo(['a', 'b', 'c'])).toEqual(['e', 'a', 'b', 'c', 'd']);
  });

  it('put a member of the list below back beside the nearest that is shown', () => {
    const edits = ['a', 'b', 'c', 'd'].map((id) => removed(id));
    const base = ['a', 'b', 'c', 'd'];
    const list = new Shown(base, unshifted('s'), pushed('e'), ...edits);
    expect(list.shown).toEqual(['s', 'e']);
    for (const [at, expected] of [
      [2, ['s', 'c', 'e']],
      [0, ['s', 'a', 'c', 'e']],
      [3, ['s', 'a', 'c', 'd', 'e']],
      [1, ['s', 'a', 'b', 'c', 'd', 'e']],
    ] as const) {
      list.edits.remove(edits.slice(at, at + 1));
      expect(list.applyTo(base)).toEqual(expected);
    }
  });

  it('put a member of the list below back beside one that is not next to it', () => {
    const edits = ['b', 'c', 'd', 'e'].map((id) => removed(id));
    const base = ['a', 'b', 'c', 'd', 'e', 'f'];
    const list = new Shown(base, unshifted('s'), pushed('t'), ...edits);
    list.edits.remove(edits.slice(2, 3));
    expect(list.applyTo(base)).toEqual(['s', 'a', 'd', 'f', 't']);
    const [own, other] = [removed('a'), removed('f')];
    list.edits.add([own, other, ...edits.slice(2, 3)]);
    expect(list.applyTo(base)).toEqual(['s', 't']);
    list.edits.remove([own]);
    list.applyTo(base);
    list.edits.remove(edits.slice(2, 3));
    expect(list.applyTo(base)).toEqual(['s', 'a', 'd', 't']);
  });

  it('follow members that leave and join in several places at once', () => {
    const base = ['a', 'b', 'c', 'd', 'e'];
    const list = new Shown(base, removed('b'), pushed('f'));
    const two = [4, 2].map((at) => ({ at, removed: 1, added: 0 }));
    const next = splicedBy(base, [...two, { at: 0, removed: 1, added: 1 }], ['x']);
    expect(next).toEqual(['x', 'b', 'd']);
    expect(list.applyTo(next)).toEqual(['x', 'd', 'f']);
    expect(list.applyTo([...base])).toEqual(['a', 'c', 'd', 'e', 'f']);
  });

  it('keep the list if it is equal after they are repeated', () => {
    const list = new Shown(['a', 'b', 'a'], pushed('c'));
    const { shown } = list;
    expect(list.applyTo(['a', 'b', 'a'])).toBe(shown);
    expect(list.applyTo(['b', 'a', 'a'])).toEqual(['b', 'a', 'a', 'c']);
    expect(list.applyTo(['b', 'a', 'a', 'd'])).toEqual(['b', 'a', 'a', 'd', 'c']);
  });

  it('are repeated if the list has a member twice', () => {
    const edit = removed('a');
    const list = new Shown(['a', 'b', 'a'], edit, pushed('c'));
    expect(list.shown).toEqual(['b', 'c']);
    list.edits.remove([edit]);
    expect(list.applyTo(['a', 'b', 'a'])).toEqual(['a', 'b', 'a', 'c']);
    expect(list.applyTo(['a', 'b'])).toEqual(['a', 'b', 'c']);
    expect(list.applyTo(['a', 'b', 'b'])).toEqual(['a', 'b', 'b', 'c']);
  });

  it('are repeated if many members arrive or leave', () => {
    const many = Array.from({ length: 100 }, (_, at) => `${at}`);
    const list = new Shown(['a'], pushed('b'), removed('7'));
    const rest = many.filter((id) => id !== '7');
    expect(list.applyTo(many)).toEqual([...rest, 'b']);
    expect(list.applyTo([])).toEqual(['b']);
    const edits = many.map((id) => removed(id));
    list.edits.add(edits);
    expect(list.applyTo(many)).toEqual(['b']);
    list.edits.remove(edits);
    expect(list.applyTo(many)).toEqual([...rest, 'b']);
  });

  it('are not tracked in what is not a list, nor beside edits of other rows', () => {
    const other: RowEdit = { repeat: { over: (row) => row }, incoming: [] };
    expect(ListEdits.of({}, [pushed('a')])).toBeUndefined();
    expect(ListEdits.of([], [pushed('a'), other])).toBeUndefined();
    const edits = ListEdits.of([], [pushed('a')]);
    expect(edits?.add([other])).toBe(false);
    expect(edits?.applyTo({}, [], place)).toBeUndefined();
  });
});

it('members of a polymorphic list are the same in other objects', () => {
  const [a, b, c] = [ref('a'), ref('b'), ref('c')];
  const [first, second] = [pushed(b), pushed(ref('c'))];
  const list = new Shown([a], first, second);
  const { shown } = list;
  expect(shown).toEqual([a, b, c]);
  list.edits.remove([first]);
  expect(list.applyTo([a, ref('b')])).toBe(shown);
  list.edits.remove([second]);
  expect(list.applyTo([a, b])).toEqual([a, b]);
  const again = [ref('a'), ref('b')];
  const kept = list.applyTo(again);
  expect(list.applyTo([...again, ref('d')])).toEqual([...(kept ?? []), ref('d')]);
});

describe('edits in the order of a list', () => {
  it('put members in their places, and those that are equal in the order of the edits', () => {
    const [one, two, three] = [sorted('ordered', '3'), sorted('ordered', '30'), sorted('ordered', '31')];
    const list = new Shown(['1', '5']);
    list.edits.add([one, two, three]);
    list.rank('30', 3);
    list.rank('31', 3);
    expect(list.applyTo(['1', '5'])).toEqual(['1', '3', '30', '31', '5']);
    list.edits.remove([two]);
    expect(list.applyTo(['1', '5'])).toEqual(['1', '3', '31', '5']);
    list.edits.remove([one]);
    expect(list.applyTo(['1', '3', '5'])).toEqual(['1', '3', '31', '5']);
  });

  it('move a member only if the list has it, and back when they are over', () => {
    const edits = [sorted('moved', '2'), sorted('moved', '8')];
    const list = new Shown(['1', '2', '5'], ...edits);
    list.rank('2', 6);
    expect(list.applyTo(['1', '2', '5'])).toEqual(['1', '5', '2']);
    list.rank('2', 2);
    list.edits.remove(edits);
    expect(list.applyTo(['1', '2', '5'])).toEqual(['1', '2', '5']);
  });

  it('follow the records: one of the list below that stays in order changes nothing', () => {
    const list = new Shown(['1', '5', '9'], sorted('ordered', '3'));
    const { shown } = list;
    expect(list.rank('77', 0)).toBe(false);
    expect(list.rank('5', 6)).toBe(true);
    expect(list.applyTo(['1', '5', '9'])).toBe(shown);
    list.rank('3', 7);
    expect(list.applyTo(['1', '5', '9'])).toEqual(['1', '5', '3', '9']);
  });

  it('put a member after one of the list below that becomes equal to it', () => {
    const list = new Shown(['1', '5'], sorted('ordered', '3'));
    list.rank('5', 3);
    expect(list.applyTo(['1', '5'])).toEqual(['1', '5', '3']);
  });

  it('are repeated while the list is not in order', () => {
    const list = new Shown(['1', '5'], sorted('ordered', '3'));
    const repeated = new Shown(['1', '9', '5'], sorted('ordered', '3')).shown;
    expect(list.applyTo(['1', '9', '5'])).toEqual(repeated);
    expect(list.rank('1', 1)).toBe(true);
    expect(list.applyTo(['1', '5', '9'])).toEqual(['1', '3', '5', '9']);
    list.rank('5', 10);
    expect(list.applyTo(['1', '5', '9'])).toEqual(['1', '3', '5', '9']);
    expect(list.edits.isOutdated).toBe(true);
  });

  it('are repeated if a member arrives between two that are not beside each other', () => {
    const list = new Shown(['1', '5', '9'], sorted('ordered', '3'));
    expect(list.applyTo(['5', '1', '9'])).toEqual(['5', '1', '3', '9']);
  });

  it('are repeated if one of them ignores the order', () => {
    const list = new Shown(['1', '5'], sorted('ordered', '3'), pushed('4'), unshifted('7'));
    expect(list.shown).toEqual(['7', '1', '3', '5', '4']);
    const kept = new Shown(['1', '5'], sorted('ordered', '3'));
    kept.edits.add([pushed('7')]);
    expect(kept.applyTo(['1', '5'])).toEqual(['1', '3', '5', '7']);
    expect(kept.edits.isOutdated).toBe(true);
  });

  it('do not follow records in a list whose order is not known', () => {
    expect(new Shown(['1'], pushed('2')).rank('1', 1)).toBe(false);
  });

  it('put a member of the list below back in its place', () => {
    const edits = [removed('5'), removed('1'), removed('9')];
    const list = new Shown(['1', '5', '9'], sorted('ordered', '3'), ...edits);
    expect(list.shown).toEqual(['3']);
    for (const [at, expected] of [
      [0, ['3', '5']],
      [2, ['3', '5', '9']],
      [1, ['1', '3', '5', '9']],
    ] as const) {
      list.edits.remove(edits.slice(at, at + 1));
      expect(list.applyTo(['1', '5', '9'])).toEqual(expected);
    }
  });
});

describe('edits of a long list with an order', () => {
  let compared = 0;
  const counted = new Collection([Item], { orderBy: (one, other) => (compared++, one.rank - other.rank) });
  const edit = (target: EditTarget, id: string): RowEdit => ({ repeat: memberEdit(target, counted), incoming: [id] });
  const last = edit('ordered', '7003');
  const base = Array.from({ length: 900 }, (_, at) => `${2 * at}`);
  /** The list without a member, or with one. */
  const cutOf = (id: string): readonly string[] => base.filter((one) => one !== id);
  const withNew = (id: string): readonly string[] => [...base, id].sort((one, other) => Number(one) - Number(other));

  it.each<[string, (list: Shown) => void, readonly string[]]>([
    ['an edit that adds one', (list) => void list.edits.add([edit('ordered', '901')]), withNew('901')],
    ['an edit that removes one', (list) => void list.edits.add([edit('out', '900')]), cutOf('900')],
    ['an edit that moves one', (list) => void list.edits.add([edit('moved', '900')]), base],
    ['the end of an edit', (list) => list.edits.remove([last]), base],
    ['an added record that moves', (list) => void list.rank('7001', 7), base],
    ['a record that stays', (list) => void list.rank('900', 901), base],
    ['a record of another list', (list) => void list.rank('901', 3), base],
  ])('are not repeated for %s: few members are compared', (_, change, expected) => {
    const list = new Shown(base, edit('ordered', '7001'), last);
    compared = 0;
    change(list);
    list.applyTo(base);
    expect(list.shown?.filter((id) => id !== '7001' && id !== '7003')).toEqual(expected);
    expect(compared).toBeLessThan(60);
  });

  it.each<[string, readonly string[]]>([
    ['joins', withNew('901')],
    ['leaves', cutOf('900')],
    ['is confirmed', withNew('7001')],
  ])('are not repeated for a member that %s: few members are compared', (_, next) => {
    const list = new Shown(base, edit('ordered', '7001'), last);
    compared = 0;
    list.applyTo(next);
    expect(list.shown).toEqual([...next.filter((id) => id !== '7001'), '7001', '7003']);
    expect(compared).toBeLessThan(60);
  });
});

describe('edits of a long list without an order', () => {
  let read = 0;
  const counted = (name: string): object => ({
    schema: 'post',
    get id(): string {
      read++;
      return name;
    },
  });
  const base = Array.from({ length: 900 }, (_, at) => counted(`${at}`));
  const [last, first, gone] = [pushed(counted('last')), unshifted(counted('first')), removed(counted('7'))];

  it.each<[string, (list: Shown) => unknown]>([
    ['one that adds at the end', (list) => list.edits.add([pushed(counted('new'))])],
    ['one that adds at the start', (list) => list.edits.add([unshifted(counted('new'))])],
    ['one that removes', (list) => list.edits.add([removed(counted('9'))])],
    ['the end of one that adds at the end', (list) => list.edits.remove([last])],
    ['the end of one that adds at the start', (list) => list.edits.remove([first])],
    ['the end of one that removes', (list) => list.edits.remove([gone])],
  ])('are not repeated for %s: few members are looked at', (_, change) => {
    const list = new Shown(base, last, first, gone);
    // From then on, an index by name finds the members.
    for (let times = 0; times < 40; times++) {
      const edit = removed(counted('0'));
      for (const what of ['add', 'remove'] as const) {
        list.edits[what]([edit]);
        list.applyTo(base);
      }
    }
    read = 0;
    change(list);
    list.applyTo(base);
    expect(read).toBeLessThan(80);
  });
});

describe('a guess that adds a record to a page', () => {
  const items = new Collection([Item]);
  /** What a page of `size` shows that the server has answered with `ids`, once guesses have added others. */
  const shownOf = (
    list: typeof items,
    size: number,
    ids: readonly string[],
    ...guesses: readonly (readonly [keyof typeof items & ('push' | 'unshift' | 'remove'), string])[]
  ): unknown => {
    const store = new Store();
    const args = [{ limit: size }];
    const record = (one: string): object => ({ id: one, rank: Number(one) });
    store.write(list, ids.slice(0, size).map(record), { args });
    // Further pages.
    if (ids.length > size)
      store.write(
        list.pagesWith((...of) => of),
        ids.slice(size).map(record),
        { args },
      );
    for (const [how, one] of guesses) addGuess(store, () => ({ schema: list[how], response: record(one), args }));
    return (store.get(list, { limit: size }) as readonly Item[]).map((one) => one.id);
  };

  it('at its start removes the last one of a full page', () => {
    expect(shownOf(items, 2, ['1', '2'], ['unshift', '9'])).toEqual(['9', '1']);
    expect(shownOf(items, 2, ['1', '2'], ['unshift', '9'], ['unshift', '8'], ['unshift', '7'])).toEqual(['7', '8']);
  });

  it('at its start removes none if a cursor came with the page, because the next page begins after its last one', () => {
    const store = new Store();
    const list = new Collection([Item]);
    const page = { args: [{ limit: 2 }] };
    store.write({ items: list, next: '' }, { items: [{ id: '1' }, { id: '2' }], next: 'x' }, page);
    const guess = (how: 'push' | 'unshift', id: string): Layer =>
      addGuess(store, () => ({ schema: list[how], response: { id }, ...page }));
    const shown = (): unknown => (store.get(list, { limit: 2 }) as readonly Item[]).map(({ id }) => id).join();
    const [first] = [guess('unshift', '9'), guess('push', '8')];
    expect(shown()).toBe('9,1,2');
    first.confirm(list.unshift, { id: '9' }, page);
    expect(shown()).toBe('9,1,2');
  });

  it('removes none if further pages were added to it', () => {
    expect(shownOf(items, 2, ['1', '2', '3', '4'], ['unshift', '9'])).toEqual(['9', '1', '2', '3', '4']);
    expect(shownOf(ranked, 2, ['1', '2', '5', '6'], ['push', '3'])).toEqual(['1', '2', '3', '5', '6']);
  });

  it('at its end is shown only on the last page', () => {
    expect(shownOf(items, 2, ['1', '2'], ['push', '9'])).toEqual(['1', '2']);
    expect(shownOf(items, 3, ['1', '2'], ['push', '9'], ['push', '8'])).toEqual(['1', '2', '9']);
  });

  it('in its order is shown if its place is on the page', () => {
    expect(shownOf(ranked, 2, ['1', '5'], ['push', '3'])).toEqual(['1', '3']);
    expect(shownOf(ranked, 2, ['1', '5'], ['push', '9'])).toEqual(['1', '5']);
    // A member of the next page can come before it.
    expect(shownOf(ranked, 2, ['1', '5'], ['remove', '1'], ['push', '9'])).toEqual(['5']);
  });

  it('for which it has no room changes nothing in it', () => {
    const store = new Store();
    const args = [{ limit: 2 }];
    const guess = (rank: number): Layer =>
      addGuess(store, () => ({ schema: ranked.push, response: { id: `${rank}`, rank }, args }));
    store.write(
      ranked,
      [1, 5].map((rank) => ({ id: `${rank}`, rank })),
      { args },
    );
    guess(9);
    const changed: string[] = [];
    store.writer.core.listen(({ shown }) => void changed.push(...shown.map(({ pk }) => pk)));
    guess(8).drop();
    expect(changed).toEqual(['8', '8']);
  });
});

describe('edits that come and go, in any order, show the same as if all of them were repeated', () => {
  const id = fc.constantFrom('1', '2', '3', '4', '5', '6', '7');
  const some = fc.uniqueArray(id, { minLength: 1, maxLength: 3 });

  /** Makes a list from the former one and the differences that are known between the two. */
  const replayed = (former: readonly unknown[], next: readonly unknown[]): unknown => {
    const made = [...former];
    const splices = differencesOf(former, next);
    for (const [nth, splice] of splices.entries()) {
      const isLast = nth === splices.length - 1;
      replaceStretch(made, splice, isLast ? next.slice(splice.at, splice.at + splice.added) : []);
    }
    return made;
  };

  /** Applies random changes to a list with edits. Compares it with a list for which all edits are repeated. */
  const followed = (edit: fc.Arbitrary<RowEdit>, baseOf: (ids: readonly string[]) => readonly string[]): void =>
    fc.assert(
      fc.property(
        fc.uniqueArray(id),
        fc.array(
          fc.array(
            fc.oneof(
              fc.record({ add: edit }),
              fc.record({ remove: fc.nat() }),
              fc.record({ base: fc.uniqueArray(id) }),
              fc.record({ join: id, at: fc.nat(7) }),
              fc.record({ leave: id }),
              fc.record({ ranked: id, rank: fc.nat(8) }),
            ),
            { minLength: 1, maxLength: 3 },
          ),
          { maxLength: 12 },
        ),
        (first, steps) => {
          let base = baseOf(first);
          const present: RowEdit[] = [];
          const ranks = new Map<string, number>();
          const repeated = (): Shown => {
            const made = new Shown(base, ...present);
            for (const [pk, rank] of ranks) made.rank(pk, rank);
            made.edits.isOutdated = true;
            made.applyTo(base);
            return made;
          };
          let list = repeated();
          for (const step of steps) {
            for (const change of step)
              if ('add' in change) {
                present.push(change.add);
                list.edits.add([change.add]);
              } else if ('remove' in change) {
                const gone = present.splice(change.remove % (present.length + 1), 1);
                list.edits.remove(gone);
              } else if ('ranked' in change) {
                ranks.set(change.ranked, change.rank);
                list.rank(change.ranked, change.rank);
              } else if ('base' in change) base = baseOf(change.base);
              else if ('leave' in change) base = base.filter((one) => one !== change.leave);
              else if (!base.includes(change.join))
                base = baseOf([...base.slice(0, change.at), change.join, ...base.slice(change.at)]);
            const again = repeated();
            const former = list.shown ?? [];
            const next = list.applyTo(base) ?? [];
            expect(next).toEqual(again.shown);
            expect(replayed(former, next)).toEqual(next);
            // Without edits, a list is not tracked.
            if (present.length === 0) list = again;
          }
        },
      ),
      { numRuns: 300 },
    );

  const plain = fc.tuple(fc.constantFrom(pushed, unshifted, removed), some).map(([make, ids]) => make(...ids));
  const ordering = fc
    .tuple(fc.constantFrom<EditTarget[]>('ordered', 'moved', 'out'), some)
    .map(([target, ids]) => sorted(target, ...ids));

  const many = Array.from({ length: 40 }, (_, at) => `${at + 10}`);

  it.each<[string, fc.Arbitrary<RowEdit>, (ids: readonly string[]) => readonly string[]]>([
    ['without an order', plain, (ids) => ids],
    ['of many members without an order', plain, (ids) => [...ids.filter((one) => one.length === 1), ...many]],
    ['of many members with an order', ordering, (ids) => [...ids.filter((one) => one.length === 1).sort(), ...many]],
    ['that has members twice', plain, (ids) => [...ids, ...ids.slice(0, 1)]],
    ['with an order', ordering, (ids) => [...ids].sort()],
    ['with an order that the server does not keep', ordering, (ids) => ids],
    ['with an order that some edits ignore', fc.oneof(ordering, plain), (ids) => [...ids].sort()],
  ])('in a list %s', (_, edit, baseOf) => expect(() => followed(edit, baseOf)).not.toThrow());
});

it('the functions of the library that change lists have edits that are tracked', () => {
  expect(new MemberRules('', push).repeat).toBe(PUSH);
  expect(new MemberRules('', unshift).repeat).toBe(UNSHIFT);
  expect(new MemberRules('', without).repeat).toBe(REMOVE);
});

/** A list to which mutations add members, which are answered in any order, while other members come and go. */
class Answered {
  readonly joined = new JoinedMembers();
  base: readonly unknown[] = [];
  edits: readonly RowEdit[] = [];
  readonly #tracked = new ListEdits([]);
  #shown: readonly unknown[] | undefined;
  #issue = 0;

  /** Makes a random step. Returns the list as it is patched, and as it is if all edits are repeated. */
  step(random: Random): readonly unknown[] {
    const step = random.weighted({ add: 4, answer: 3, drop: 1, hide: 1, come: 1, go: 1 });
    const edit = this.edits.length > 0 ? random.pick(this.edits) : undefined;
    const member = this.base.length > 0 ? random.pick(this.base) : undefined;
    if (step === 'add') this.#add({ repeat: random.pick([PUSH, UNSHIFT]), incoming: [`t${++this.#issue}`] });
    else if (step === 'hide' && member !== undefined) this.#add({ repeat: REMOVE, incoming: [member] });
    else if (step === 'come') this.base = this.base.toSpliced(random.below(3), 0, `x${++this.#issue}`);
    else if (step === 'go') this.base = without(this.base, [member]) as readonly unknown[];
    else if (edit !== undefined) this.#end(edit, step === 'answer');
    const edited = { ...place, joined: this.joined };
    this.#shown = this.#tracked.applyTo(this.base, this.#shown, edited);
    return [this.#shown, new ListEdits(this.edits).applyTo(this.base, undefined, edited)];
  }

  #add(edit: RowEdit): void {
    const issued = { ...edit, issue: ++this.#issue };
    this.edits = [...this.edits, issued];
    this.#tracked.add([issued]);
  }

  #end(edit: RowEdit, isAnswered: boolean): void {
    this.#tracked.remove([edit]);
    this.edits = this.edits.filter((other) => other !== edit);
    const { incoming, issue = 0, repeat } = edit;
    if (!isAnswered || repeat === REMOVE) return;
    const end = repeat === PUSH ? 'last' : 'first';
    const members = Object.values(incoming).map((member) => `s${String(member)}`);
    this.base = new IssueOrder(this.joined, { issue, oldestPending: 0 }).merge(end)(
      this.base,
      members,
    ) as readonly unknown[];
    if (this.edits.some((other) => Number(other.issue) < issue)) this.joined.note(members, end, issue);
  }
}

it('members that mutations add are patched as if all edits were repeated, in random histories', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = new Random(seed);
    const list = new Answered();
    for (let step = 0; step < 60; step++) {
      const [patched, repeated] = list.step(random);
      expect(patched, `seed ${seed}, step ${step}`).toEqual(repeated);
    }
  }
});
