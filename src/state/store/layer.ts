import type { RowCell } from '../tables/table.ts';
import type { StoreWriter, WriteOptions } from './store-writer.ts';
import type { Created, Guess, Intent, LayerRows } from './layer-rows.ts';
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

/** Puts a guess on top of the pile. */
export function guess(writer: StoreWriter, intent: Intent): Layer {
  const { core } = writer;
  writer.assertWritable();
  writer.takeOut();
  // What classes say of their fields, the store is to know as well.
  const know = (schema: unknown): void => writer.compile(schema);
  const layer = core.runBatch((batch) => {
    batch.writes++;
    return core.layers.push((snapshot) => {
      const guessed = intent(snapshot.of(core.states.confirmed, know));
      if (guessed !== undefined) know(guessed.schema);
      return guessed;
    });
  });
  return {
    confirm: (schema, response, options = {}) => confirm(writer, layer, schema, response, options),
    confirmed: () => core.layers.askConfirmed(layer),
    drop: () => writer.drop(layer),
    outdate: () => core.layers.outdate(layer),
    get created() {
      return layer.made.created;
    },
  };
}

function confirm(
  writer: StoreWriter,
  layer: LayerRows,
  schema: unknown,
  response: unknown,
  options: WriteOptions,
): unknown {
  const { reading, temporaryPks } = writer.core;
  const { space } = reading;
  let stored: unknown;
  try {
    writer.drop(layer, (batch) => {
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
    writer.drop(layer);
    throw error;
  }
}

/** The record that a schema of one record wrote: it is the one that a guess of the same request created. */
function written(space: Space, schema: unknown, stored: unknown): RowCell[] {
  const plan = space.planOf(schema);
  return plan.kind === 'entity' && typeof stored === 'string' ? [plan.table.cellOf(stored)] : [];
}
