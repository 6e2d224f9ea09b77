import type { Layer } from '../../state/store/layer.ts';
import { Showing } from '../../state/store/showing.ts';
import type { StoreCore } from '../../state/store/store-core.ts';
import type { Store } from '../../state/store/store.ts';
import { createdAs, NEVER_CREATED } from '../../state/store/temporary-pk.ts';
import { DataError } from '../../std/data-error.ts';
import { isPlain } from '../../std/plain.ts';
import type { RequestInFlight, Mutation } from './request-in-flight.ts';

/** Arguments are written by hand; what is deeper than this is no place for a pk. */
const DEEPEST = 32;

/** A create that is under way. */
interface Create {
  readonly table: string;
  readonly settled: Promise<unknown>;
}

/**
 * The pks that records have between the guess that creates them and the answer that names them. A request that mentions
 * one waits for that answer, and is then sent with the pk that the server gave.
 */
export class TemporaryPks {
  readonly #store: Store;
  readonly #core: StoreCore;
  /** The creates that are under way, by the temporary pks of their records. */
  readonly #creates = new Map<string, Create>();
  /** The records that were created without an answer that names them, by their pks, with the issue of what said so. */
  readonly #unnamed = new Map<string, { readonly table: string; readonly issue: number }>();

  constructor(store: Store) {
    this.#store = store;
    this.#core = store.writer.core;
  }

  /** The guess of a mutation is shown, and with it temporary pks. */
  show(request: RequestInFlight, mutation: Mutation, layer: Layer): void {
    for (const { table, pk, isTemporary } of layer.created) {
      if (!isTemporary) continue;
      this.#creates.set(pk, { table, settled: request.promise });
      mutation.created = [...mutation.created, pk];
    }
  }

  /** Records were created, and their answer names none of them. They stay until a list that shows them comes anew. */
  keep(records: Iterable<readonly [table: string, pk: string]>, issue: number): void {
    for (const [table, pk] of records) if (this.#core.temporaryPks.isOwn(pk)) this.#unnamed.set(pk, { table, issue });
  }

  /** Takes the records that the answer of a request shows until now, when it is answered anew, with what the server made of them. */
  takeShown(key: string, issue: number): (readonly [table: string, pk: string])[] {
    const taken: (readonly [table: string, pk: string])[] = [];
    for (const [pk, { table, issue: since }] of this.#unnamed) {
      if (issue <= since || new Showing(this.#core, [[table, pk]]).distance(key) === undefined) continue;
      this.#unnamed.delete(pk);
      taken.push([table, pk]);
    }
    return taken;
  }

  /** Whether the record that has this temporary pk is still being created. */
  isPending(pk: string): boolean {
    return this.#creates.has(pk);
  }

  /** A mutation has settled: the store knows what became of the records that it created. */
  settle({ created }: Mutation): void {
    for (const pk of created) this.#creates.delete(pk);
  }

  /**
   * The arguments as they can be sent; a promise of them where they mention a record that is still being created.
   * `waited` has the creates that they have waited for.
   */
  sendable(
    args: readonly unknown[],
    waited: ReadonlyMap<string, Create> = NO_CREATES,
  ): readonly unknown[] | Promise<readonly unknown[]> {
    const mentioned = new Mentioned(waited);
    const sent = this.#replaced(args, mentioned) as readonly unknown[];
    if (mentioned.creates.size === 0) return mentioned.isAny ? sent : args;
    const settled = Array.from(mentioned.creates.values(), (create) => create.settled);
    return Promise.allSettled(settled).then(() => this.sendable(args, mentioned.creates));
  }

  clear(): void {
    this.#creates.clear();
    this.#unnamed.clear();
  }

  /** Puts the pks of the server in the place of temporary ones, and notes those that it meets. */
  #replaced(value: unknown, mentioned: Mentioned, depth = 0): unknown {
    if (typeof value === 'string') return this.#replacedText(value, mentioned);
    if (depth > DEEPEST) return value;
    const inside = (one: unknown): unknown => this.#replaced(one, mentioned, depth + 1);
    if (Array.isArray(value)) return value.map(inside);
    if (value instanceof FormData) return replacedForm(value, inside);
    if (!isPlain(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inside(member)]));
  }

  #replacedText(text: string, mentioned: Mentioned): unknown {
    const create = this.#creates.get(text);
    const unnamed = this.#unnamed.get(text);
    if (unnamed !== undefined) throw neverCreated(unnamed.table, text);
    if (create !== undefined) mentioned.creates.set(text, create);
    const record = create === undefined ? createdAs(this.#core, text) : undefined;
    if (record === undefined) return text;
    if (record === NEVER_CREATED) throw neverCreated(mentioned.waited.get(text)?.table, text);
    mentioned.isAny = true;
    const { pk, table } = record;
    // Where the server has a number, it is to get one.
    const { id } = Object(this.#store.row(table, pk)) as { readonly id?: unknown };
    return String(id) === pk ? id : pk;
  }
}

const NO_CREATES: ReadonlyMap<string, Create> = new Map();

/** The temporary pks that arguments mention. */
class Mentioned {
  /** Those whose creates are under way. */
  readonly creates = new Map<string, Create>();
  readonly waited: ReadonlyMap<string, Create>;
  /** Whether one of them stands for another pk. */
  isAny = false;

  constructor(waited: ReadonlyMap<string, Create>) {
    this.waited = waited;
  }
}

function replacedForm(form: FormData, inside: (value: unknown) => unknown): FormData {
  const replaced = new FormData();
  for (const [name, value] of form.entries())
    if (typeof value === 'string') replaced.append(name, String(inside(value)));
    else replaced.append(name, value);
  return replaced;
}

function neverCreated(table: string | undefined, pk: string): DataError {
  return new DataError(
    'record-never-created',
    `A request is about ${table ?? 'the record'} ${pk}, whose create failed or was answered without a record. Create it first.`,
    table === undefined ? {} : { entity: table },
  );
}
