import type { Layer } from '../../state/store/guess.ts';
import type { Store } from '../../state/store/store.ts';
import { DataError } from '../../std/data-error.ts';
import { isPlain } from '../../std/plain.ts';

/** What all temporary pks begin with. */
const START = 'temp:';
/** Arguments are written by hand; what is deeper than this is no place for a pk. */
const DEEPEST = 32;

/** A mutation under way, as those see it who wait for the records that it may create. */
export interface Creation {
  /** Its guess is shown, and with it temporary pks. */
  show(layer: Layer): void;
  end(isConfirmed: boolean): void;
}

interface Created {
  readonly table: string;
  readonly pk: string;
  state: 'pending' | 'confirmed' | 'failed';
  /** Called when the create has ended. */
  readonly waiting: (() => void)[];
}

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

  creation(): Creation {
    let created: readonly Created[] = [];
    return {
      show: (layer) => {
        created = layer.created
          .filter(({ isTemporary }) => isTemporary)
          .map(({ table, pk }) => ({ table, pk, state: 'pending', waiting: [] }));
        for (const one of created) this.#created.set(one.pk, one);
      },
      end: (isConfirmed) => {
        for (const one of created) {
          one.state = isConfirmed ? 'confirmed' : 'failed';
          for (const goOn of one.waiting.splice(0)) goOn();
        }
      },
    };
  }

  /** The arguments as they can be sent; a promise of them where they mention a record that is still being created. */
  sendable(args: readonly unknown[]): readonly unknown[] | Promise<readonly unknown[]> {
    if (this.#created.size === 0) return args;
    const found = new Set<Created>();
    this.#replaced(args, found);
    if (found.size === 0) return args;
    const pending = [...found].filter(({ state }) => state === 'pending');
    if (pending.length === 0) return this.#replaced(args) as readonly unknown[];
    const ends = pending.map(({ waiting }) => new Promise<void>((resolve) => void waiting.push(resolve)));
    return Promise.all(ends).then(() => this.sendable(args));
  }

  /** Whoever waits will not be answered. */
  clear(): void {
    this.#created.clear();
  }

  /** With `found` only looks for temporary pks; without, puts those of the server in their place. */
  #replaced(value: unknown, found?: Set<Created>, depth = 0): unknown {
    if (typeof value === 'string') return this.#replacedText(value, found);
    if (depth > DEEPEST) return value;
    const inside = (one: unknown): unknown => this.#replaced(one, found, depth + 1);
    if (Array.isArray(value)) return value.map(inside);
    if (value instanceof FormData) return replacedForm(value, inside);
    if (!isPlain(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inside(member)]));
  }

  #replacedText(text: string, found: Set<Created> | undefined): unknown {
    const created = text.startsWith(START) ? this.#created.get(text) : undefined;
    if (created === undefined) return text;
    if (found !== undefined) return found.add(created);
    const { table, state } = created;
    const pk = this.#store.pkOf(table, text);
    if (state === 'failed' || pk.startsWith(START)) throw neverCreated(table, text);
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
