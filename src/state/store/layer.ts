import { DataError } from '../../std/data-error.ts';
import type { Creating } from '../normalize/write-in-progress.ts';
import { isRow, type RowCell } from '../tables/table.ts';
import type { StoreWriter } from './store-writer.ts';
import type { WriteOptions } from './write-options.ts';
import type { Batch } from './batch.ts';
import { type Created, type Guess, type GuessOptions, type Intent, type LayerRows, LayerSpaces } from './layer-rows.ts';
import { Layers } from './layers.ts';
import type { Store } from './store.ts';
import type { StoreCore } from './store-core.ts';
import type { Space } from '../tables/space.ts';
import { NestedRecords } from './nested-records.ts';
import { matchesOf, rename } from './rename.ts';
import { writerOf } from './writer-of.ts';

/** An optimistic guess in the stack of layers. */
export interface Layer {
  /** Replaces the guess by the response of the mutation, in one commit. */
  confirm(schema: unknown, response: unknown, options?: WriteOptions): unknown;
  /** Returns the guess as it is on top of the confirmed rows alone. */
  confirmed(): Guess | undefined;
  /** Removes the guess, and nothing else, after the mutation failed or was aborted. A second call does nothing. */
  drop(): void;
  /** Notes that something other than rows has changed on which the intent depends. The intent runs again at the next change of the stack. */
  outdate(): void;
  /** The records that the guess creates. */
  readonly created: readonly Created[];
  /** The records and lists that the guess changes. */
  readonly changed: readonly (readonly [table: string, pk: string])[];
}

/** Shows the expected result of a mutation until the mutation settles. `intent` runs again when rows change that it has read. */
export function addGuess(store: Store, intent: Intent, options: GuessOptions = {}): Layer {
  const writer = writerOf(store, 'addGuess()');
  if (typeof intent !== 'function')
    throw new DataError('intent-missing', 'addGuess() takes a function that returns the guess.');
  const { core } = writer;
  const layers = layersOf(core);
  writer.assertWritable();
  writer.removeDeletedFromCollections();
  // The store must know the relations of the classes that the guess uses.
  const registerSchema = (schema: unknown): void => writer.compile(schema);
  const layer = core.runBatch((batch) => {
    batch.writes++;
    return layers.push((snapshot) => {
      const guessed = intent(snapshot.of(core.states.confirmed, registerSchema));
      if (guessed !== undefined) registerSchema(guessed.schema);
      return guessed;
    }, options);
  });
  return new GuessLayer(writer, layers, layer);
}

/** Makes a guess, and does not show it: `options.nestedEdits` then knows which fields of nested records it edits. */
export function makeGuess(store: Store, guess: Guess, options: GuessOptions): void {
  layersOf(store.writer.core).make(() => guess, options);
}

/** A class, because engines keep an object literal with a getter, and its guess, until the next full garbage collection. */
class GuessLayer implements Layer {
  readonly #writer: StoreWriter;
  readonly #layers: Layers;
  readonly #layer: LayerRows;

  constructor(writer: StoreWriter, layers: Layers, layer: LayerRows) {
    this.#writer = writer;
    this.#layers = layers;
    this.#layer = layer;
  }

  get created(): readonly Created[] {
    return this.#layer.made.created;
  }

  get changed(): readonly (readonly [table: string, pk: string])[] {
    return Array.from(this.#layer.made.rows.keys(), ({ pk, table }) => [table.name, pk] as const);
  }

  confirm(schema: unknown, response: unknown, options: WriteOptions = {}): unknown {
    return confirm(this.#writer, this.#layers, this.#layer, schema, response, options);
  }

  confirmed(): Guess | undefined {
    return this.#layers.guessOnConfirmed(this.#layer);
  }

  drop(): void {
    drop(this.#writer, this.#layers, this.#layer);
  }

  outdate(): void {
    this.#layers.outdate(this.#layer);
  }
}

function layersOf(core: StoreCore): Layers {
  core.layers ??= new Layers(new LayerSpaces(core.reading.space, core.reading.isFrozen, core.confirmed), core);
  return core.layers;
}

/** Removes a guess from the stack and calls `replace`. Readers see both changes at once. */
function drop(
  writer: StoreWriter,
  layers: Layers,
  layer: LayerRows,
  replace?: (batch: Batch) => readonly RowCell[],
): void {
  writer.assertWritable();
  writer.core.runBatch((batch) => {
    batch.writes++;
    layers.replace(layer, () => {
      const gone = replace?.(batch) ?? [];
      writer.noteTouched(gone);
      return gone;
    });
  });
}

function confirm(
  writer: StoreWriter,
  layers: Layers,
  layer: LayerRows,
  schema: unknown,
  response: unknown,
  options: WriteOptions,
): unknown {
  const { reading, temporaryPks } = writer.core;
  const { space } = reading;
  let stored: unknown;
  try {
    drop(writer, layers, layer, (batch) => {
      const created: RowCell[] = [];
      const { isPart, refused = [] } = options;
      const { created: all } = layer.made;
      const guessed = all.filter(({ isNested }) => !isNested).filter((_, at) => !refused.includes(at));
      const pks = guessed.filter(({ isTemporary }) => isTemporary).map(({ pk }) => pk);
      const temporaryPk = (table: string): string => (isPart && pks.shift()) || temporaryPks.make(table);
      const absent = new Set<RowCell>();
      const onCreated = (cell: RowCell): void => {
        created.push(cell);
        if (!isRow(cell.row)) absent.add(cell);
      };
      const sent = isPart ? undefined : (options.sent ?? new Set());
      const nested: Creating['nested'] = (...record) => layer.nestedEdits.restrict(...record);
      stored = writer.write(schema, response, options, { temporaryPk, created: onCreated, nested, sent });
      if (all.length === 0) return [];
      const answered = created.length > 0 ? created : written(space, schema, stored);
      const matches = matchesOf(space, guessed, answered);
      const found = new NestedRecords(space, layer.made, writer.core.confirmed, matches).find();
      return rename(writer, batch, found, absent);
    });
    return stored;
  } catch (error) {
    // The mutation has settled, so its guess is removed even if the answer cannot be stored.
    drop(writer, layers, layer);
    throw error;
  }
}

/** Returns the cell of the record that a schema of one record wrote. It is the record that the guess of the same request created. */
function written(space: Space, schema: unknown, stored: unknown): RowCell[] {
  const plan = space.planOf(schema);
  return plan.kind === 'entity' && typeof stored === 'string' ? [plan.table.cellOf(stored)] : [];
}
