import { Collection, Entity, Invalidate, type Layer, Store, Union, Values } from '../../src/index.ts';
import { Random } from './random.ts';
import { addGuess } from '../../src/state/store/layer.ts';

class Odd extends Entity {
  id = '';
  kind = 'odd';
  label = 0;
  static override key = 'Odd';
}
class Even extends Entity {
  id = '';
  kind = 'even';
  label = 0;
  static override key = 'Even';
}
type Item = Odd | Even;

const item = new Union({ odd: Odd, even: Even }, 'kind');
const list = new Collection([item]);
const map = new Collection(new Values(item));
const stored = new Values(item);
const RESULT = 'GET /items';
const ITEMS = 150;
const GROUPS = 12;

/** A change that is written, or guessed and then confirmed or dropped. */
interface Change {
  readonly what: 'change' | 'push' | 'assign' | 'delete';
  readonly id: string;
  readonly label: number;
  readonly name: string;
  readonly group: string;
}

/** The expected content, in plain arrays and maps. */
interface Truth {
  readonly items: Map<string, number>;
  readonly lists: Map<string, string[]>;
  readonly maps: Map<string, Map<string, string>>;
}

const kindOf = (id: string): 'odd' | 'even' => (Number(id.slice(1)) % 2 === 1 ? 'odd' : 'even');
const inputOf = (id: string, label: number): object => ({ id, label, kind: kindOf(id) });
const groups = Array.from({ length: GROUPS }, (_, at) => `g${at}`);
const names = Array.from({ length: ITEMS }, (_, at) => [`n${at}`, `i${at}`] as const);

/**
 * Changes long lists and maps of several kinds, in many collections and with many guesses. After every change, their content must equal
 * plain arrays and maps. Returns the first fault, if there is one.
 */
export function runWideKinds(seed: number, steps: number): string | undefined {
  const tested = new WideKinds(new Random(seed));
  for (let step = 0; step < steps; step++) {
    const did = tested.change();
    const wrong = tested.compare();
    if (wrong !== undefined) return `seed ${seed}, step ${step} (${did}): ${wrong}`;
  }
  return undefined;
}

class WideKinds {
  readonly #random: Random;
  readonly #store = new Store({ frozen: true });
  readonly #confirmed: Truth;
  readonly #pending: { readonly change: Change; readonly layer: Layer }[] = [];
  readonly #seen = new Map<string, object>();

  constructor(random: Random) {
    this.#random = random;
    const ids = names.map(([, id]) => id);
    const all = ids.map((id) => inputOf(id, 0));
    const byName = Object.fromEntries(names.map(([name, id]) => [name, inputOf(id, 0)]));
    for (const group of groups) {
      this.#store.write(list, all, { args: [{ group }] });
      this.#store.write(map, byName, { args: [{ group }] });
    }
    this.#store.write(stored, byName, { resultKey: RESULT });
    this.#confirmed = {
      items: new Map(ids.map((id) => [id, 0])),
      lists: new Map(groups.map((group) => [group, [...ids]])),
      maps: new Map(groups.map((group) => [group, new Map(names)])),
    };
  }

  /** Makes a random change. Returns its description. */
  change(): string {
    const what = this.#random.weighted({ write: 4, batch: 1, guess: 4, confirm: 2, drop: 2 });
    if (what === 'write') this.#write(1);
    if (what === 'batch') this.#store.batch(() => this.#write(this.#random.pick([2, 70])));
    if (what === 'guess') this.#guess(this.#random.pick([1, 1, 20]));
    if (this.#pending.length === 0) return what;
    if (what === 'confirm' || what === 'drop') {
      const [{ change, layer } = raise()] = this.#pending.splice(this.#random.below(this.#pending.length), 1);
      if (what === 'drop') layer.drop();
      else {
        layer.confirm(...requestOf(change));
        carryOut(this.#confirmed, change);
      }
    }
    return what;
  }

  #draw(): Change {
    return {
      what: this.#random.weighted({ change: 3, push: 2, assign: 2, delete: 2 }),
      id: `i${this.#random.below(ITEMS + 20)}`,
      label: this.#random.below(3),
      name: `n${this.#random.below(ITEMS + 20)}`,
      group: this.#random.pick(groups),
    };
  }

  #write(count: number): void {
    for (let time = 0; time < count; time++) {
      const change = this.#draw();
      this.#store.write(...requestOf(change));
      carryOut(this.#confirmed, change);
    }
  }

  #guess(count: number): void {
    for (let time = 0; time < count; time++) {
      const change = this.#draw();
      const [schema, response, options] = requestOf(change);
      this.#pending.push({ change, layer: addGuess(this.#store, () => ({ schema, response, ...options })) });
    }
  }

  /** Compares some values after some of the changes. Returns the first fault, if there is one. */
  compare(): string | undefined {
    if (this.#random.chance(0.3)) return undefined;
    const truth = copyOf(this.#confirmed);
    for (const { change } of this.#pending) {
      // A guessed deletion hides the record. The list keeps it in its place.
      if (change.what === 'delete') truth.items.delete(change.id);
      else carryOut(truth, change);
    }
    const group = this.#random.pick(groups);
    const listed = this.#store.get(list, { group }) as readonly Item[];
    const mapped = this.#store.get(map, { group }) as Readonly<Record<string, Item>>;
    const result = this.#store.resultView(RESULT, stored).current() as Readonly<Record<string, Item>>;
    const ids = (truth.lists.get(group) ?? []).filter((id) => truth.items.has(id));
    return (
      this.#compareOne(`the list of ${group}`, listed, ids.map((id, at) => [`${at}`, id]), truth) ??
      this.#compareOne(`the map of ${group}`, mapped, [...(truth.maps.get(group) ?? [])], truth) ??
      this.#compareOne('the result', result, names, truth)
    ); // prettier-ignore
  }

  #compareOne(
    what: string,
    shown: object,
    expected: readonly (readonly [name: string, id: string])[],
    { items }: Truth,
  ): string | undefined {
    const entries = new Map(Object.entries(shown) as [string, Item][]);
    const there = expected.filter(([, id]) => items.has(id));
    if (entries.size !== there.length) return `${what} has ${entries.size} members instead of ${there.length}`;
    for (const [name, id] of there) {
      const found = entries.get(name);
      if (found?.id !== id || found.label !== items.get(id))
        return `${what} has ${found?.id} (${found?.label}) instead of ${id} (${items.get(id)}) at ${name}`;
      if (found !== this.#store.get(kindOf(id) === 'odd' ? Odd : Even, { id }))
        return `${what} has another object of ${id} than the other readers`;
    }
    const before = this.#seen.get(what);
    this.#seen.set(what, shown);
    if (before !== undefined && before !== shown && isSame(before, shown))
      return `${what} is another object for nothing`;
    return Object.isFrozen(shown) ? undefined : `${what} is not frozen`;
  }
}

function requestOf({ what, id, label, name, group }: Change): [schema: unknown, response: unknown, { args: object[] }] {
  const options = { args: [{ group }] };
  const entity = kindOf(id) === 'odd' ? Odd : Even;
  if (what === 'delete') return [new Invalidate(entity), { id }, options];
  if (what === 'push') return [list.push, inputOf(id, label), options];
  if (what === 'assign') return [map.assign, { [name]: inputOf(id, label) }, options];
  return [entity, inputOf(id, label), options];
}

function carryOut({ items, lists, maps }: Truth, { what, id, label, name, group }: Change): void {
  if (what !== 'delete') {
    items.set(id, label);
    const members = lists.get(group) ?? [];
    if (what === 'push' && !members.includes(id)) members.push(id);
    if (what === 'assign') maps.get(group)?.set(name, id);
    return;
  }
  items.delete(id);
  for (const [of, members] of lists) lists.set(of, members.filter((member) => member !== id)); // prettier-ignore
  for (const entries of maps.values()) for (const [of, member] of entries) if (member === id) entries.delete(of);
}

function copyOf({ items, lists, maps }: Truth): Truth {
  return {
    items: new Map(items),
    lists: new Map(Array.from(lists, ([group, members]) => [group, [...members]])),
    maps: new Map(Array.from(maps, ([group, entries]) => [group, new Map(entries)])),
  };
}

function isSame(one: object, other: object): boolean {
  const entries = Object.entries(one);
  return (
    entries.length === Object.keys(other).length && entries.every(([name, value]) => Reflect.get(other, name) === value)
  );
}

function raise(): never {
  throw new Error('Nothing is pending.');
}
