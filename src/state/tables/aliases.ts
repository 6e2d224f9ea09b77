import type { ChangedPks } from './changed-pks.ts';

const NONE: readonly string[] = [];

/** A temporary pk with the pk that replaced it, and its number in the order in which the aliases of a list were added. */
interface KnownAlias {
  readonly server: string;
  readonly number: number;
}

/** Aliases that copies share. */
interface AliasList {
  readonly byTemporary: Map<string, KnownAlias>;
  readonly temporaries: Map<string, Set<string>>;
  /** The number of the last alias. */
  last: number;
}

/** Temporary pks of one table, each with the pk that the server assigned in its place. */
export class Aliases {
  #list: AliasList = emptyList();
  /** The number of the last alias of this object. The list also has later ones, which were added after this object was copied. */
  #last = Number.POSITIVE_INFINITY;
  #size = 0;
  #isShared = false;
  /** The pks that edits have changed. `undefined` if there are none. */
  changed: ChangedPks | undefined = undefined;
  /** The fields in which relations find pks of records that edits have changed, with the pks of the table of those records. */
  owners: Map<string, Aliases> | undefined = undefined;

  get size(): number {
    return this.#size;
  }

  get(temporary: string): string | undefined {
    const known = this.#list.byTemporary.get(temporary);
    return known !== undefined && known.number <= this.#last ? known.server : undefined;
  }

  has(temporary: string): boolean {
    return this.get(temporary) !== undefined;
  }

  *[Symbol.iterator](): Generator<readonly [temporary: string, server: string]> {
    for (const [temporary, { number, server }] of this.#list.byTemporary)
      if (number <= this.#last) yield [temporary, server];
  }

  /** Returns the temporary pks under which a record was created here, the first one first. */
  temporariesOf(server: string): readonly string[] {
    const known = this.#list.temporaries.get(server);
    return known === undefined ? NONE : [...known].filter((temporary) => this.has(temporary));
  }

  /** Returns whether a temporary pk is an alias of this record here, and was not in `before`. */
  isNewAlias(server: string, before: Aliases | undefined): boolean {
    for (const temporary of this.#list.temporaries.get(server) ?? [])
      if (this.has(temporary) && before?.get(temporary) !== server) return true;
    return false;
  }

  set(temporary: string, server: string): this {
    if (this.get(temporary) === server) return this;
    if (this.#last !== Number.POSITIVE_INFINITY) this.#unshare();
    this.delete(temporary);
    const list = this.#list;
    list.byTemporary.set(temporary, { server, number: ++list.last });
    const temporaries = list.temporaries.get(server) ?? new Set<string>();
    list.temporaries.set(server, temporaries.add(temporary));
    this.#size++;
    return this;
  }

  delete(temporary: string): boolean {
    const server = this.get(temporary);
    if (server === undefined) return false;
    this.#unshare();
    const { byTemporary, temporaries } = this.#list;
    byTemporary.delete(temporary);
    const others = temporaries.get(server);
    others?.delete(temporary);
    if (others?.size === 0) temporaries.delete(server);
    this.#size--;
    return true;
  }

  clear(): void {
    this.#list = emptyList();
    this.#last = Number.POSITIVE_INFINITY;
    this.#isShared = false;
    this.#size = 0;
  }

  /** Returns a copy. The two share one list until an alias is deleted, or added to the copy. */
  copy(): Aliases {
    const copy = new Aliases();
    copy.#list = this.#list;
    copy.#last = Math.min(this.#last, this.#list.last);
    copy.#size = this.#size;
    copy.#isShared = true;
    copy.changed = this.changed;
    copy.owners = this.owners;
    this.#isShared = true;
    return copy;
  }

  #unshare(): void {
    if (!this.#isShared) return;
    const aliases = [...this];
    this.clear();
    for (const [temporary, server] of aliases) this.set(temporary, server);
  }
}

/** The aliases of another store, without those of records that are still shown under their temporary pk. They can only be looked up. */
export class EarlierAliases extends Aliases {
  readonly #all: Aliases;
  readonly #isShown: (temporary: string) => boolean;

  constructor(all: Aliases, isShown: (temporary: string) => boolean) {
    super();
    this.#all = all;
    this.#isShown = isShown;
    this.changed = all.changed;
    this.owners = all.owners;
  }

  override get size(): number {
    return this.#all.size;
  }

  override get(temporary: string): string | undefined {
    const server = this.#all.get(temporary);
    return server !== undefined && this.#isShown(temporary) ? undefined : server;
  }

  override temporariesOf(server: string): readonly string[] {
    return this.#all.temporariesOf(server).filter((temporary) => this.has(temporary));
  }
}

function emptyList(): AliasList {
  return { byTemporary: new Map(), temporaries: new Map(), last: 0 };
}
