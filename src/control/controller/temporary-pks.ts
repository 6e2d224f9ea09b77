import type { Layer } from '../../state/store/guess.ts';
import type { Store } from '../../state/store/store.ts';
import { DataError } from '../../std/data-error.ts';
import { isPlain } from '../../std/plain.ts';
import type { Created, Flight, Mutation } from './flight.ts';

/** Arguments are written by hand; what is deeper than this is no place for a pk. */
const DEEPEST = 32;

/**
 * The pks that records have between the guess that creates them and the answer that names them. A request that mentions
 * one waits for that answer, and is then sent with the pk that the server gave.
 */
export class TemporaryPks {
  readonly #store: Store;
  readonly #created = new Map<string, Created>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** The guess of a mutation is shown, and with it temporary pks. */
  show(flight: Flight, mutation: Mutation, layer: Layer): void {
    for (const { table, pk, isTemporary } of layer.created) {
      if (!isTemporary) continue;
      const created = { table, creating: flight.promise };
      this.#created.set(pk, created);
      mutation.created = [...mutation.created, created];
    }
  }

  /** The arguments as they can be sent; a promise of them where they mention a record that is still being created. */
  sendable(args: readonly unknown[]): readonly unknown[] | Promise<readonly unknown[]> {
    if (this.#created.size === 0) return args;
    const mentioned = new Set<Created>();
    const sent = this.#replaced(args, mentioned) as readonly unknown[];
    if (mentioned.size === 0) return args;
    const creating = [...mentioned].flatMap((created) => created.creating ?? []);
    return creating.length === 0 ? sent : Promise.allSettled(creating).then(() => this.sendable(args));
  }

  clear(): void {
    this.#created.clear();
  }

  /** Puts the pks of the server in the place of temporary ones, and notes those that it meets. */
  #replaced(value: unknown, mentioned: Set<Created>, depth = 0): unknown {
    if (typeof value === 'string') return this.#replacedText(value, mentioned);
    if (depth > DEEPEST) return value;
    const inside = (one: unknown): unknown => this.#replaced(one, mentioned, depth + 1);
    if (Array.isArray(value)) return value.map(inside);
    if (value instanceof FormData) return replacedForm(value, inside);
    if (!isPlain(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inside(member)]));
  }

  #replacedText(text: string, mentioned: Set<Created>): unknown {
    const created = this.#created.get(text);
    if (created === undefined) return text;
    mentioned.add(created);
    if (created.creating !== undefined) return text;
    const { table } = created;
    const pk = this.#store.pkOf(table, text);
    // All temporary pks of a store begin alike. A create that is answered without a pk leaves one.
    if (pk.startsWith(text.slice(0, text.lastIndexOf(':') + 1))) throw neverCreated(table, text);
    // Where the server has a number, it is to get one.
    const { id } = Object(this.#store.row(table, pk)) as { readonly id?: unknown };
    return String(id) === pk ? id : pk;
  }
}

function replacedForm(form: FormData, inside: (value: unknown) => unknown): FormData {
  const replaced = new FormData();
  for (const [name, value] of form.entries())
    if (typeof value === 'string') replaced.append(name, String(inside(value)));
    else replaced.append(name, value);
  return replaced;
}

function neverCreated(table: string, pk: string): DataError {
  return new DataError(
    'record-never-created',
    `A request is about ${table} ${pk}, whose create failed or was answered without a record. Create it first.`,
    { entity: table },
  );
}
