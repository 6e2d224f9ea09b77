import { BigNumber } from 'bignumber.js';
import {
  All,
  Collection,
  DataError,
  Entity,
  Invalidate,
  Query,
  Store,
  Union,
  Values,
  dehydrate,
  hydrate,
} from '../../../src/index.ts';
import type { Payload } from './payload-list.ts';
import { addGuess } from '../../../src/state/store/layer.ts';

class Thing extends Entity {
  id = '';
  title: unknown = '';
  type = 'thing';
  indexed: unknown = undefined;
  data: unknown = undefined;
  owner: unknown = undefined;
  list: unknown = [];
  bag: unknown = [];
  map: unknown = {};
  any: unknown = undefined;
  box: unknown = undefined;
  date: unknown = new Date(0);
  decimal: unknown = BigNumber(0);
  static override key = 'Thing';
  static indexes = ['indexed'];
  static override schema: Record<string, unknown> = {};
}

const bag = new Collection([Thing], { nestKey: (parent: { id: string }) => ({ of: parent.id }) });
Thing.schema = {
  owner: Thing,
  list: [Thing],
  bag,
  map: new Values(Thing),
  any: new Union({ thing: Thing }, 'type'),
  box: { inner: Thing },
  date: (iso: string) => new Date(iso),
  decimal: BigNumber,
};
const every = new All(Thing);
const titles = new Query(every, (things: Thing[] | undefined) => things?.map((thing) => thing.title));

/** A broken promise. */
class Finding extends Error {}

/** The built-in objects that data must never change, and their members. */
const guarded: readonly object[] = [
  Object,
  Object.prototype,
  Function.prototype,
  Array.prototype,
  String.prototype,
  Number.prototype,
  Date.prototype,
  Map.prototype,
  Entity,
  Entity.prototype,
  Thing,
  Thing.prototype,
  Store,
  Store.prototype,
  Collection.prototype,
  bag,
];

function describeGuarded(): string {
  const text = (key: string | symbol, of: object): string => {
    const { value, get, set } = Object.getOwnPropertyDescriptor(of, key) ?? {};
    const shown = typeof value === 'object' && value !== null ? Object.keys(value).join() : String(value);
    return `${String(key)}=${shown.slice(0, 80)}${String(get).slice(0, 40)}${String(set).slice(0, 40)}`;
  };
  return guarded
    .map((of) =>
      Reflect.ownKeys(of)
        .map((key) => text(key, of))
        .join(';'),
    )
    .join('\n');
}

const canary = { id: 'canary', title: 'sings', list: ['canary'], indexed: 'yellow' };

function storeWithCanary(): Store {
  const store = new Store();
  store.write(Thing, canary);
  // Most payloads change this record, which is stored already.
  store.write(Thing, { id: '1', title: 'was here', data: { deep: [{}] } });
  Thing.defaults;
  return store;
}

/** Runs a function that may refuse its input with a typed error. Returns true if it accepted the input. */
function attempt(what: string, payload: Payload, run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch (error) {
    if (error instanceof DataError && error.code !== '' && error.message !== '') return false;
    const said = error instanceof Error ? `${error.name}: ${error.message}\n${error.stack}` : String(error);
    throw new Finding(`${what} of ${payload.name} threw something untyped: ${said}`);
  }
}

/** Reads all data, including every field. */
function readAll(store: Store): void {
  const things = store.get(every) as Thing[];
  store.get(titles);
  for (const thing of things) {
    if (!(thing instanceof Thing)) throw new Finding(`a record came back as ${Object.prototype.toString.call(thing)}`);
    if (typeof thing.pk !== 'function' || typeof thing.toString !== 'function' || thing.constructor !== Thing)
      throw new Finding('data took the place of a method');
    if ((thing as { isAdmin?: unknown }).isAdmin !== undefined && !Object.hasOwn(thing, 'isAdmin'))
      throw new Finding('data became an inherited field');
    `${thing}`;
    for (const value of Object.values(thing)) if (value instanceof Thing) void value.pk;
  }
}

/** No object in it has data for a prototype. */
function mustBePlain(state: unknown, what: string): void {
  const ahead = [state];
  const seen = new Set<unknown>();
  for (let value = ahead.pop(); ahead.length > 0 || value !== undefined; value = ahead.pop()) {
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && !Object.hasOwn(prototype as object, 'constructor'))
      throw new Finding(`${what} made data a prototype: ${JSON.stringify(prototype)}`);
    for (const inner of Object.values(value)) if (inner !== undefined) ahead.push(inner);
  }
}

function mustBeUnchanged(store: Store, what: string): void {
  const thing = store.get(Thing, { id: 'canary' });
  if (thing?.title !== 'sings' || (thing.list as unknown[])[0] !== thing)
    throw new Finding(`${what} harmed another record`);
  if (({} as { isAdmin?: unknown }).isAdmin !== undefined) throw new Finding(`${what} changed Object.prototype`);
}

/** Uses a hostile input in all ways on a store, and checks the promises after each. */
export function attack(payload: Payload): void {
  const before = describeGuarded();
  for (const [what, schema] of SCHEMAS) {
    const store = storeWithCanary();
    const rows = store.stats().rows;
    const went = attempt(what, payload, () =>
      store.write(schema, payload.make(), { args: [{ of: '1' }], resultKey: 'GET x' }),
    );
    if (!went && store.stats().rows !== rows)
      throw new Finding(`${what} of ${payload.name} failed, and left rows behind`);
    mustBeUnchanged(store, `${what} of ${payload.name}`);
    attempt(`the read after ${what}`, payload, () => readAll(store));
    if (payload.isJson === true)
      for (const { id } of store.get(every) ?? []) mustBePlain(store.row('Thing', id), `${what} of ${payload.name}`);
    attempt(`the result of ${what}`, payload, () => store.resultView('GET x').current());
    if (went) afterwards(store, payload, what, schema);
  }
  attempt('a question', payload, () => new Store().get(Thing, payload.make() as string));
  attempt('a question for a list', payload, () => storeWithCanary().get(bag, payload.make() as { of: string }));
  attempt('a deletion by pk', payload, () => storeWithCanary().invalidate(Thing, payload.make() as string));
  attempt('hydrate', payload, () => hydrate(storeWithCanary(), payload.make()));
  if (describeGuarded() !== before) throw new Finding(`${payload.name} changed a prototype or a class`);
}

const SCHEMAS: readonly (readonly [string, unknown])[] = [
  ['write', Thing],
  ['write of a list', [Thing]],
  ['write of a collection', bag],
  ['push', bag.push],
  ['write of a map', new Values(Thing)],
  ['write of a union', new Union({ thing: Thing }, 'type')],
  ['write of an object', { inner: Thing, list: [Thing] }],
  ['deletion', new Invalidate(Thing)],
];

function afterwards(store: Store, payload: Payload, what: string, schema: unknown): void {
  attempt(`${what}, a second time,`, payload, () => store.write(schema, payload.make(), { args: [{ of: '1' }] }));
  attempt(`the read after the second ${what}`, payload, () => readAll(store));
  attempt(`a guess by ${what}`, payload, () => {
    const layer = addGuess(store, () => ({ schema, response: payload.make(), args: [{ of: '1' }] }));
    readAll(store);
    layer.drop();
  });
  attempt(`dehydrate after ${what}`, payload, () => {
    const text = textOf(dehydrate(store));
    if (text === undefined) return;
    const other = new Store();
    hydrate(other, JSON.parse(text));
    readAll(other);
    mustBeUnchanged(other, `hydrate after ${what} of ${payload.name}`);
  });
  attempt(`deletion after ${what}`, payload, () => {
    for (const thing of [...(store.get(every) as Thing[])])
      if (thing.id !== 'canary') store.invalidate(Thing, thing.id);
    readAll(store);
  });
  mustBeUnchanged(store, `what followed ${what} of ${payload.name}`);
}

/** `undefined` if a value is stored that JSON cannot represent. */
function textOf(state: unknown): string | undefined {
  try {
    return JSON.stringify(state);
  } catch {
    return undefined;
  }
}
