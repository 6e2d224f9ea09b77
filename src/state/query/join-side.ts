import { checkArgument } from '../../define/query/check-argument.ts';
import { isLacking, keyIn } from '../../define/query/compare.ts';
import { keyBy, type OrderStep } from '../../define/query/order.ts';
import { Entity, type EntityInterface } from '../../define/schema/entity.ts';
import { hasPk } from '../../define/schema/key-of.ts';
import { pkIfAny } from '../../define/schema/pk.ts';
import { argsKey } from '../../std/args-key.ts';
import { memo } from '../../std/memo.ts';
import { valueName } from '../tables/lookup.ts';
import { queryFailed } from './query-failed.ts';
import { kindsIn } from './relation-path.ts';
import type { Renames } from './renames.ts';
import type { Stage } from './record-source.ts';
import type { Change, Item } from './source-cell.ts';

const NO_ITEMS: ReadonlySet<Item> = /* #__PURE__ */ new Set();

/** An item that passes, on one side of a join. */
export interface SideItem {
  readonly value: unknown;
  /** The name of its key. `undefined` if it equals nothing. */
  readonly name: string | undefined;
  /** The table of the record that is the key. */
  readonly table: unknown;
  /** The table of the record itself, if the key is its pk. */
  readonly home: unknown;
}

/** Returns whether two items have the same key. Records of two tables can have the same pk. */
export function isJoined(one: SideItem, other: SideItem): boolean {
  return one.name !== undefined && one.name === other.name && isOfTable(one, other) && isOfTable(other, one);
}

function isOfTable({ table }: SideItem, other: SideItem): boolean {
  return table === undefined || table === (other.table ?? other.home ?? table);
}

/** One side of a join: the items that pass, and the same by key. */
export class JoinSide {
  readonly stage: Stage;
  readonly items: Map<Item, SideItem> = new Map();
  readonly #by: OrderStep['by'];
  readonly #comparedWith: OrderStep['by'];
  readonly #renames: Renames;
  readonly #byKey = new Map<string | undefined, Set<Item>>();

  constructor(stage: Stage, by: OrderStep['by'], comparedWith: OrderStep['by'], renames: Renames) {
    this.stage = stage;
    this.#by = by;
    this.#comparedWith = comparedWith;
    this.#renames = renames;
  }

  /** Returns the items whose key has the same name. */
  with(item: SideItem | undefined): ReadonlySet<Item> {
    return this.#byKey.get(item?.name) ?? NO_ITEMS;
  }

  /** Sets the value of an item. `undefined` removes it. */
  put({ item, after: value }: Change): void {
    const name = this.items.get(item)?.name;
    const same = this.#byKey.get(name);
    same?.delete(item);
    if (same?.size === 0) this.#byKey.delete(name);
    this.items.delete(item);
    if (!this.stage.passes(value, item)) return;
    const made = this.#itemOf(value, item);
    this.items.set(item, made);
    if (made.name !== undefined) memo(this.#byKey, made.name, () => new Set()).add(item);
  }

  /** Reads the key of an item as a name. A record equals its pk, and 1 equals '1'. Without a value (see `isLacking`), it equals nothing. */
  #itemOf(value: unknown, item: Item): SideItem {
    try {
      const key = keyBy(this.#by)(value);
      if (hasPk(key)) {
        checkArgument('on()', this.#by, () => {
          // A field that refers to several classes, compared with a field that does not tell the class.
          const [by, other] = [this.#by, this.#comparedWith];
          const { schema = {} } = Object((value as object).constructor) as Partial<EntityInterface>;
          const isUnclear = typeof by === 'string' && typeof other === 'string' && other !== 'id';
          return (
            isUnclear &&
            kindsIn(schema[by]) !== undefined &&
            `a function that returns the other record, in place of '${other}': '${by}' refers to several classes, and a pk does not tell which`
          );
        });
        const pk = pkIfAny(key.pk());
        return { value, name: pk && this.#renames.nameOf(pk), table: keyIn(key), home: undefined };
      }
      const name = isLacking(key) ? undefined : (valueName(key) ?? argsKey([key], 'join()'));
      const isOwnPk = this.#by === 'id' && hasPk(value) && value.pk === Entity.prototype.pk;
      const home = isOwnPk ? keyIn(value) : undefined;
      return { value, name: name && this.#renames.nameOf(name), table: undefined, home };
    } catch (error) {
      throw queryFailed('join()', this.stage.name, error, item.pk);
    }
  }

  clear(): void {
    this.items.clear();
    this.#byKey.clear();
  }

  readAll(): void {
    this.clear();
    for (const change of this.stage.source.entries()) this.put(change);
  }
}
