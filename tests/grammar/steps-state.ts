import { Controller, dehydrate, GCPolicy, hydrate, ImmortalGCPolicy, Store } from 'rejoin';
import type { Random } from '../oracle/random.ts';
import { BrokenLaw, outcomeOf, showOutcome } from './compare.ts';
import type { BoundRead } from './probes.ts';
import { judgeState } from './laws.ts';
import type { Kind } from './kind.ts';
import type { World } from './world.ts';

/** Keeps a state, with the values of all reads at this moment. */
function takeState(world: World, random: Random): void {
  if (world.depth > 0) return;
  world.say(() => 'state = controller.getState()');
  const [controller] = world.controllers as [Controller];
  const chosen = Array.from({ length: 4 }, () => random.pick(world.reads));
  const present = new Map<BoundRead, ReturnType<typeof outcomeOf>>();
  world.hooks.quiet(() => {
    const state = controller.getState();
    for (const each of chosen)
      present.set(
        each,
        outcomeOf(() => each.of(controller)),
      );
    const kept = { state, present, given: new Map<BoundRead, ReturnType<typeof outcomeOf>>() };
    if (random.chance(0.5)) {
      for (const [each, now] of present) {
        const read = outcomeOf(() => each.of(state));
        if (now.error === undefined && (read.error !== undefined || read.value !== now.value))
          throw new BrokenLaw(
            'L6',
            `${each.name} of a state taken now is ${showOutcome(read)}, not the present ${showOutcome(now)}`,
          );
      }
    }
    world.states.push(kept);
    if (world.states.length > 3) world.states.shift();
  });
}

function readState(world: World, random: Random): void {
  if (world.states.length === 0) return;
  world.say(() => 'read a state');
  judgeState(world, random.pick(world.states));
}

function collect(world: World, random: Random): void {
  if (world.depth > 0) return;
  const [first] = world.collections;
  if (first === undefined || random.chance(0.2)) {
    world.say(() => 'collection = controller.collect(); collection.next()');
    const collection = random.pick(world.controllers).collect();
    collection.next();
    world.collections.push(collection);
  } else {
    world.say(() => 'collection.next()');
    if (first.next().done === true) world.collections.shift();
  }
  world.renewals++;
}

/** Runs a whole collection, as a GC policy does. */
function collectWhole(world: World, random: Random): void {
  if (world.depth > 0) return;
  world.say(() => 'a GCPolicy collects');
  const due: (() => void)[] = [];
  const policy = random.chance(0.8)
    ? new GCPolicy({
        platform: { setTimeout: (run) => due.push(run), clearTimeout: () => {} },
        whenIdle: (run) => {
          run(() => true);
          return () => {};
        },
      })
    : new ImmortalGCPolicy();
  const controller = new Controller({ store: world.store, now: () => world.now, gcPolicy: policy });
  due.shift()?.();
  controller.dispose();
  world.renewals++;
}

function passTime(world: World, random: Random): void {
  const by = random.pick([1, 500, 5_000, 200_000, 10_000_000]);
  world.say(() => `now += ${by}`);
  world.now += by;
  for (const watcher of world.watchers) watcher.retake();
}

/** Hydrates the store with the data of another store. */
function fill(world: World, random: Random): void {
  if (world.depth > 0) return;
  const isOwn = random.chance(0.5);
  world.say(() => (isOwn ? 'hydrate(store, dehydrate(store))' : 'hydrate(store, dehydrate(another store))'));
  const from = isOwn ? world.store : new Store({ now: () => world.now });
  if (!isOwn) {
    from.write(world.model.User, { id: '1', name: 'c', best: '2' }, { expiresAt: world.now + 60_000 });
    from.write(world.model.users, [{ id: '3', name: 'c' }], { args: [], expiresAt: world.now + 60_000 });
  }
  world.attempt(() =>
    hydrate(world.store, JSON.parse(JSON.stringify(dehydrate(from))), { isLater: random.chance(0.3) }),
  );
}

function replaceController(world: World, random: Random): void {
  if (world.depth > 0) return;
  world.say(() => 'controller.dispose(); controller = new Controller({ store })');
  const at = random.below(2);
  world.controllers[at]?.dispose();
  world.controllers[at] = world.newController();
}

export const stateSteps: Readonly<Record<string, Kind>> = {
  takeState: { weight: 5, act: takeState },
  readState: { weight: 3, act: readState },
  collect: { weight: 5, act: collect },
  collectWhole: { weight: 1, act: collectWhole },
  passTime: { weight: 4, act: passTime },
  fill: { weight: 1, act: fill },
  replaceController: { weight: 1, act: replaceController },
  reset: {
    weight: 1,
    act: (world, random) => {
      if (world.depth > 0) return;
      world.say(() => 'controller.resetEntireStore()');
      world.attempt(() => random.pick(world.controllers).resetEntireStore());
      world.renewals++;
    },
  },
  reload: {
    weight: 1,
    act: (world) => {
      world.say(() => 'every class is replaced by a new one with the same key');
      world.reload();
    },
  },
};
