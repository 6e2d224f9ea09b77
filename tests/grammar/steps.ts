import type { Random } from '../oracle/random.ts';
import { type Controller, INVALID } from 'rejoin';
import { BrokenLaw, isAlike, type Outcome, outcomeOf, show, showOutcome } from './compare.ts';
import type { Kind } from './kind.ts';
import { dataSteps } from './steps-data.ts';
import { drawProbe, oddArguments } from './probes.ts';
import { showArgument } from './model.ts';
import { stateSteps } from './steps-state.ts';
import type { World } from './world.ts';
import { drawHabit, storeSource, viewSource, watchSource, Watcher } from './watcher.ts';

/** The kinds of steps inside a batch: only synchronous ones. */
const inBatch = ['write', 'set', 'update', 'setResponse', 'invalidateRow', 'read', 'readState', 'invalidate'] as const;

function batch(world: World, random: Random): void {
  const isOfStore = random.chance(0.5);
  const fails = random.chance(0.15) && !world.without.has('failing batches');
  const allowed = world.without.has('reads in batches')
    ? inBatch.filter((name) => !/read|update/i.test(name))
    : inBatch;
  const names = Array.from({ length: 1 + random.below(4) }, () => random.pick(allowed));
  world.say(() => `${isOfStore ? 'store' : 'controller'}.batch(() => {`);
  const before = fails && world.depth === 0 ? world.text() : undefined;
  const reads = before === undefined ? [] : readAll(world);
  const run = (): void => {
    world.depth++;
    try {
      for (const name of names) kinds[name]?.act(world, random);
      if (fails) throw new Error('batch');
    } finally {
      world.depth--;
    }
  };
  try {
    if (isOfStore) world.store.batch(run);
    else random.pick(world.controllers).batch(run);
  } catch (error) {
    if (!(error instanceof Error) || error.message !== 'batch') world.judgeError(error);
  }
  if (fails || names.some((name) => name === 'read' || name === 'update')) world.renewals++;
  world.say(() => (fails ? '}) // throws at its end' : '})'));
  // A listener may have written when it was notified.
  if (before === undefined || world.nested > 0) return;
  if (before !== world.text()) throw new BrokenLaw('L8', 'a batch that threw left something');
  readAll(world).forEach((now, at) => {
    const then = reads[at];
    if (then !== undefined && !isAlike(then, now))
      throw new BrokenLaw(
        'L8',
        `after a batch that threw ${world.reads[at]?.name} is ${showOutcome(now)}, and was ${showOutcome(then)}`,
      );
  });
}

const readAll = (world: World): readonly Outcome[] =>
  world.hooks.quiet(() => world.reads.map((each) => outcomeOf(() => each.of(world.controllers[0] as Controller))));

function watch(world: World, random: Random): void {
  const { model } = world;
  const { name, schemaOf, args } = drawProbe(world, random);
  const habit = drawHabit(world, random);
  const controller = random.pick(world.controllers);
  const kind = random.pick(['store', 'view', 'watch', 'request', 'watch request'] as const);
  const described = random.pick(world.endpoints.filter(({ endpoint }) => !endpoint.sideEffect));
  const asked = described.drawArgs(random);
  world.attempt(() => {
    const source =
      kind === 'store'
        ? storeSource(world, name, schemaOf(model), args)
        : kind === 'view'
          ? viewSource(controller, name, schemaOf(model), args)
          : kind === 'watch'
            ? watchSource(controller, name, schemaOf(model), args)
            : kind === 'request'
              ? viewSource(controller, `${described.name}, ${show(asked)}`, described.endpoint, asked)
              : watchSource(controller, `${described.name}, ${show(asked)}`, described.endpoint, asked);
    world.say(() => `${source.name} // its listener: ${habit}`);
    new Watcher(world, source, habit);
  });
}

/** Different arguments with similar texts must have different answers. */
function readWithSimilarArgs(world: World, random: Random): void {
  const { describeArgument } = world.model;
  for (let time = 0; time < 2; time++) {
    const argument = random.pick(oddArguments);
    world.say(() => `store.get(describeArgument, ${show(argument)})`);
    world.attempt(() => {
      const found = world.store.get(describeArgument, argument) as { argument: string } | undefined;
      if (found !== undefined && found.argument !== oddText(argument))
        throw new BrokenLaw('L1', `asked for ${oddText(argument)}, got the answer of ${found.argument}`);
    });
  }
}

function oddText(argument: unknown): string {
  try {
    return showArgument(argument);
  } catch {
    return 'circle';
  }
}

function read(world: World, random: Random): void {
  const each = random.pick(world.reads);
  const reader = random.pick(world.controllers);
  world.say(() => `controller.get(${each.name})`);
  world.attempt(() => each.of(reader));
}

/** All other reads of a store. */
function inspect(world: World, random: Random): void {
  const { store, model } = world;
  world.say(() => 'store.missing(User), expiresAt, row, pkOf, result, stats');
  const each = drawProbe(world, random);
  world.attempt(() => store.expiresAt(each.schemaOf(model) as never, ...(each.args as never)));
  store.missing(model.User);
  if (store.row('User', '1') !== INVALID && store.row('User', store.pkOf('User', '1')) !== store.row('User', '1'))
    throw new BrokenLaw('L4', 'pkOf gives another record');
  for (const [key, result] of store.results())
    if (store.result(key) !== result) throw new BrokenLaw('L3', `the result of ${key} is two objects`);
}

const watchSteps: Readonly<Record<string, Kind>> = {
  watch: { weight: 14, act: watch },
  unwatch: {
    weight: 3,
    act: (world, random) => {
      if (world.watchers.size === 0) return;
      const watcher = random.pick([...world.watchers]);
      world.say(() => `unsubscribe ${watcher.name}`);
      watcher.stop();
    },
  },
  read: { weight: 8, act: read },
  odd: { weight: 1, act: readWithSimilarArgs },
  inspect: { weight: 1, act: inspect },
  batch: { weight: 8, act: batch },
};

export const kinds: Readonly<Record<string, Kind>> = { ...dataSteps, ...stateSteps, ...watchSteps };
