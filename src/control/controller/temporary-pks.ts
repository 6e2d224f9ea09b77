import type { Layer } from '../../state/store/layer.ts';
import { Showing } from '../../state/store/showing.ts';
import type { StoreCore } from '../../state/store/store-core.ts';
import type { Store } from '../../state/store/store.ts';
import { createdAs, NEVER_CREATED } from '../../state/store/temporary-pk.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { isPlain } from '../../std/plain.ts';
import type { RequestInFlight, Mutation } from './request-in-flight.ts';

/** How deep arguments are searched for pks. Arguments are written by hand, so a pk does not stand deeper than this. */
const DEEPEST = 32;

/** A create that has not been answered. */
interface Create {
  readonly table: string;
  readonly settled: Promise<unknown>;
}

/**
 * The pks of records between the guess that creates them and the answer with their real pk. A request that mentions
 * a temporary pk waits for that answer, and is then sent with the pk of the server.
 */
export class TemporaryPks {
  readonly #store: Store;
  readonly #core: StoreCore;
  /** The creates that have not been answered, by the temporary pks of their records. */
  readonly #creates = new Map<string, Create>();
  /** The records whose create was answered without their pk, by temporary pk. The value is the issue of that create. */
  readonly #unnamed = new Map<string, { readonly table: string; readonly issue: number }>();

  constructor(store: Store) {
    this.#store = store;
    this.#core = store.writer.core;
  }

  /** The guess of a mutation is shown, with records that have temporary pks. */
  show(request: RequestInFlight, mutation: Mutation, layer: Layer): void {
    for (const { table, pk, isTemporary } of layer.created) {
      if (!isTemporary) continue;
      this.#creates.set(pk, { table, settled: request.promise });
      mutation.created = [...mutation.created, pk];
    }
  }

  /** Records were created, and the answer has no pk for them. They stay until a list that shows them is fetched again. */
  keep(records: Iterable<readonly [table: string, pk: string]>, issue: number): void {
    for (const [table, pk] of records) if (this.#core.temporaryPks.isOwn(pk)) this.#unnamed.set(pk, { table, issue });
  }

  /** A request is answered again, with the records as the server created them: takes the unnamed records that its earlier answer shows. */
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

  /** A mutation has settled: the store knows the real pks of the records that it created. */
  settle({ created }: Mutation): void {
    for (const pk of created) this.#creates.delete(pk);
  }

  /**
   * The arguments with real pks. A promise of them if they mention a record that is still being created.
   * `waited` collects the creates that they waited for.
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

  /** Replaces temporary pks by those of the server, and collects the temporary pks that it finds. */
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
    // A server with numeric pks gets a number.
    const { id } = Object(this.#store.row(table, pk)) as { readonly id?: unknown };
    return String(id) === pk ? id : pk;
  }
}

const NO_CREATES: ReadonlyMap<string, Create> = new Map();

/** The temporary pks that arguments mention. */
class Mentioned {
  /** The temporary pks whose creates have not been answered. */
  readonly creates = new Map<string, Create>();
  readonly waited: ReadonlyMap<string, Create>;
  /** Whether one of them has been replaced by a real pk. */
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
    `A request is about ${table ?? 'the record'} ${pk}, whose create failed or was answered without a record.`,
    { entity: table, cure: inDevelopment(() => 'Create it first.') },
  );
}
