import { Collection, Entity, Invalidate, Store } from '../../src/index.ts';
import { Random } from './random.ts';

class Owner extends Entity {
  id = '';
  name = '';
  static override key = 'Owner';
}

class Item extends Entity {
  id = '';
  label = 0;
  owner: Owner | undefined = undefined;
  static override key = 'Item';
  static override schema = { owner: Owner };
}

class Shelf extends Entity {
  id = '';
  items: readonly Item[] = [];
  static override key = 'Shelf';
  static override schema = { items: [Item] };
}

const items = new Collection([Item]);
const ITEMS = 150;
const OWNERS = 3;

interface PlainItem {
  readonly id: string;
  readonly label: number;
  readonly owner: string;
}

/**
 * Changes long lists, and records that hundreds of others contain. At these sizes the store uses other algorithms than for small data.
 * Returns the first fault, if there is one.
 */
export function runWide(seed: number, steps: number): string | undefined {
  const shelf = new WideShelf(new Random(seed));
  for (let step = 0; step < steps; step++) {
    const did = shelf.change();
    const wrong = shelf.compare();
    if (wrong !== undefined) return `seed ${seed}, step ${step} (${did}): ${wrong}`;
  }
  return undefined;
}

class WideShelf {
  readonly #random: Random;
  readonly #store = new Store({ frozen: true });
  readonly #truth = new Map<string, PlainItem>();
  readonly #owners = new Map<string, string>();
  /** The members of the collection, which deleted records leave, and of a shelf, which keeps them as gaps. */
  #listed: string[] = [];
  #shelved: string[] = [];
  #seen: { readonly listed: readonly Item[]; readonly text: string } | undefined;

  constructor(random: Random) {
    this.#random = random;
    for (let at = 0; at < OWNERS; at++) this.#owners.set(`o${at}`, 'a');
    this.#store.write(
      [Owner],
      [...this.#owners].map(([id, name]) => ({ id, name })),
    );
    this.#writeItems(ITEMS);
    this.#writeLists();
  }

  /** Makes a random change. Returns its description. */
  change(): string {
    const what = this.#random.weighted({ items: 5, members: 5, both: 2, owner: 1, remove: 2, push: 1 });
    if (what === 'items' || what === 'both') this.#writeItems(this.#random.pick([1, 3, 70, 120]));
    if (what === 'members' || what === 'both') {
      const times = this.#random.pick([1, 1, 2, 20]);
      for (let time = 0; time < times; time++) this.#splice();
      this.#writeLists();
    }
    if (what === 'owner') this.#writeOwner();
    if (what === 'remove') this.#remove();
    if (what === 'push') this.#push();
    return what;
  }

  #anyId(): string {
    return `i${this.#random.below(ITEMS + 20)}`;
  }

  #drawItem(id: string): PlainItem {
    return { id, label: this.#random.below(3), owner: `o${this.#random.below(OWNERS)}` };
  }

  #writeItems(count: number): void {
    const written = Array.from({ length: count }, () => this.#drawItem(this.#anyId()));
    for (const item of written) this.#truth.set(item.id, item);
    this.#store.write([Item], written);
  }

  /** Replaces a range of the list by other members. */
  #splice(): void {
    const at = this.#random.below(this.#listed.length + 1);
    const added = Array.from({ length: this.#random.pick([0, 1, 2, 80]) }, () => this.#anyId());
    this.#listed.splice(at, this.#random.pick([0, 1, 2, 60]), ...added);
    if (this.#listed.length > 300) this.#listed.length = 200;
  }

  #writeLists(): void {
    this.#shelved = [...this.#listed];
    this.#store.write(items, [...this.#listed], { args: [] });
    this.#store.write(Shelf, { id: 's', items: [...this.#shelved] });
  }

  #writeOwner(): void {
    const id = `o${this.#random.below(OWNERS)}`;
    const name = this.#random.pick(['a', 'b', 'c']);
    this.#owners.set(id, name);
    this.#store.write(Owner, { id, name });
  }

  #remove(): void {
    const ids = Array.from({ length: this.#random.pick([1, 2, 70]) }, () => this.#anyId());
    for (const id of ids) this.#truth.delete(id);
    this.#listed = this.#listed.filter((id) => !ids.includes(id));
    this.#store.write([new Invalidate(Item)], ids);
  }

  #push(): void {
    const item = this.#drawItem(this.#anyId());
    this.#truth.set(item.id, item);
    if (!this.#listed.includes(item.id)) this.#listed.push(item.id);
    this.#store.write(items.push, item, { args: [] });
  }

  /** Compares all values after some of the changes. Returns the first fault, if there is one. */
  compare(): string | undefined {
    if (this.#random.chance(0.3)) return undefined;
    const listed = this.#store.get(items) as readonly Item[];
    const shelf = this.#store.get(Shelf, { id: 's' }) as Shelf;
    return (
      this.#compareList('the collection', listed, this.#listed) ??
      this.#compareList('the shelf', shelf.items, this.#shelved) ??
      this.#compareIdentity(listed)
    );
  }

  #compareList(name: string, actual: readonly Item[], ids: readonly string[]): string | undefined {
    const expected = ids.filter((id) => this.#truth.has(id));
    if (actual.length !== expected.length) return `${name} has ${actual.length} members instead of ${expected.length}`;
    for (const [at, id] of expected.entries()) {
      const item = actual[at];
      const { label, owner } = this.#truth.get(id) as PlainItem;
      if (item?.id !== id || item.label !== label || item.owner?.name !== this.#owners.get(owner))
        return `${name} has ${item?.id} (${item?.label}, ${item?.owner?.name}) instead of ${id} at ${at}`;
      if (item !== this.#store.get(Item, { id }) || item.owner !== this.#store.get(Owner, { id: owner }))
        return `${name} has another object of ${id} than the other readers`;
    }
    return Object.isFrozen(actual) ? undefined : `${name} is not frozen`;
  }

  #compareIdentity(listed: readonly Item[]): string | undefined {
    const text = JSON.stringify(listed);
    const before = this.#seen;
    this.#seen = { listed, text };
    if (before === undefined || (before.listed === listed) === (before.text === text)) return undefined;
    if (before.listed === listed) return 'the collection has changed inside';
    // A value that changed and changed back counts as changed.
    return listed.every((item, at) => item === before.listed[at])
      ? 'the collection is another object for nothing'
      : undefined;
  }
}
