import { describe, expect, it } from 'vitest';
import { Todo } from '../../../tests/model.ts';
import { type DenormalizeDelegate, schema as schemas, Store, Union, Values } from '../../index.ts';

/** The schemas as readers of the response of one request, which the first of them has stored. */
function readBy(response: unknown, ...readers: readonly unknown[]): readonly unknown[] {
  const store = new Store();
  store.write(readers[0], response, { resultKey: 'k' });
  return readers.map((schema) => store.readRequest({ key: 'k', schema }).value);
}

describe('readers of one response', () => {
  it.each([
    ['objects', () => ({ todo: Todo, list: [Todo] })],
    ['maps', () => new Values([Todo])],
    ['lists of unions', () => [new Union({ todo: Todo }, () => 'todo')]],
  ])('get the same object if their schemas are equal %s', (_kind, make) => {
    const [one, other] = readBy(_kind === 'lists of unions' ? [{ id: '1' }] : { list: [{ id: '1' }] }, make(), make());
    expect(one).toBeDefined();
    expect(other).toBe(one);
  });

  it('each get the value of their own function', () => {
    const year = (text: string): number => Number(text.slice(0, 4));
    const month = (text: string): number => Number(text.slice(5, 7));
    expect(readBy({ at: '2026-05-01' }, { at: year }, { at: month })).toEqual([{ at: 2026 }, { at: 5 }]);
    expect(readBy({ at: ['2026-05-01'] }, { at: [year] }, { at: [month] })).toEqual([{ at: [2026] }, { at: [5] }]);
  });

  it('each get the value of their own schema, also if both are of one class of the application', () => {
    class Scaled extends schemas.Object {
      readonly #factor: number;
      constructor(factor: number) {
        super({});
        this.#factor = factor;
      }
      override denormalize(stored: { readonly count: number }, _delegate: DenormalizeDelegate): never {
        return { count: stored.count * this.#factor } as never;
      }
    }
    expect(readBy({ count: 5 }, new Scaled(1), new Scaled(10))).toEqual([{ count: 5 }, { count: 50 }]);
  });

  it('whose schemas have the same members, but are of different kinds, do not read what the other one has stored', () => {
    const map = { todo: Todo };
    const kind = (): 'todo' => 'todo';
    const [object, values, union] = readBy({ todo: { id: '1' } }, map, new Values(map, kind), new Union(map, kind));
    expect(object).toEqual({ todo: expect.any(Todo) });
    expect([values, union]).toEqual([undefined, undefined]);
  });

  it('get the same object if their equal schemas are nested 390 deep', () => {
    const nested = (): unknown => Array.from({ length: 390 }).reduce((schema) => ({ inner: schema }), Todo);
    const response = Array.from({ length: 390 }).reduce((inner) => ({ inner }), { id: '1' });
    const [one, other] = readBy(response, nested(), nested());
    expect(one).toBeDefined();
    expect(other).toBe(one);
  });
});
