import { describe, expect, it } from 'vitest';
import { Entity } from '../../src/define/schema/entity.ts';
import type { Queryable } from '../../src/define/schema/infer-schema.ts';
import { Store } from '../../src/state/store/store.ts';
import { DataError } from '../../src/std/data-error.ts';

/** The data that the laws need about a schema. */
export interface LawfulSchema {
  /** The schema, a new one for each call. */
  readonly schema: () => unknown;
  /** A response for it, a new one for each call: at least one record with an `id`, a `name` and members of the schema. */
  readonly response: () => unknown;
  readonly args?: readonly unknown[];
  /** The source of the value. Default: the data that was stored for the request. */
  readonly isQueried?: boolean;
  /** The entities and pks of the records in the response from which the value is built. */
  readonly part: { readonly entity: { readonly key: string }; readonly pk: string; readonly record: object };
  /** The value after that part was deleted. */
  readonly withoutPart: unknown;
  /** Responses of another shape. */
  readonly wrong: readonly unknown[];
}

class Unrelated extends Entity {
  id = '';
  static override key = 'Unrelated';
}

interface Written {
  readonly store: Store;
  readonly write: (response: unknown) => unknown;
  readonly read: () => unknown;
}

/** Every schema keeps these; its own test calls this first. */
export function keepsTheSchemaLaws(lawful: LawfulSchema): void {
  const { part, args = [] } = lawful;

  function given(response: unknown): Written {
    const store = new Store();
    const schema = lawful.schema();
    const write = (input: unknown): unknown => store.write(schema, input, { args, resultKey: 'request' });
    write(response);
    const live = lawful.isQueried === true ? store.query(schema as Queryable, args) : store.resultView('request');
    return { store, write, read: () => live.current() };
  }

  describe('keeps the laws of every schema:', () => {
    it('returns the same object until data in it changes', () => {
      const { store, write, read } = given(lawful.response());
      const before = read();

      store.write(Unrelated, { id: '1' });
      write(lawful.response());

      expect(before).not.toBeUndefined();
      expect(read()).toBe(before);
    });

    it('gives another object when a part of it has changed, and what was read before stays as it was', () => {
      const { store, read } = given(lawful.response());
      const before = read();
      const copy = JSON.stringify(before);

      store.write(part.entity, { ...part.record, name: 'changed' });

      expect(read()).not.toBe(before);
      expect(JSON.stringify(read())).toContain('changed');
      expect(JSON.stringify(before)).toBe(copy);
    });

    it('leaves its input as it was', () => {
      const response = deepFreeze(lawful.response());
      const before = structuredClone(response);

      given(response);

      expect(response).toEqual(before);
    });

    it('reads what the contract says when a part was deleted', () => {
      const { store, read } = given(lawful.response());

      store.invalidate(part.entity, part.pk);

      expect(read()).toEqual(lawful.withoutPart);
    });

    it('writes null and undefined unchanged', () => {
      const store = new Store();
      expect(store.write(lawful.schema(), null, { args })).toBeNull();
      expect(store.write(lawful.schema(), undefined, { args })).toBeUndefined();
    });

    it('refuses a response of another shape with an error that has a code, and the store stays as it was', () => {
      for (const wrong of lawful.wrong) {
        const { store, write, read } = given(lawful.response());
        const before = read();
        expect(() => write(wrong)).toThrow(DataError);
        expect(read()).toBe(before);
        expect(store.stats().rows).toBe(given(lawful.response()).store.stats().rows);
      }
    });

    it('does not let hostile field names change classes and prototypes', () => {
      const { store, read } = given(withHostileFields(lawful.response()));
      const row = store.row(part.entity.key, part.pk);

      JSON.stringify(read());

      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      expect((row as Record<string, unknown>)['polluted']).toBeUndefined();
      expect(Object.prototype.toString.call(read())).toMatch(/^\[object (Object|Array|String)\]$/);
      expect(typeof Object.prototype.hasOwnProperty).toBe('function');
    });

    it('stores plain data only', () => {
      const { store } = given(lawful.response());
      const row = store.row(part.entity.key, part.pk);
      expect(JSON.parse(JSON.stringify(row))).toEqual(row);
      const stored = store.result('request')?.stored;
      if (stored !== undefined) expect(JSON.parse(JSON.stringify(stored))).toEqual(stored);
    });
  });
}

const HOSTILE = '"__proto__":{"polluted":true},"constructor":"x","toString":1,"hasOwnProperty":null,"valueOf":[]';

/** Puts names of members of `Object.prototype` into each record. */
function withHostileFields(response: unknown): unknown {
  return JSON.parse(JSON.stringify(response).replaceAll('{"id":', `{${HOSTILE},"id":`));
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null)
    for (const member of Object.values(Object.freeze(value))) deepFreeze(member);
  return value;
}
