import { idIn, idOf } from '../../define/schema/own-pk.ts';
import type { TableRef } from '../../define/schema/row.ts';
import type { Layer } from '../../state/store/layer.ts';
import { Showing } from '../../state/store/showing.ts';
import type { StoreCore } from '../../state/store/store-core.ts';
import type { Store } from '../../state/store/store.ts';
import { createdAs, NEVER_CREATED } from '../../state/store/temporary-pk.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { replaceTexts } from '../../define/schema/texts-in-data.ts';
import { withPks } from './pks-in-text.ts';
import type { RequestInFlight, Mutation } from './request-in-flight.ts';

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
  readonly #core: StoreCore;
  /** The creates that have not been answered, by the temporary pks of their records. */
  readonly #creates = new Map<string, Create>();
  /** The pending mutations whose guesses created nothing when they were first made. They may create records when they are made again. */
  readonly #uncreating = new Map<RequestInFlight, readonly [mutation: Mutation, layer: Layer]>();
  /** The records whose create was answered without their pk, by temporary pk. The value is the issue of that create. */
  readonly #unnamed = new Map<string, { readonly table: string; readonly issue: number }>();

  constructor(store: Store) {
    this.#core = store.writer.core;
  }

  /** Notes the temporary pks of the records that the guess of a mutation creates. */
  noteCreates(request: RequestInFlight, mutation: Mutation, layer: Layer): void {
    if (layer.created.length === 0) this.#uncreating.set(request, [mutation, layer]);
    else this.#uncreating.delete(request);
    for (const { table, pk, isTemporary } of layer.created) {
      if (!isTemporary) continue;
      this.#creates.set(pk, { table, settled: request.promise });
      if (!mutation.created.includes(pk)) mutation.created = [...mutation.created, pk];
    }
  }

  /** Notes records that were created and whose answer has no pk for them. They stay until a list that shows them is fetched again. */
  noteUnnamed(records: Iterable<readonly [table: string, pk: string]>, issue: number): void {
    for (const [table, pk] of records) if (this.#core.temporaryPks.isOwn(pk)) this.#unnamed.set(pk, { table, issue });
  }

  /** For a request that is answered again, with the records as the server created them: returns the noted records that its earlier answer shows. */
  unnamedIn(key: string, issue: number): (readonly [table: string, pk: string])[] {
    const shown: (readonly [table: string, pk: string])[] = [];
    for (const [pk, { table, issue: since }] of this.#unnamed)
      if (issue > since && new Showing(this.#core, [[table, pk]]).distance(key) !== undefined) shown.push([table, pk]);
    return shown;
  }

  /** Call it when a noted record was removed. */
  forgetUnnamed(pk: string): void {
    this.#unnamed.delete(pk);
  }

  /** Returns whether the record that has this temporary pk is still being created. */
  isPending(pk: string): boolean {
    return this.#createOf(pk) !== undefined;
  }

  #createOf(pk: string): Create | undefined {
    if (!this.#creates.has(pk) && this.#core.temporaryPks.isOwn(pk))
      for (const [request, [mutation, layer]] of this.#uncreating) this.noteCreates(request, mutation, layer);
    return this.#creates.get(pk);
  }

  /**
   * Call it when a mutation has settled: the store then knows the real pks of the records that it created. Another mutation may be creating the
   * same records: that of another tab, or the same one that is sent again.
   */
  settle(request: RequestInFlight, { created }: Mutation): void {
    const { promise } = request;
    this.#uncreating.delete(request);
    for (const pk of created) if (this.#creates.get(pk)?.settled === promise) this.#creates.delete(pk);
  }

  /** Returns what the server has in place of a temporary pk, see `idIn`. `undefined` if it is not known. */
  idOf(temporary: string): unknown {
    const record = createdAs(this.#core, temporary);
    return record === undefined || record === NEVER_CREATED ? undefined : this.#idOf(record);
  }

  #idOf({ table: name, pk }: TableRef): unknown {
    const { confirmed, reading } = this.#core;
    const table = reading.space.table(name);
    // The guess of a deletion may hide the record.
    const cell = table.find(pk);
    return idOf(table.entity, cell && confirmed(cell).row, pk);
  }

  /**
   * Returns the arguments with real pks. If they mention a record that is still being created, returns a promise of them.
   * `waited` has the creates that the arguments have waited for.
   */
  sendable(
    args: readonly unknown[],
    waited: ReadonlyMap<string, Create> = NO_CREATES,
  ): readonly unknown[] | Promise<readonly unknown[]> {
    const creates = new Map<string, Create>();
    const sent = replaceTexts(args, (text, field) =>
      withPks(text, (pk) => idIn(this.#replacedPk(pk, creates, waited, pk === text), field)),
    ) as readonly unknown[];
    if (creates.size === 0) return sent;
    const settled = Array.from(creates.values(), (create) => create.settled);
    return Promise.allSettled(settled).then(() => this.sendable(args, creates));
  }

  /** Returns the arguments with the pks of the server where they are known. Never throws. */
  known(args: readonly unknown[]): readonly unknown[] {
    return replaceTexts(args, (text, field) =>
      withPks(text, (pk) => idIn(this.idOf(pk), field) ?? pk),
    ) as readonly unknown[];
  }

  clear(): void {
    this.#creates.clear();
    this.#uncreating.clear();
    this.#unnamed.clear();
  }

  /**
   * Returns the pk of the server for a temporary one. If its create has not been answered, adds it to `creates`. If there is no such record,
   * throws, unless the pk is only a part of a text: the text is sent as it is.
   */
  #replacedPk(
    text: string,
    creates: Map<string, Create>,
    waited: ReadonlyMap<string, Create>,
    isWhole: boolean,
  ): unknown {
    const create = this.#createOf(text);
    const unnamed = this.#unnamed.get(text);
    if (unnamed !== undefined && isWhole) throw neverCreated(unnamed.table, text);
    if (create !== undefined) creates.set(text, create);
    const record = create === undefined ? createdAs(this.#core, text) : undefined;
    if (record === NEVER_CREATED && isWhole) throw neverCreated(waited.get(text)?.table, text);
    if (record === undefined || record === NEVER_CREATED) return text;
    return this.#idOf(record);
  }
}

const NO_CREATES: ReadonlyMap<string, Create> = new Map();

function neverCreated(table: string | undefined, pk: string): DataError {
  return new DataError(
    'record-never-created',
    `A request is about ${table ?? 'the record'} ${pk}, whose create failed, or whose answer has no record that must be this one.`,
    { entity: table, cure: inDevelopment(() => 'Create it first. Change a record inside of it after the answer.') },
  );
}
