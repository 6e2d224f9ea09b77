import { addGuess, type Controller } from 'rejoin';
import type { Random } from '../oracle/random.ts';
import { BrokenLaw, isAlike, type Outcome, outcomeOf, show, showOutcome } from './compare.ts';
import type { BoundRead, Reader } from './probes.ts';
import { draws } from './rows.ts';
import type { Kind } from './kind.ts';
import { ProgramError, type World } from './world.ts';

/** A schema that can be written, and an answer of an API for it. */
function drawWrite(
  world: World,
  random: Random,
): { name: string; schema: unknown; input: unknown; args: readonly unknown[] } {
  const { model } = world;
  const drawn = random.pick([
    'User',
    'User',
    'UserDetail',
    'UserSummary',
    'Post',
    'Post',
    'Comment',
    'Team',
    'Tag',
    'Note',
    'media',
    'users',
    'posts',
    'board',
    'album',
    'feed',
    'usersById',
    'deleteUser',
    'deleteMedia',
  ] as const);
  const name = world.isMixed || (drawn !== 'UserDetail' && drawn !== 'UserSummary') ? drawn : 'User';
  const draw = {
    User: draws.user,
    UserDetail: draws.userDetail,
    UserSummary: draws.userDetail,
    Post: draws.post,
    Comment: draws.comment,
    Team: draws.team,
    Tag: draws.tag,
    Note: draws.note,
    media: draws.medium,
    users: draws.users,
    posts: draws.posts,
    board: draws.notesByName,
    album: draws.media,
    feed: draws.feed,
    usersById: draws.usersByName,
    deleteUser: draws.userPk,
    deleteMedia: draws.mediumRef,
  }[name];
  const args = name === 'posts' && random.chance(0.5) ? [{ authorId: String(1 + random.below(2)) }] : [];
  return { name, schema: model[name], input: draw(random), args };
}

/** A write that fails does not change the store. */
function runWithoutChange(world: World, run: () => void, isChecked: boolean): void {
  const before = isChecked && world.depth === 0 && world.nested === 0 ? world.text() : undefined;
  const { revision } = world;
  world.attempt(() => {
    try {
      run();
    } catch (error) {
      if (before !== undefined && world.text() !== before)
        throw new BrokenLaw('L8', 'a write that failed left something');
      if (world.depth === 0 && world.revision !== revision)
        throw new BrokenLaw('L8', 'observers were notified of a write that failed');
      throw error;
    }
  });
}

function write(world: World, random: Random): void {
  const { name, schema, input, args } = drawWrite(world, random);
  world.say(() => `store.write(${name}, ${show(input)}${args.length > 0 ? `, { args: ${show(args)} }` : ''})`);
  runWithoutChange(
    world,
    () => void world.store.write(schema, input, { args, expiresAt: world.now + 60_000 }),
    random.chance(0.3),
  );
}

function drawRecord(world: World, random: Random): { name: string; schema: unknown; pk: unknown; value: object } {
  const { model } = world;
  const drawn = random.pick(['User', 'Post', 'UserDetail', 'Tag'] as const);
  const name = world.isMixed || drawn !== 'UserDetail' ? drawn : 'User';
  const draw = { User: draws.user, Post: draws.post, UserDetail: draws.userDetail, Tag: draws.tag }[name];
  const value = draw(random) as { id: unknown };
  return { name, schema: model[name], pk: value.id, value };
}

function set(world: World, random: Random): void {
  const { name, schema, pk, value } = drawRecord(world, random);
  world.say(() => `controller.set(${name}, ${show({ id: pk })}, ${show(value)})`);
  world.attempt(() =>
    random.pick(world.controllers).set(...([schema, { id: pk }, value] as unknown as Parameters<Controller['set']>)),
  );
}

function update(world: World, random: Random): void {
  const { name, schema, pk, value } = drawRecord(world, random);
  const { id: _id, ...fields } = value as { id: unknown };
  world.say(() => `controller.set(${name}, ${show({ id: pk })}, (before) => ({ id: before.id, ...${show(fields)} }))`);
  const next = (before: { id: string }): object => ({ id: before.id, ...fields });
  world.attempt(() =>
    random.pick(world.controllers).set(...([schema, { id: pk }, next] as unknown as Parameters<Controller['set']>)),
  );
}

function setResponse(world: World, random: Random): void {
  const { name, endpoint, draw, drawArgs } = random.pick(world.endpoints);
  const args = drawArgs(random);
  const response = draw(random);
  world.say(() => `controller.setResponse(${name}, ...${show(args)}, ${show(response)})`);
  const run = random.pick(world.controllers).setResponse as (...all: readonly unknown[]) => Promise<void>;
  world.attempt(() => run(endpoint, ...args, response));
}

function fetch(world: World, random: Random): void {
  const { name, endpoint, drawArgs } = random.pick(world.endpoints);
  if (endpoint.sideEffect) world.renewals++;
  const args = drawArgs(random);
  const isIfStale = !endpoint.sideEffect && random.chance(0.3);
  const controller = random.pick(world.controllers);
  world.say(() => `controller.${isIfStale ? 'fetchIfStale' : 'fetch'}(${name}, ...${show(args)})`);
  const run = (isIfStale ? controller.fetchIfStale : controller.fetch) as (...all: readonly unknown[]) => unknown;
  world.attempt(() => run(endpoint, ...args));
}

/** Answers one of the requests that are in flight, in any order. */
export function answer(world: World, random: Random): void {
  if (world.sent.length === 0) return;
  const [request] = world.sent.splice(random.below(world.sent.length), 1);
  if (request === undefined) return;
  if (random.chance(0.2)) {
    world.say(() => `the request ${request.name} fails`);
    request.reject(new ProgramError('answer'));
    return;
  }
  const response = request.draw(random);
  world.say(() => `the request ${request.name} is answered ${show(response)}`);
  request.resolve(response);
}

function guess(world: World, random: Random): void {
  world.renewals++;
  const { name, schema, input, args } = drawWrite(world, random);
  const reads = world.reads.filter(({ endpoint }) => endpoint === undefined);
  const chosen = random.chance(0.7) ? Array.from({ length: 3 }, () => random.pick(reads)) : [];
  const says = `{ schema: ${name}, response: ${show(input)}, args: ${show(args)} }`;
  const asks = chosen.map((each) => `state.get(${each.name}), `).join('');
  world.say(() => `layer = store.guess((state) => (${asks}${says}))`);
  const read = (reader: Reader): readonly Outcome[] =>
    world.hooks.quiet(() => chosen.map((each) => outcomeOf(() => each.of(reader))));
  world.attempt(() => {
    const present = read(world.controllers[0] as Controller);
    let seen: readonly Outcome[] = [];
    const layer = addGuess(world.store, (state) => {
      seen = read(state as unknown as Reader);
      return { schema, response: input, args };
    });
    world.layers.push(layer);
    // When a listener has written, the optimistic response was computed again after that write.
    if (world.nested === 0) judgeSeen(chosen, present, seen);
  });
}

/** An optimistic response reads the data without itself. */
function judgeSeen(reads: readonly BoundRead[], present: readonly Outcome[], seen: readonly Outcome[]): void {
  reads.forEach(({ name }, at) => {
    const [one, other] = [present[at] as Outcome, seen[at] as Outcome];
    if (!isAlike(one, other))
      throw new BrokenLaw('L6', `${name} is ${showOutcome(one)}; a guess on top of it reads ${showOutcome(other)}`);
  });
}

function settleGuess(world: World, random: Random): void {
  world.renewals++;
  const [layer] = world.layers.splice(random.below(world.layers.length), 1);
  if (layer === undefined) return;
  const isConfirmed = random.chance(0.6);
  const { name, schema, input, args } = drawWrite(world, random);
  world.say(() => (isConfirmed ? `layer.confirm(${name}, ${show(input)}, { args: ${show(args)} })` : 'layer.drop()'));
  world.attempt(() => {
    try {
      if (isConfirmed) layer.confirm(schema, input, { args, expiresAt: world.now + 60_000 });
    } finally {
      layer.drop();
    }
  });
}

function invalidateRow(world: World, random: Random): void {
  const table = random.pick(['User', 'Post', 'Comment', 'Photo', 'Tag'] as const);
  const pk = String(1 + random.below(3));
  world.say(() => `store.invalidate(${table}, '${pk}')`);
  world.attempt(() => world.store.invalidate(world.model[table], pk));
}

function invalidate(world: World, random: Random): void {
  const { name, endpoint, drawArgs } = random.pick(world.endpoints);
  const args = drawArgs(random);
  const controller = random.pick(world.controllers);
  const how = random.pick(['invalidate', 'invalidateAll', 'expireAll', 'setError'] as const);
  world.say(() => `controller.${how}(${name}, ...${show(args)})`);
  world.attempt(() => {
    if (how === 'invalidate')
      return (controller.invalidate as (...all: readonly unknown[]) => unknown)(endpoint, ...args);
    if (how !== 'setError') return controller[how](endpoint as never);
    return (controller.setError as (...all: readonly unknown[]) => unknown)(endpoint, ...args, new ProgramError('set'));
  });
}

export const dataSteps: Readonly<Record<string, Kind>> = {
  write: { weight: 22, act: write },
  set: { weight: 6, act: set },
  update: { weight: 4, act: update },
  setResponse: { weight: 8, act: setResponse },
  fetch: { weight: 8, act: fetch },
  answer: { weight: 8, act: answer },
  guess: { weight: 3, act: guess },
  settleGuess: { weight: 3, act: settleGuess },
  invalidateRow: { weight: 4, act: invalidateRow },
  invalidate: { weight: 4, act: invalidate },
};
