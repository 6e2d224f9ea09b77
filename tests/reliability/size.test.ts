import { describe, expect, test } from 'vitest';
import { DataError, Entity, type Queryable, Store, dehydrate, hydrate } from '../../src/index.ts';

class Link extends Entity {
  id = '';
  next: unknown = undefined;
  others: unknown = [];
  data: unknown = undefined;
  static override key = 'Link';
  static override schema: Record<string, unknown> = {};
}
Link.schema = { next: Link, others: [Link] };

interface Chain {
  readonly id: string;
  readonly next: Chain | undefined;
}

/** Records nested in each other, the outermost first. */
function chain(length: number, field: 'next' | 'others'): Record<string, unknown> {
  let record: Record<string, unknown> = { id: String(length - 1) };
  for (let at = length - 2; at >= 0; at--) record = { id: String(at), [field]: field === 'next' ? record : [record] };
  return record;
}

function lengthOf(start: Chain): number {
  let length = 0;
  for (let link: Chain | undefined = start; link !== undefined; link = link.next) {
    if (!(link instanceof Link) || link.id !== String(length)) throw new Error(`link ${length} is broken`);
    length++;
  }
  return length;
}

describe('any depth', () => {
  test('a chain of 200 records is linked to its end', () => {
    const store = new Store();
    store.write(Link, chain(200, 'next'));

    expect(lengthOf(store.get(Link, { id: '0' }) as Chain)).toBe(200);
  });

  test('100,000 records nested in each other are stored, and linked to the end', () => {
    const store = new Store();
    store.write(Link, chain(100_000, 'next'));

    expect(lengthOf(store.get(Link, { id: '0' }) as Chain)).toBe(100_000);
    expect(store.stats().rows).toBe(100_000);
  });

  test('100,000 records, each in a list of the one before, are stored, and linked to the end', () => {
    const store = new Store();
    store.write(Link, chain(100_000, 'others'));

    let link = store.get(Link, { id: '0' });
    let length = 0;
    for (; link !== undefined; link = (link.others as Link[])[0]) length++;
    expect(length).toBe(100_000);
  });

  test('a change of the last of 100,000 records changes the first, and a deletion ends the chain there', () => {
    const store = new Store();
    store.write(Link, chain(100_000, 'next'));
    const before = store.get(Link, { id: '0' });

    store.write(Link, { id: '99999', data: 'changed' });
    const after = store.get(Link, { id: '0' });
    // This is not `toBe`, which would visit the chain by recursion to describe a difference.
    expect(after === before).toBe(false);
    store.invalidate(Link, '50000');

    expect(lengthOf(store.get(Link, { id: '0' }) as Chain)).toBe(50_000);
  });

  test('a circle of 100,000 records is read as a circle', () => {
    const store = new Store();
    const links = Array.from({ length: 100_000 }, (_, at) => ({ id: String(at), next: String((at + 1) % 100_000) }));
    store.write([Link], links);

    const first = store.get(Link, { id: '0' }) as Chain;
    let link: Chain | undefined = first;
    for (let at = 0; at < 100_000; at++) link = link?.next;
    expect(link).toBe(first);
  });

  test('a deep chain is equal after it was written to JSON and read back', () => {
    const store = new Store();
    store.write(Link, chain(20_000, 'next'));
    const other = new Store();
    hydrate(other, JSON.parse(JSON.stringify(dehydrate(store))));

    expect(lengthOf(other.get(Link, { id: '0' }) as Chain)).toBe(20_000);
  });
});

describe('what is too much', () => {
  test('plain data nested 100,000 levels deep is a typed error, and nothing is stored', () => {
    let data: unknown = 'the bottom';
    for (let level = 0; level < 100_000; level++) data = [data];
    const store = new Store();
    let thrown: unknown;
    try {
      store.write([Link], [{ id: '0' }, { id: '1', data }]);
    } catch (error) {
      thrown = error;
    }

    expect(thrown).toBeInstanceOf(DataError);
    expect((thrown as DataError).code).toBe('too-deep');
    expect((thrown as DataError).entity).toBe('Link');
    expect((thrown as DataError).path).toBe('[1].data');
    expect(store.stats().rows).toBe(0);
  });

  test('object schemas nested 10,000 levels deep are a typed error in each read of a request or query, and in a write', () => {
    let schema: unknown = Link;
    for (let level = 0; level < 10_000; level++) schema = { inner: schema };
    const store = new Store();
    const read = (): unknown => store.readRequest({ key: 'GET /deep', schema, infer: [] });

    for (const use of [read, read, () => store.get(schema as Queryable), () => store.write(schema, {})])
      expect(use).toThrow(expect.objectContaining({ code: 'too-deep' }) as Error);
  });

  test('plain data that contains itself is a typed error', () => {
    const data: Record<string, unknown> = {};
    data['self'] = data;

    expect(() => new Store().write(Link, { id: '1', data })).toThrow(DataError);
  });

  test('a response without a schema nested 100,000 levels deep is stored or refused, and never overflows the stack', () => {
    let response: unknown = 'the bottom';
    for (let level = 0; level < 100_000; level++) response = { inner: response };
    const store = new Store();
    try {
      store.write(undefined, response, { resultKey: 'GET /deep' });
      store.resultView('GET /deep').current();
    } catch (error) {
      expect(error).toBeInstanceOf(DataError);
    }
  });
});

describe('input that contains itself', () => {
  test('a record that refers to itself is stored once, and is read with a reference to itself', () => {
    const self: Record<string, unknown> = { id: '1' };
    self['next'] = self;
    const store = new Store();
    store.write(Link, self);

    const link = store.get(Link, { id: '1' }) as Link;
    expect(link.next).toBe(link);
    expect(store.row('Link', '1')).toEqual({ id: '1', next: '1' });
  });

  test('records in a circle through lists are linked as in the response', () => {
    const one: Record<string, unknown> = { id: '1' };
    const two: Record<string, unknown> = { id: '2', others: [one] };
    one['others'] = [two, one];
    const store = new Store();
    store.write(Link, one);

    const link = store.get(Link, { id: '1' }) as Link & { others: Link[] };
    expect(link.others[1]).toBe(link);
    expect((link.others[0] as Link & { others: Link[] }).others[0]).toBe(link);
  });
});
