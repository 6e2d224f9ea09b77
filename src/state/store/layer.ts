import type { RowCell } from '../tables/table.ts';
import type { StoreWriter, WriteOptions } from './store-writer.ts';
import type { Batch } from './batch.ts';
import { type Created, type Guess, type Intent, type LayerRows, LayerSpaces } from './layer-rows.ts';
import { Layers } from './layers.ts';
import type { Store } from './store.ts';
import type { StoreCore } from './store-core.ts';
import type { Space } from '../tables/space.ts';
import { rename } from './rename.ts';

/** An optimistic guess in the pile. */
export interface Layer {
  /** The mutation succeeded: its response takes the place of the guess, in one commit. */
  confirm(schema: unknown, response: unknown, options?: WriteOptions): unknown;
  /** What the guess is on top of what is confirmed, whatever others guess. */
  confirmed(): Guess | undefined;
  /** The mutation failed or was aborted: the guess goes, and nothing else. A second call does nothing. */
  drop(): void;
  /** What the intent goes by has changed, besides rows: it is asked again when anything changes in the pile. */
  outdate(): void;
  /** The records that the guess creates. */
  readonly created: readonly Created[];
}

/** Shows what a mutation will probably do, until it settles. `intent` is asked again when rows under it change. */
export function addGuess(store: Store, intent: Intent): Layer {
  const { writer } = store;
  const { core } = writer;
  const layers = layersOf(core);
  writer.assertWritable();
  writer.takeOut();
  // What classes say of their fields, the store is to know as well.
  const know = (schema: unknown): void => writer.compile(schema);
  const layer = core.runBatch((batch) => {
    batch.writes++;
    return layers.push((snapshot) => {
      const guessed = intent(snapshot.of(core.states.confirmed, know));
      if (guessed !== undefined) know(guessed.schema);
      return guessed;
    });
  });
  return {
    confirm: (schema, response, options = {}) => confirm(writer, layers, layer, schema, response, options),
    confirmed: () => layers.askConfirmed(layer),
    drop: () => drop(writer, layers, layer),
    outdate: () => layers.outdate(layer),
    get created() {
      return layer.made.created;
    },
  };
}

function layersOf(core: StoreCore): Layers {
  core.layers ??= new Layers(new LayerSpaces(core.reading.space, core.reading.frozen), core);
  return core.layers;
}

/** Takes a guess out of the pile; what `replace` puts in its place is seen at the same moment. */
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
      writer.touched(gone);
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
      const guessed = layer.made.created.filter((_, at) => !refused.includes(at));
      const pks = guessed.filter(({ isTemporary }) => isTemporary).map(({ pk }) => pk);
      const temporaryPk = (): string => (isPart && pks.shift()) || temporaryPks.make();
      stored = writer.write(schema, response, options, { temporaryPk, created: (cell) => created.push(cell) });
      return guessed.length === 0
        ? []
        : rename(space, batch, guessed, created.length > 0 ? created : written(space, schema, stored));
    });
    return stored;
  } catch (error) {
    // The mutation has settled all the same: an answer that cannot be filed leaves no guess behind.
    drop(writer, layers, layer);
    throw error;
  }
}

/** The record that a schema of one record wrote: it is the one that a guess of the same request created. */
function written(space: Space, schema: unknown, stored: unknown): RowCell[] {
  const plan = space.planOf(schema);
  return plan.kind === 'entity' && typeof stored === 'string' ? [plan.table.cellOf(stored)] : [];
}
