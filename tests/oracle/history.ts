import type { Edit } from './members.ts';
import type { Random } from './random.ts';
import { type Fields, type Richness, type Shape, draw, drawWhole } from './shape.ts';
import { GONE, RESULTS, type SourceName, TOO_HIGH, type Theme, sources, tables, themes } from './entities.ts';

/** A response, an edit of lists, or a deletion, as plain data. */
export type Change =
  | { readonly kind: 'response'; readonly source: SourceName; readonly args: number; readonly input: unknown }
  | {
      readonly kind: Edit;
      readonly source: SourceName;
      readonly args: number;
      readonly input: unknown;
    }
  | { readonly kind: 'delete'; readonly table: string; readonly pk: string }
  /** A guess about the record that another guess creates. */
  | { readonly kind: 'touch'; readonly layer: number; readonly source: 'todo' | 'comment'; readonly fields: Fields }
  /** A guess that depends on the row below: it adds one to a number. */
  | { readonly kind: 'count'; readonly table: string; readonly pk: string; readonly field: string };

/** One step of a history. Slots name tickets and layers, so that any step can be left out and the rest still runs. */
export type Command =
  | { readonly do: 'begin' | 'settle'; readonly slot: number }
  | {
      readonly do: 'write';
      readonly change: Change;
      readonly slot?: number;
      readonly result?: string;
      readonly isBrief: boolean;
    }
  | { readonly do: 'again' }
  | { readonly do: 'bad'; readonly source: SourceName; readonly input: unknown }
  | { readonly do: 'batch'; readonly commands: readonly Command[]; readonly fails: boolean }
  | { readonly do: 'guess'; readonly layer: number; readonly change: Change }
  | { readonly do: 'confirm'; readonly layer: number; readonly change: Change; readonly slot?: number }
  | { readonly do: 'drop'; readonly layer: number }
  | { readonly do: 'watch'; readonly readable: number; readonly isEager: boolean }
  | { readonly do: 'unwatch'; readonly readable: number }
  | { readonly do: 'snapshot' | 'collect' | 'rehydrate' | 'reset' };

export interface History {
  readonly theme: number;
  /** Whether there is a listener for commits. */
  readonly hasListener: boolean;
  /** How many rows without a reader the store may keep. */
  readonly maxRows: number;
  readonly steps: readonly Step[];
}

export interface Step {
  readonly command: Command;
  /** The values that are read after the step: all, or a random choice with this seed. */
  readonly reads: 'all' | number;
}

export type Profile = Readonly<Record<Command['do'], number>>;

/** How often each command comes in the histories of row R1 of the scoreboard. */
export const everyday: Profile = {
  begin: 10,
  settle: 2,
  write: 40,
  again: 4,
  bad: 2,
  batch: 4,
  guess: 5,
  confirm: 3,
  drop: 3,
  watch: 8,
  unwatch: 2,
  snapshot: 1.5,
  collect: 2,
  rehydrate: 1,
  reset: 0.5,
};

/** Row R2: many guesses at the same time, which are confirmed or dropped in random order. */
export const optimistic: Profile = {
  ...everyday,
  begin: 12,
  write: 20,
  guess: 22,
  confirm: 12,
  drop: 8,
  batch: 2,
  bad: 1,
  collect: 0.5,
  rehydrate: 0.2,
  reset: 0.2,
};

/** Most writes answer a request. */
export const requested: Profile = { ...everyday, begin: 30, write: 34, guess: 4 };

/** How often each command comes in a batch. */
const inBatch: Profile = {
  begin: 0,
  settle: 0,
  write: 10,
  again: 0.5,
  bad: 0.3,
  batch: 0.5,
  guess: 1,
  confirm: 1,
  drop: 1,
  watch: 0,
  unwatch: 0,
  snapshot: 0,
  collect: 0,
  rehydrate: 0,
  reset: 0.2,
};

const SLOTS = 4;

export function drawHistory(random: Random, length: number, profile: Profile = everyday, layers = 6): History {
  const at = random.below(themes.length);
  const theme = themes[at] as Theme;
  const readsAll = random.chance(0.6);
  const steps = Array.from({ length }, (): Step => {
    const command = drawCommand(random, theme, profile, layers);
    return { command, reads: readsAll || random.chance(0.1) ? 'all' : random.below(1000) };
  });
  return {
    theme: at,
    hasListener: random.chance(0.3),
    maxRows: random.chance(0.2) ? 3 : Number.POSITIVE_INFINITY,
    steps,
  };
}

function drawCommand(random: Random, theme: Theme, profile: Profile, layers: number): Command {
  const what = random.weighted(profile);
  const slot = random.chance(0.5) ? { slot: random.below(SLOTS) } : {};
  switch (what) {
    case 'begin':
    case 'settle':
      return { do: what, slot: random.below(SLOTS) };
    case 'write':
      return {
        do: what,
        change: drawChange(random, theme),
        isBrief: random.chance(0.5),
        ...slot,
        ...(random.chance(0.4) ? { result: random.pick(RESULTS) } : {}),
      };
    case 'bad':
      return drawBad(random, theme);
    case 'batch': {
      const commands = Array.from({ length: 1 + random.below(3) }, () => drawCommand(random, theme, inBatch, layers));
      return { do: what, commands, fails: random.chance(0.4) };
    }
    case 'guess':
      return { do: what, layer: random.below(layers), change: drawGuess(random, theme, layers) };
    case 'confirm':
      return { do: what, layer: random.below(layers), change: drawChange(random, theme), ...slot };
    case 'drop':
      return { do: what, layer: random.below(layers) };
    case 'watch':
      return { do: what, readable: random.below(64), isEager: random.chance(0.3) };
    case 'unwatch':
      return { do: what, readable: random.below(64) };
    case 'again':
    case 'snapshot':
    case 'collect':
    case 'rehydrate':
    case 'reset':
      return { do: what };
  }
}

function drawGuess(random: Random, theme: Theme, layers: number): Change {
  const source = theme.lists.includes('todos') ? 'todo' : 'comment';
  if (!theme.lists.includes('todos') && !theme.lists.includes('comments')) return drawChange(random, theme, true);
  if (random.chance(0.75)) return drawChange(random, theme, true);
  const fields = source === 'todo' ? { title: random.pick(['a', 'b']) } : { content: random.pick(['a', 'b']) };
  return { kind: 'touch', layer: random.below(layers), source, fields };
}

function drawChange(random: Random, theme: Theme, isGuess = false): Change {
  const kind = random.weighted({
    response: 12,
    delete: isGuess ? 1 : 2,
    list: theme.lists.length * 3,
    count: isGuess ? 4 : 0,
  });
  if (kind === 'delete') {
    const table = random.pick(theme.tables);
    return { kind: 'delete', table, pk: random.pick(tables[table]?.pks ?? []) };
  }
  if (kind === 'count' && theme.tables.includes('User'))
    return { kind: 'count', table: 'User', pk: random.pick(tables['User']?.pks ?? []), field: 'age' };
  if (kind === 'list') return drawEdit(random, random.pick(theme.lists), isGuess);
  const source = random.pick(theme.sources);
  const { shape, args } = sources[source];
  const input = draw(shape, tables, random, richness(random));
  // The response of an entity schema is a record, never only a pk.
  const whole = shape.kind === 'entity' && typeof input !== 'object' ? { id: input } : input;
  return { kind: 'response', source, args: random.below(args.length), input: whole };
}

function drawEdit(random: Random, source: SourceName, isGuess: boolean): Change {
  const { shape, args } = sources[source];
  if (shape.kind !== 'collection') throw new Error(`${source} is not a collection.`);
  const { content } = shape;
  const at = { source, args: random.below(args.length) };
  if (content.kind === 'map')
    return {
      kind: random.weighted({ assign: 3, remove: 1 }),
      ...at,
      input: draw(content, tables, random, richness(random)),
    };
  const kind = random.weighted({ push: 3, unshift: 1, remove: 1 });
  const item = (): Fields => {
    const { id, ...rest } = drawMember(content.of, random);
    const isCreate = isGuess && content.of.kind === 'entity' && kind !== 'remove' && rest['title'] !== GONE;
    return isCreate && random.chance(0.5) ? rest : { id, ...rest };
  };
  return { kind, ...at, input: random.chance(0.8) ? item() : [item(), item()] };
}

function drawMember(shape: Shape, random: Random): Fields {
  if (shape.kind === 'entity') return drawWhole(shape.table, tables, random, richness(random));
  return draw(shape, tables, random, richness(random)) as Fields;
}

function richness(random: Random): Richness {
  return { fields: random.pick([1, 0.6, 0.3]), depth: random.below(3) };
}

/** An invalid response: a record without a usable pk, a record that its class refuses, or a text instead of a list. */
function drawBad(random: Random, theme: Theme): Command {
  const source = random.pick(theme.sources);
  const { shape } = sources[source];
  const good = draw(shape, tables, random, { fields: 1, depth: 1 });
  if (shape.kind === 'collection' && random.chance(0.3))
    return { do: 'bad', source, input: random.pick(['text', 5, true]) };
  const isLog = source === 'log' || source === 'logs';
  const bad =
    isLog && random.chance(0.5)
      ? { id: 'l1', level: TOO_HIGH }
      : { id: random.pick([undefined, null, '', {}, [], true]), type: 'photo' };
  const content = shape.kind === 'collection' ? shape.content : shape;
  if (content.kind === 'list') return { do: 'bad', source, input: [...(good as unknown[]), bad] };
  if (content.kind === 'map') return { do: 'bad', source, input: { ...(good as Fields), bad } };
  if (content.kind === 'object') return { do: 'bad', source, input: { ...(good as Fields), results: [bad] } };
  return { do: 'bad', source, input: bad };
}
