import { describe, expect, test } from 'vitest';
import { Collection, Entity, hasMany, Store, Union, Values } from '../../index.ts';
import { addGuess, type Layer } from './layer.ts';
import { createdAs, NEVER_CREATED } from './temporary-pk.ts';

class Profile extends Entity {
  id = '';
  type = 'profile';
  bio = '';
  static override key = 'Profile';
}
class Choice extends Entity {
  id = '';
  name = '';
  static override key = 'Choice';
}
class Line extends Entity {
  id = '';
  sku = '';
  qty = 1;
  product?: Profile;
  choices: Choice[] = [];
  static override key = 'Line';
  static override schema = { product: Profile, choices: [Choice] };
}
class Note extends Entity {
  id = '';
  type = 'note';
  text = '';
  static override key = 'Note';
  static override process({ isNote: _, ...record }: Record<string, unknown>): object {
    return record;
  }
}
class Order extends Entity {
  id = '';
  name = '';
  profile?: Profile;
  either?: Profile | Note;
  lines: Line[] = [];
  notes: Note[] = [];
  own: Note[] = [];
  told: (Profile | Note)[] = [];
  mixed: (Profile | Note)[] = [];
  prices: Readonly<Record<string, Note>> = {};
  parts: { readonly main?: Profile } = {};
  static override key = 'Order';
  static override schema = {
    profile: Profile,
    either: new Union({ profile: Profile, note: Note }, 'type'),
    lines: [Line],
    notes: new Collection([Note]),
    own: new Collection([Note], { nestKey: ({ id }: { id?: string }) => ({ order: id }) }),
    told: [new Union({ profile: Profile, note: Note }, (value: object) => ('isNote' in value ? 'note' : 'profile'))],
    mixed: [new Union({ profile: Profile, note: Note }, 'type')],
    prices: new Values(Note),
    parts: { main: Profile },
  };
}
const orders = new Collection([Order]);
const args = [{}];

/** The pk of the server for each nested record of a guess, in order; `undefined` if there is none. */
function pksAfter(store: Store, { created }: Layer): (string | undefined)[] {
  return created.flatMap(({ isNested, pk, table }) => {
    const found = createdAs(store.writer.core, pk);
    if (found !== undefined && found !== NEVER_CREATED) expect(found.table).toBe(table);
    return isNested ? [found === NEVER_CREATED ? undefined : found?.pk] : [];
  });
}

/** Guesses a new order, stores the answer, and returns the pks of the server for the records inside. */
function pksOf(sent: object, answered: object): (string | undefined)[] {
  const store = new Store();
  const layer = addGuess(store, () => ({ schema: orders.push, response: sent, args }));
  expect(new Set(layer.created.map(({ pk }) => createdAs(store.writer.core, pk)))).toEqual(new Set([undefined]));
  layer.confirm(orders.push, { id: '1', ...answered }, { args });
  return pksAfter(store, layer);
}

describe('a record that is created inside of another one', () => {
  test('is the record in the same field of the answer', () => {
    expect(pksOf({ profile: { bio: 'a' } }, { profile: { id: '7', bio: 'A' } })).toEqual(['7']);
    expect(pksOf({ parts: { main: { bio: 'a' } } }, { parts: { main: { id: '7' } } })).toEqual(['7']);
  });

  test('is found beside a list without new records', () => {
    const lines = [{ id: '5', sku: 'a' }];
    expect(pksOf({ profile: { bio: 'a' }, lines }, { profile: { id: '7' }, lines })).toEqual(['7']);
    expect(pksOf({ profile: { bio: 'a' }, notes: null }, { profile: { id: '7' }, notes: [] })).toEqual(['7']);
  });

  test('is the record whose pk alone is in the answer', () => {
    expect(pksOf({ profile: { bio: 'a' } }, { profile: '7' })).toEqual(['7']);
  });

  test('is no record if the answer has none in its field', () => {
    expect(pksOf({ profile: { bio: 'a' } }, { profile: null })).toEqual([undefined]);
    expect(pksOf({ profile: { bio: 'a' }, lines: [{ sku: 'a' }] }, {})).toEqual([undefined, undefined]);
  });

  test('is of the same class', () => {
    const sent = { either: { type: 'note', text: 'a' } };
    expect(pksOf(sent, { either: { id: '7', type: 'note' } })).toEqual(['7']);
    expect(pksOf(sent, { either: { id: '7', type: 'profile' } })).toEqual([undefined]);
  });

  test('has the same name in a map', () => {
    const sent = { prices: { a: { text: 'x' }, b: { text: 'x' }, c: { text: 'x' } } };
    const answered = { prices: { b: { id: '2' }, a: { id: '1' } } };
    expect(pksOf(sent, answered)).toEqual(['1', '2', undefined]);
  });

  test('can have another one inside', () => {
    const sent = { lines: [{ sku: 'a', choices: [{ name: 'x' }, { name: 'y' }] }] };
    const answered = {
      lines: [{ id: '5', sku: 'a', choices: [{ id: '2', name: 'y' }, { id: '1', name: 'x' }] }], // prettier-ignore
    };
    expect(pksOf(sent, answered)).toEqual(['5', '1', '2']);
  });

  test('is found inside of a record that was stored before, and only among its new records', () => {
    const store = new Store();
    store.write(Order, { id: '1', lines: [{ id: '4', sku: 'b' }, { id: '5', sku: 'c' }] }); // prettier-ignore
    const lines = ['4', { sku: 'a' }, { id: '6', sku: 'a' }, { sku: 'b' }];
    const layer = addGuess(store, () => ({ schema: Order, response: { id: '1', lines } }));
    const answered = [{ id: '6', sku: 'a' }, { id: '4', sku: 'b' }, { id: '8', sku: 'a' }, { id: '9', sku: 'b' }]; // prettier-ignore
    layer.confirm(Order, { id: '1', lines: answered });
    expect(pksAfter(store, layer)).toEqual(['8', '9']);
  });

  test('is not the only one that is left if the list has lost another record', () => {
    const store = new Store();
    store.write(Order, { id: '1', lines: [{ id: '4', sku: 'a' }] });
    const layer = addGuess(store, () => ({ schema: Order, response: { id: '1', lines: ['4', { sku: ' b' }] } }));
    layer.confirm(Order, { id: '1', lines: [{ id: '5', sku: 'b' }] });
    expect(pksAfter(store, layer)).toEqual([undefined]);
  });

  test('is shown in a collection whose key has the pk of the new record around it', () => {
    const store = new Store();
    const layers = ['a', 'b'].map((text) =>
      addGuess(store, () => ({ schema: orders.push, response: { own: [{ text }] }, args })),
    );
    const texts = () => layers.map(({ created: [order] }) => store.get(Order, { id: order?.pk ?? '' })?.own[0]?.text);
    expect(texts()).toEqual(['a', 'b']);
    layers[1]?.confirm(orders.push, { id: '2', own: [{ id: '3', text: 'b' }] }, { args });
    layers[0]?.confirm(orders.push, { id: '1', own: [{ id: '4', text: 'A' }] }, { args });
    expect(texts()).toEqual(['A', 'b']);
    expect(layers.flatMap((layer) => pksAfter(store, layer))).toEqual(['4', '3']);
  });

  test('is no record that was stored before', () => {
    const store = new Store();
    store.write(Order, { id: '1', lines: [{ id: '4', sku: 'a' }] });
    const layer = addGuess(store, () => ({ schema: Order, response: { id: '1', lines: [{ sku: 'a' }] } }));
    layer.confirm(Order, { id: '1', lines: [{ id: '4', sku: 'a' }] });
    expect(pksAfter(store, layer)).toEqual([undefined]);
  });

  test('is found in a new record that a list has shown before the guess, as after a restart', () => {
    const store = new Store();
    store.write([Order], [{ id: '1', lines: [{ id: '4', sku: 'a' }] }]);
    const layer = addGuess(store, () => ({ schema: orders.push, response: { lines: [{ sku: 'a' }] }, args }));
    layer.confirm(orders.push, { id: '1', lines: [{ id: '4', sku: 'a' }] }, { args });
    expect(pksAfter(store, layer)).toEqual(['4']);
  });

  test('is not found if the answer has no data of it', () => {
    const store = new Store();
    const layer = addGuess(store, () => ({ schema: orders.push, response: { lines: [{ sku: 'a' }] }, args }));
    layer.confirm(orders.push, { id: '1', lines: [{ sku: 'a' }] }, { args, isPart: true });
    expect(pksAfter(store, layer)).toEqual([undefined]);
  });

  test('has the pk of the server again as temporary one if the batch with the answer fails', () => {
    const store = new Store();
    const layer = addGuess(store, () => ({ schema: Order, response: { id: '1', profile: { bio: 'a' } } }));
    const before = store.get(Order, { id: '1' })?.profile;
    const failing = (): void =>
      store.batch(() => {
        layer.confirm(Order, { id: '1', profile: { id: '7', bio: 'a' } });
        throw new Error('failed');
      });
    expect(failing).toThrow('failed');
    expect(store.get(Order, { id: '1' })?.profile).toBe(before);
    expect(pksAfter(store, layer)).toEqual([undefined]);
    layer.confirm(Order, { id: '1', profile: { id: '7', bio: 'a' } });
    expect(pksAfter(store, layer)).toEqual(['7']);
  });
});

describe('a new record that refers to the record around it', () => {
  class Size extends Entity {
    id = '';
    itemId = '';
    name = '';
    static override key = 'Size of an item';
  }
  class Item extends Entity {
    id = '';
    cartId = '';
    sku = '';
    sizes: readonly Size[] = [];
    static override key = 'Item of a cart';
    static override schema = { sizes: hasMany(() => Size, 'itemId') };
  }
  class Cart extends Entity {
    id = '';
    items: readonly Item[] = [];
    static override key = 'Cart';
    static override schema = { items: hasMany(() => Item, 'cartId') };
  }
  const carts = new Collection([Cart]);

  function pksIn(sent: object, answered: object, before: (store: Store) => void = () => {}): (string | undefined)[] {
    const store = new Store();
    const layer = addGuess(store, () => ({ schema: carts.push, response: sent, args }));
    before(store);
    layer.confirm(carts.push, { id: '1', ...answered }, { args });
    return pksAfter(store, layer);
  }

  test('is the record of the answer that refers to it and has the fields that were sent', () => {
    const sent = { items: [{ sku: 'a' }, { sku: 'b', sizes: [{ name: 'x' }, { name: 'y' }] }] };
    const sizes = [{ id: '4', name: 'y' }, { id: '5', name: 'x' }]; // prettier-ignore
    const answered = {
      items: [
        { id: '2', sku: 'b', sizes },
        { id: '3', sku: 'a' },
      ],
    };
    expect(pksIn(sent, answered)).toEqual(['3', '2', '5', '4']);
  });

  test('is the only one that refers to it, whatever its fields', () => {
    expect(pksIn({ items: [{ sku: 'a' }] }, { items: [{ id: '2', sku: 'A' }] })).toEqual(['2']);
    const two = { items: [{ id: '2', sku: 'A' }, { id: '3', sku: 'B' }] }; // prettier-ignore
    expect(pksIn({ items: [{ sku: 'a' }] }, two)).toEqual([undefined]);
  });

  test('is no record of another cart', () => {
    const other = (store: Store): void => void store.write(Cart, { id: '9', items: [{ id: '8', sku: 'a' }] });
    expect(pksIn({ items: [{ sku: 'a' }] }, { items: [] }, other)).toEqual([undefined]);
  });

  test('is found in a new record that a list has shown before the guess', () => {
    const store = new Store();
    store.write([Cart], [{ id: '1', items: [{ id: '2', sku: 'a' }] }]);
    const layer = addGuess(store, () => ({ schema: carts.push, response: { items: [{ sku: 'a' }] }, args }));
    layer.confirm(carts.push, { id: '1', items: [{ id: '2', sku: 'a' }] }, { args });
    expect(pksAfter(store, layer)).toEqual(['2']);
  });

  test('is found by its fields if the record around it was stored before', () => {
    const store = new Store();
    store.write(Cart, { id: '1', items: [{ id: '2', sku: 'a' }] });
    const items = [{ id: '2' }, { sku: 'a' }, { sku: 'b' }];
    const layer = addGuess(store, () => ({ schema: Cart, response: { id: '1', items } }));
    layer.confirm(Cart, { id: '1', items: [{ id: '2', sku: 'a' }, { id: '3', sku: 'a' }, { id: '4', sku: 'B' }] }); // prettier-ignore
    expect(pksAfter(store, layer)).toEqual(['3', undefined]);
  });
});

describe('a new record in a list', () => {
  const cases: readonly (readonly [string, object, object, (string | undefined)[]])[] = [
    [
      'has the fields that were sent, in any order',
      { lines: [{ sku: 'a', qty: 1 }, { sku: 'a', qty: 2 }, { sku: 'b', qty: 1 }] }, // prettier-ignore
      { lines: [{ id: '3', sku: 'b', qty: 1 }, { id: '2', sku: 'a', qty: 2 }, { id: '1', sku: 'a', qty: 1 }] }, // prettier-ignore
      ['1', '2', '3'],
    ],
    [
      'is in the same order as the equal ones',
      { lines: [{ sku: 'a' }, { sku: 'b' }, { sku: 'a' }] },
      { lines: [{ id: '1', sku: 'a' }, { id: '3', sku: 'a' }, { id: '2', sku: 'b' }] }, // prettier-ignore
      ['1', '2', '3'],
    ],
    [
      'is not found among equal ones if the answer has more or fewer of them',
      { lines: [{ sku: 'a' }, { sku: 'a' }, { sku: 'b' }] },
      { lines: [{ id: '1', sku: 'a' }, { id: '2', sku: 'b' }, { id: '3', sku: 'b' }] }, // prettier-ignore
      [undefined, undefined, undefined],
    ],
    [
      'is not found if records with other fields can be the same one',
      { lines: [{ sku: 'a' }, { sku: 'a', qty: 1 }] },
      { lines: [{ id: '1', sku: 'a', qty: 1 }, { id: '2', sku: 'b', qty: 1 }] }, // prettier-ignore
      [undefined, undefined],
    ],
    [
      'is not found if the answer lacks the field that tells it from others',
      { lines: [{ sku: 'a', qty: 2 }, { sku: 'b', qty: 2 }] }, // prettier-ignore
      { lines: [{ id: '1', qty: 2 }, { id: '2', qty: 2 }] }, // prettier-ignore
      [undefined, undefined],
    ],
    [
      'is not found if only the records inside tell it from others',
      { lines: [{ sku: 'a', choices: [{ name: 'x' }] }, { sku: 'a', choices: [{ name: 'y' }] }] }, // prettier-ignore
      { lines: [{ id: '2', sku: 'a', choices: [{ id: '4', name: 'y' }] }, { id: '1', sku: 'a', choices: [{ id: '3', name: 'x' }] }] }, // prettier-ignore
      [undefined, undefined, undefined, undefined],
    ],
    [
      'refers to the same record',
      { lines: [{ product: '8' }, { product: '9' }] },
      { lines: [{ id: '2', product: { id: '9' } }, { id: '1', product: { id: '8' } }] }, // prettier-ignore
      ['1', '2'],
    ],
    [
      'is the only one that is left, even if the server has changed its fields',
      { lines: [{ sku: 'a' }, { sku: ' b' }] },
      { lines: [{ id: '1', sku: 'a' }, { id: '2', sku: 'b' }] }, // prettier-ignore
      ['1', '2'],
    ],
    [
      'is not the only one that is left if the list has another length',
      { lines: [{ sku: 'a' }, { sku: ' b' }] },
      { lines: [{ id: '2', sku: 'b' }] },
      [undefined, undefined],
    ],
    [
      'is not found if two have other fields in the answer',
      { lines: [{ sku: ' a' }, { sku: ' b' }] },
      { lines: [{ id: '1', sku: 'a' }, { id: '2', sku: 'b' }] }, // prettier-ignore
      [undefined, undefined],
    ],
    [
      'can be in a collection',
      { notes: [{ text: 'a' }, { text: 'b' }] },
      { notes: [{ id: '2', text: 'b' }, { id: '1', text: 'a' }] }, // prettier-ignore
      ['1', '2'],
    ],
    [
      'can be in a collection of its record',
      { own: [{ text: 'a' }, { text: 'b' }] },
      { own: [{ id: '2', text: 'b' }, { id: '1', text: 'a' }] }, // prettier-ignore
      ['1', '2'],
    ],
    [
      'may have fields that the answer lacks, and records inside',
      { lines: [{ sku: 'a', secret: 1, choices: [{ name: 'x' }] }, { sku: 'b', secret: 2, choices: [{ name: 'x' }] }] }, // prettier-ignore
      { lines: [{ id: '2', sku: 'b', choices: [] }, { id: '1', sku: 'a', choices: [{ id: '3', name: 'x' }] }] }, // prettier-ignore
      ['1', '3', '2', undefined],
    ],
    [
      'is of the class that a function tells',
      { told: [{ text: 'a', isNote: 1 }, { text: 'a' }] }, // prettier-ignore
      { told: [{ id: '2', text: 'a' }, { id: '1', text: 'a', isNote: 1 }] }, // prettier-ignore
      ['1', '2'],
    ],
    [
      'is not of another class of the list because it is the only one that is left',
      { mixed: [{ type: 'profile', bio: 'a' }, { type: 'note', text: 'a' }] }, // prettier-ignore
      { mixed: [{ id: '3', type: 'profile', bio: 'a' }, { id: '4', type: 'profile', bio: 'b' }] }, // prettier-ignore
      ['3', undefined],
    ],
    [
      'is of the same class as the one in the answer',
      { mixed: [{ type: 'note', text: 'a' }, { type: 'profile', text: 'a' }] }, // prettier-ignore
      { mixed: [{ id: '2', type: 'profile', text: 'a' }, { id: '1', type: 'note', text: 'a' }] }, // prettier-ignore
      ['1', '2'],
    ],
    [
      'is not of another class because it is the only one that is left',
      { mixed: [{ id: '3', type: 'profile', bio: 'a' }, { type: 'note', text: 'a' }] }, // prettier-ignore
      { mixed: [{ id: '3', type: 'profile', bio: 'a' }, { id: '4', type: 'profile', bio: 'b' }] }, // prettier-ignore
      [undefined],
    ],
    [
      'has the dates that were sent, as texts',
      { lines: [{ due: new Date(0) }, { due: new Date(1) }] },
      { lines: [{ id: '2', due: new Date(1).toJSON() }, { id: '1', due: new Date(0).toJSON() }] }, // prettier-ignore
      ['1', '2'],
    ],
  ];
  test.each(cases)('%s', (_what, sent, answered, pks) => {
    expect(pksOf(sent, answered)).toEqual(pks);
  });

  test('is found with work that grows with the length of the list', () => {
    let calls = 0;
    class Counted extends Date {
      override toJSON(): string {
        calls++;
        return super.toJSON();
      }
    }
    const times = Array.from({ length: 300 }, (_, at) => at);
    const lines = times.map((at) => ({ due: new Counted(at) }));
    const answered = times.map((at) => ({ id: `${at}`, due: new Date(at).toJSON() })).reverse();
    expect(pksOf({ lines }, { lines: answered })).toEqual(times.map(String));
    expect(calls).toBeLessThan(4 * times.length);
  });
});
