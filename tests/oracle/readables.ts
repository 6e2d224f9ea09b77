import { INVALID } from '../../src/define/schema/row.ts';
import { type Queryable, type SnapshotReader, Store } from '../../src/index.ts';
import type { VisibleState } from './visible-state.ts';
import { ANSWERS, EVERY, Ref } from './placeholders.ts';
import { refsOf } from './refs.ts';
import { type Fields, type Shape, pkOfList } from './shape.ts';
import { RESULTS, type Theme, classes, sources, tables, variants, views } from './entities.ts';

export interface Moment {
  readonly visible: VisibleState;
  readonly results: ReadonlyMap<string, { readonly stored: unknown }>;
  readonly shapes: ReadonlyMap<string, Shape>;
}

/** A read of the store, with the value that the model expects. */
export interface Readable {
  readonly name: string;
  read(store: Store | SnapshotReader): unknown;
  live(store: Store): { current(): unknown; subscribe(onChange: () => void): () => void };
  expected(moment: Moment): unknown;
  /** The rows at the top of the answer, including missing rows. */
  roots(moment: Moment): readonly Ref[];
  /** Whether it reads records as another class than that of their table. */
  readonly isVariant?: boolean;
  /** Whether it cannot be read in a snapshot. */
  readonly isLiveOnly?: boolean;
  /** The table whose records it has, in the order in which they were first shown. */
  readonly inOrderOf?: string;
  /** Returns the value in an order or a form in which it can be compared. */
  readonly comparable?: (actual: unknown, expected: unknown) => unknown;
}

/** Returns all reads of a theme. */
export function readablesOf(theme: Theme): readonly Readable[] {
  return [
    ...theme.tables.flatMap((table) => (tables[table]?.pks ?? []).map((pk) => recordOf(table, pk))),
    ...theme.lists.flatMap((name) => sources[name].args.map((args) => listOf(name, args))),
    ...theme.views.map(viewOf),
    ...theme.handles.map(handleOf),
    ...theme.variants.flatMap(variantsOf),
    ...RESULTS.map(resultOf),
  ];
}

function queried(schema: unknown, args: readonly unknown[]): Pick<Readable, 'read' | 'live'> {
  // The arguments are random, so they have no exact type.
  const queryable = schema as Queryable;
  return { read: (store) => store.get(queryable, ...args), live: (store) => store.query(queryable, args) };
}

function recordOf(table: string, pk: string): Readable {
  return {
    name: `get ${table} ${pk}`,
    ...queried(classes[table], [{ id: pk }]),
    expected: ({ visible }) => visible.ref(table, pk),
    roots: () => [new Ref(table, pk)],
  };
}

/** Reads records as another class than that of their table. */
function variantsOf(name: string): readonly Readable[] {
  const variant = variants[name];
  if (variant === undefined) throw new Error(`There is no class ${name}.`);
  const { table, of, shape } = variant;
  return (tables[table]?.pks ?? []).map((pk) => ({
    name: `get ${name} ${pk}`,
    isVariant: true,
    ...queried(of, [{ id: pk }]),
    expected: ({ visible }) => {
      const row = visible.row(table, pk);
      return row === undefined || row === INVALID ? undefined : visible.record(shape, row as Fields);
    },
    roots: () => [new Ref(table, pk)],
  }));
}

function listOf(name: keyof typeof sources, args: readonly unknown[]): Readable {
  const { schema, shape } = sources[name];
  if (shape.kind !== 'collection') throw new Error(`${name} is not a collection.`);
  return {
    name: `list ${name} ${JSON.stringify(args)}`,
    ...queried(schema, args),
    expected: ({ visible }) => visible.ref(shape.lists, pkOfList(shape.identify(undefined, args))),
    roots: () => [new Ref(shape.lists, pkOfList(shape.identify(undefined, args)))],
  };
}

function viewOf(name: string): Readable {
  const view = views[name];
  if (view === undefined) throw new Error(`There is no view ${name}.`);
  const { schema, args, table, keeps } = view;
  return {
    name: `view ${name}`,
    inOrderOf: table,
    ...queried(schema, args),
    roots: () => [new Ref(table, EVERY)],
    expected: ({ visible }) => {
      const refs = [...(visible.rows.get(table)?.keys() ?? [])].map((pk) => visible.ref(table, pk));
      return refs.filter((ref) => ref instanceof Ref && keeps(visible.values.get(ref.name) as Fields)).sort(byPk);
    },
    // A table without rows may have no answer, or an empty one.
    comparable: (actual, expected) => {
      if (!Array.isArray(actual)) return (expected as unknown[]).length === 0 ? [] : actual;
      return [...(actual as { id: string }[])].sort((one, other) => (one.id < other.id ? -1 : 1));
    },
  };
}

function byPk(one: unknown, other: unknown): number {
  return (one as Ref).pk < (other as Ref).pk ? -1 : 1;
}

/** A read by an index. If several records have the value, any of them is right. */
function handleOf(handle: string): Readable {
  const found = ({ visible }: Moment): Ref[] =>
    [...(visible.rows.get('User') ?? [])]
      .filter(([, row]) => row !== INVALID && (row as Fields)['handle'] === handle)
      .map(([pk]) => visible.ref('User', pk))
      .filter((ref): ref is Ref => ref instanceof Ref);
  return {
    name: `handle ${handle}`,
    ...queried(classes['User'], [{ handle }]),
    roots: () => [new Ref('User', EVERY)],
    expected: (moment) => (found(moment).length > 1 ? ANY : found(moment)[0]),
  };
}

/** The model has no expectation. */
export const ANY: unique symbol = Symbol('any');

export function resultOf(key: string): Readable {
  return {
    name: `result ${key}`,
    isLiveOnly: true,
    read: (store) => (store instanceof Store ? store.resultView(key).current() : undefined),
    live: (store) => store.resultView(key),
    expected: ({ visible, results, shapes }) => {
      const shape = shapes.get(key);
      return shape && visible.value(shape, results.get(key)?.stored);
    },
    roots: ({ results, shapes }) => {
      const shape = shapes.get(key);
      const refs = shape === undefined ? [] : refsOf(shape, results.get(key)?.stored);
      return [new Ref(ANSWERS, key), ...refs];
    },
  };
}
