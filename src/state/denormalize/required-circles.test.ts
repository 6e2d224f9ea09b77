import { describe, expect, it } from 'vitest';
import { Entity, Store } from '../../index.ts';

describe('records that require each other', () => {
  class Owner extends Entity {
    id = '';
    static override key = 'Owner';
  }
  class Seat extends Entity {
    id = '';
    owner = Owner.fromJS();
    next: object = {};
    pair: object = {};
    static override key = 'Seat';
    static override schema: Record<string, unknown> = { owner: Owner };
  }
  Seat.schema = { owner: Owner, next: Seat, pair: { next: Seat } };
  const seats = (store: Store): (Seat | undefined)[] => ['1', '2', '3'].map((pk) => store.get(Seat, pk));

  it.each([
    ['directly', { next: '2' }, { next: '3' }, { next: '1' }],
    ['through an object', { pair: { next: '2' } }, { pair: { next: '3' } }, { pair: { next: '1' } }],
  ])('are valid again when the deleted record that one of them requires is back: %s', (_, first, second, third) => {
    const store = new Store();
    store.write(
      [Seat],
      [
        { id: '1', ...first },
        { id: '2', ...second, owner: { id: 'o' } },
        { id: '3', ...third },
      ],
    );
    expect(seats(store)).not.toContain(undefined);
    store.invalidate(Owner, 'o');
    expect(seats(store)).toEqual([undefined, undefined, undefined]);
    store.write(Owner, { id: 'o' });
    expect(seats(store)).not.toContain(undefined);
  });

  it('are valid again if they require themselves', () => {
    const store = new Store();
    store.write(Seat, { id: '1', next: '1', pair: { next: '1' }, owner: { id: 'o' } });
    expect(store.get(Seat, '1')?.next).toBe(store.get(Seat, '1'));
    store.invalidate(Owner, 'o');
    expect(store.get(Seat, '1')).toBe(undefined);
    store.write(Owner, { id: 'o' });
    expect(store.get(Seat, '1')?.next).toBe(store.get(Seat, '1'));
  });

  it('stay invalid without a build while the deleted record is gone', () => {
    const store = new Store();
    class Watcher extends Entity {
      id = '';
      seat: Seat | undefined = undefined;
      static override key = 'Watcher';
      static override schema: Record<string, unknown> = { seat: Seat };
    }
    Seat.schema = { ...Seat.schema, watcher: Watcher };
    store.write(
      [Seat],
      [
        { id: '1', next: '2', watcher: { id: 'w', seat: '1' } },
        { id: '2', next: '1', owner: 'o' },
      ],
    );
    store.write(Owner, { id: 'o' });
    store.invalidate(Owner, 'o');
    const watcher = store.get(Watcher, 'w');
    expect(watcher?.seat).toBe(undefined);
    store.write(Owner, { id: 'o' });
    store.invalidate(Owner, 'o');
    expect(store.get(Watcher, 'w')).toBe(watcher);
    expect(seats(store)).toEqual([undefined, undefined, undefined]);
  });
});
