import { describe, expect, it } from 'vitest';
import { keepsTheSchemaLaws } from '../../../tests/laws/schema-laws.ts';
import { Store } from '../../state/store/store.ts';
import { Entity } from './entity.ts';
import type { Loose } from './infer-schema.ts';
import type { DenormalizeDelegate } from './delegate.ts';
import { Union } from './union.ts';
import { Values } from './values.ts';

class Rate extends Entity {
  id = '';
  name = '';
  static override key = 'Rate';
}
class Fee extends Entity {
  id = '';
  type = 'fee';
  static override key = 'Fee';
}

describe('a map of one class', () => {
  keepsTheSchemaLaws({
    schema: () => new Values(Rate),
    response: () => ({ usd: { id: '1', name: 'Dollar' }, eur: { id: '2', name: 'Euro' } }),
    part: { entity: Rate, pk: '1', record: { id: '1', name: 'Dollar' } },
    withoutPart: { eur: { id: '2', name: 'Euro' } },
    wrong: ['text', 5, { usd: {} }],
  });
});

describe('a map of several classes', () => {
  keepsTheSchemaLaws({
    schema: () =>
      new Values({ rate: Rate, fee: Fee }, (record: { readonly name?: string }) => (record.name ? 'rate' : 'fee')),
    response: () => ({ usd: { id: '1', name: 'Dollar' }, fee: { id: '2' } }),
    part: { entity: Rate, pk: '1', record: { id: '1', name: 'Dollar' } },
    withoutPart: { fee: { id: '2', type: 'fee' } },
    wrong: ['text', { usd: { name: 'x' } }],
  });

  it('takes over the classes of a Union', () => {
    const schema = new Values(new Union({ fee: Fee }, 'type'));
    expect(schema.isPolymorphic).toBe(true);
    expect(new Store().write(schema, { a: { id: '1', type: 'fee' } })).toEqual({ a: { id: '1', schema: 'fee' } });
  });
});

it('Values leaves out entries that are null or undefined, and falsy ones on read', () => {
  const store = new Store();
  const schema = new Values(Number);
  const stored = store.write(schema, { a: '1', b: null, c: undefined, d: 0, e: '' });
  expect(stored).toEqual({ a: '1', d: 0, e: '' });
  expect(store.read(schema, stored)).toEqual({ a: 1 });
  expect(store.read(schema, { a: '0' })).toEqual({});
});

it('Values leaves out entries whose record was never stored', () => {
  expect(new Store().read(new Values(Rate), { usd: '404' })).toEqual({});
});

it('Values reads a list as a map by index, because some servers send an empty map as a list', () => {
  const store = new Store();
  expect(store.write(new Values(Rate), [])).toEqual({});
  expect(store.write(new Values(Rate), [{ id: '1' }])).toEqual({ 0: '1' });
});

it('Values may have an entry named __proto__', () => {
  const store = new Store();
  const schema = new Values(Rate);
  const stored = store.write(schema, JSON.parse('{"__proto__":{"id":"1"},"constructor":{"id":"2"}}'));
  const value = store.read(schema, stored) as Record<string, Rate>;
  expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});

it('Values gives each entry the map as its parent and its name as the key', () => {
  class Named extends Entity {
    name = '';
    override pk(parent?: unknown, key?: string): string | undefined {
      return parent === undefined ? this.name : key;
    }
  }
  const store = new Store();
  expect(store.write(new Values(Named), { usd: {} })).toEqual({ usd: 'usd' });
});

it('Values cannot be read without a request, and leaves other values as they are', () => {
  const schema = new Values(Rate);
  expect(schema.queryKey()).toBeUndefined();
  expect(schema.schema).toBe(Rate);
  expect(schema.denormalize('text', {} as never)).toBe('text');
  expect(schema.denormalize(null, {} as never)).toBeNull();
});

it('a map whose schema is a subclass of Values is read by that subclass, without the entries that it stored as undefined', () => {
  class Sparse extends Values<typeof Rate> {
    override normalize(): Loose {
      return { usd: '1', none: '' };
    }
    override denormalize(stored: unknown, delegate: DenormalizeDelegate): Record<string, Rate> {
      const rates: Record<string, Rate> = super.denormalize(stored, delegate);
      return { ...rates, first: Object.values(rates)[0] as Rate };
    }
  }
  const store = new Store();
  store.write(Rate, { id: '1', name: 'Dollar' });
  const schema = new Sparse(Rate);
  const stored = store.write(schema, {});
  expect(stored).toEqual({ usd: '1', none: '' });
  expect(store.read(schema, stored)).toEqual({ usd: store.get(Rate, '1'), first: store.get(Rate, '1') });
});

it('a map of a class of the application leaves out deleted, missing and falsy entries, as any other map does', () => {
  class Rates extends Values<typeof Rate> {}
  const store = new Store();
  const schema = { own: new Rates(Rate), usual: new Values(Rate) };
  const map = { a: { id: '1' }, b: { id: '2' }, c: '3', d: { id: '4' } };
  const stored = store.write(schema, { own: map, usual: map });
  store.invalidate(Rate, '2');
  const shown = { a: store.get(Rate, '1'), d: store.get(Rate, '4') };
  expect(store.read(schema, stored)).toEqual({ own: shown, usual: shown });
});
