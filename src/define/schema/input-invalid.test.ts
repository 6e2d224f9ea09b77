import { describe, expect, it } from 'vitest';
import { Store } from '../../state/store/store.ts';
import { All } from './all.ts';
import { ArraySchema } from './array.ts';
import { Collection } from './collection.ts';
import { collectionPk } from './collection-key.ts';
import { Entity } from './entity.ts';
import { inputInvalid } from './input-invalid.ts';
import { Invalidate } from './invalidate.ts';
import { ObjectSchema } from './object.ts';
import { Query } from './query.ts';
import { Scalar } from './scalar.ts';
import { Union } from './union.ts';
import { Values } from './values.ts';

class Rate extends Entity {
  id = '';
  static override key = 'Rate';
}
/** A function with a method `key`, as endpoints are. */
const getRate = Object.assign(() => Promise.resolve({ id: '1' }), { key: () => 'GET /rate' });
const cells = new Scalar({ lens: () => 'A', key: 'portfolio', entity: Rate });

it.each([
  [null, 'has null'],
  [[], 'has a list'],
  ['text', 'has a value of type string'],
  [{}, 'has a value of type object'],
])('the error says what the response has instead: %o', (input, found) => {
  const error = inputInvalid('A map', input, 'Rate');
  expect(error.message).toContain(`A map was expected, but the response ${found}.`);
  expect([error.code, error.entity]).toEqual(['input-invalid', 'Rate']);
});

it.each<[unknown, unknown, string]>([
  [new ArraySchema(Rate), 'text', 'A list was expected'],
  [new Values(Rate), 'text', 'A map was expected'],
  [new ObjectSchema({ rate: Rate }), [], 'An object was expected'],
  [new Invalidate(Rate), true, 'A Rate or its pk was expected'],
  [cells, 5, 'An object of fields was expected'],
  [
    new Union({ rate: Rate, other: Rate }, () => 'rate'),
    [],
    'A Union of rate, other is one record, but the response has a list. Put the Union into [ ], or into a Collection.',
  ],
  [[Rate], { id: '1' }, 'A list was expected, but the response has one record with id. Use Rate as the schema.'],
  [new ArraySchema(Rate), { id: '1' }, 'one record with id'],
  [Rate, [], 'Rate is one record, but the response has a list. Use [Rate] or a Collection.'],
])('the error says what was expected: %o of %o', (schema, input, expected) => {
  expect(() => new Store().write(schema, input)).toThrow(expected);
  expect(() => new Store().write(schema, input)).toThrow(expect.objectContaining({ code: 'input-invalid' }));
});

it.each([[[Rate]], [new ArraySchema(Rate)], [new Collection([Rate])]])(
  'the error names the members of an object that contains the list, and the schema that fits the object: %o',
  (schema) => {
    const envelope = { total: 1, rates: [{ id: '1' }] };
    const write = (): unknown => new Store().write(schema, envelope, { args: [{}] });
    expect(write).toThrow('A list was expected, but the response has an object with total, rates.');
    expect(write).toThrow('Use { rates: [Rate] } as the schema');
    expect(write).toThrow(expect.objectContaining({ code: 'input-invalid', entity: '[Rate]' }));
  },
);

describe('one record in place of a list of records is not read as the list of its fields', () => {
  class Author extends Entity {
    id = '';
    static override key = 'Author';
  }
  class Article extends Entity {
    id = '';
    title = '';
    author = new Author();
    notes: readonly unknown[] = [];
    static override key = 'Article';
    static override schema = { author: Author };
  }

  it.each<[string, object]>([
    ['a nested record', { id: '1', title: 'a', author: { id: '7' } }],
    ['a nested object', { id: '1', seo: { robots: 'none' } }],
    ['a list that its class declares', { id: '1', title: 'a', notes: [{ id: '2' }] }],
  ])('if it has %s', (_, record) => {
    const store = new Store();
    for (const schema of [[Article], new ArraySchema(Article)]) {
      const said = `the response has one record with ${Object.keys(record).join(', ')}. Use Article as the schema.`;
      expect(() => store.write(schema, record)).toThrow(said);
    }
    expect(store.get(Article, { id: '7' })).toBeUndefined();
  });

  it('and the error names the list, if the class declares no such field', () => {
    const page = { id: 'page 1', articles: [{ id: '1' }] };
    expect(() => new Store().write([Article], page)).toThrow('Use { articles: [Article] } as the schema');
  });

  it('but a map of records and null is', () => {
    expect(new Store().write([Article], { id: { id: '1', title: 'a' }, author: null })).toEqual(['1', null]);
  });
});

it('the error names the path to a nested list, unless the list is in a record', () => {
  const store = new Store();
  const expected =
    "Use { data: { rates: [Rate] } } as the schema; for a resource, wire: envelope({ many: 'data.rates' }).";
  expect(() => store.write([Rate], { meta: {}, data: { rates: [{ id: '1' }] } })).toThrow(expected);
  expect(store.write([Rate], { a: { id: '1', tags: [] } })).toEqual(['1']);
});

it('the error is the same for a list schema of your own', () => {
  class Own<S> extends ArraySchema<S> {}
  const store = new Store();
  expect(() => store.write(new Own(Rate), { rates: [] })).toThrow('Use { rates: [Rate] } as the schema');
  expect(store.write(new Own(Rate), { a: { id: '1' } })).toEqual(['1']);
  expect(store.write(new Own([Rate]), { a: [{ id: '1' }] })).toEqual([['1']]);
});

it('an object is read as the list of its values if the values are records, or if the schema allows lists in it', () => {
  const store = new Store();
  expect(store.write([Rate], { a: { id: '1' }, b: { id: '2' } })).toEqual(['1', '2']);
  expect(store.write(new ArraySchema(Rate), { a: { id: '1' } })).toEqual(['1']);
  expect(store.write([[Rate]], { a: [{ id: '1' }] })).toEqual([['1']]);
  expect(store.write(new ArraySchema({ rate: Rate }, 'kind' as never), { a: [1] })).toEqual([[1]]);
});

it.each([
  [() => new Scalar({ lens: () => undefined, key: 'k' }), 'Scalar(k) found no lens in the arguments.'],
  [() => new Scalar({ lens: () => 'A', key: 'k' }), 'Scalar(k) is used outside of an entity'],
])('the error names the part that a Scalar value lacks, and the Scalar: %#', (schema, message) => {
  const write = (): unknown => new Store().write(schema(), { share: 1 });
  expect(write).toThrow(message);
  expect(write).toThrow(expect.objectContaining({ entity: 'Scalar(k)' }));
});

it.each<[() => unknown, string]>([
  [
    () => new Collection(Rate as never),
    'The schema of a Collection is not valid: it is no list and no map. Pass [Entity]',
  ],
  [
    () => new ArraySchema(undefined as never),
    'A schema was made of undefined. Pass a class or another schema. If modules import each other',
  ],
  [() => new Values(5 as never), 'A schema was made of 5. Pass a class or another schema, such as [Post].'],
  [
    () => new Values(getRate as never),
    'A schema was made of an endpoint. Pass the schema of the endpoint: its member schema.',
  ],
  [
    () => new All(getRate as never),
    'A schema was made of an endpoint. Pass the schema of the endpoint: its member schema.',
  ],
  [
    () => new Query(getRate as never, () => 1),
    'A schema was made of an endpoint. Pass the schema of the endpoint: its member schema.',
  ],
  [() => new Query('Rate' as never, () => 1), 'A schema was made of Rate. Pass a class or another schema'],
  [
    () => new Query(undefined as never, () => 1),
    'A schema was made of undefined. Pass a class or another schema. If modules import each other',
  ],
  [() => new Invalidate('Rate' as never), 'The schema of Invalidate is not valid'],
  [() => new Invalidate({ rate: 'Rate' } as never, 'kind' as never), 'The schema of Invalidate (rate) is not valid'],
  [
    () => new Store().write([Rate, Rate], []),
    'A list in a schema takes one entry, not 2. For items of several kinds use a Union.',
  ],
  [() => class extends Entity {}.key, 'An entity class without a name has no table.'],
  [() => collectionPk(5, '[Rate]'), 'The key of a collection [Rate] is 5.'],
  [() => collectionPk({ at: { big: 5n } }, '[Rate]'), 'The key of a collection [Rate] is not plain data.'],
])('the error says what is wrong with a schema: %#', (use, message) => {
  expect(use).toThrow(message);
});

it.each<[object, string]>([
  [{ error: 'No' }, 'has an object with error. Return the list from process() of the endpoint, or throw there'],
  [{ message: 'No', code: 7 }, 'throw new Error(value.message)'],
  [{ ok: false }, 'has an object with ok.'],
  [{ rates: null }, 'has an object with rates.'],
  [{ code: 7, error: 'No' }, 'throw new Error(value.error)'],
  [{ id: '1', message: 'Hello' }, 'has one record with id, message. Use Rate as the schema.'],
])('a report of a failure or of an empty result is not read as a list: %o', (response, said) => {
  for (const schema of [[Rate], new ArraySchema(Rate), new Collection([Rate])])
    expect(() => new Store().write(schema, response, { args: [{}] })).toThrow(said);
});

it('a map of pks is read as the list of these pks, also by a class with a pk() of its own', () => {
  class Strict extends Entity {
    value = '';
    static override key = 'Strict';
    static override pk(input: { readonly value: string }): string {
      return input.value.trim();
    }
  }
  expect(new Store().write([Strict], { a: '1', b: '2' })).toEqual(['1', '2']);
  expect(new Store().write([Rate], {})).toEqual([]);
});
