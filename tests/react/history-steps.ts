/** What can happen in a random React history. */
import * as React from 'react';
import { click } from './harness.tsx';
import { HOOKS, type Place, type Root } from './history-page.tsx';
import { type Data, PAGES, POSTS, USERS } from './history-world.ts';
import { type Random, random } from './random.ts';

export interface Step {
  readonly name: string;
  readonly run: () => void;
  /** The record that it writes, if all of the page has to show that at once. */
  readonly written?: readonly ['u' | 'p', string];
}

export interface Stage {
  readonly data: Data;
  readonly roots: readonly Root[];
  /** Kinds of steps that this history goes without. */
  readonly without: ReadonlySet<string>;
  /** Whether nothing but transitions takes anything off the screen, so that no fallback may be seen. */
  readonly isCalm: boolean;
  /** What lets async transitions end. */
  readonly gates: (() => void)[];
}

type Draw = (stage: Stage, random: Random) => Step;

const NAMES = ['10', '11'];

export function newPlace({ pick, isLucky, below }: Random): Place {
  return {
    at: below(1_000_000),
    hook: pick(HOOKS),
    id: isLucky(0.95) ? pick(POSTS) : undefined,
    where: pick(['own', 'shared', 'hideable'] as const),
    isDeferred: isLucky(0.1),
    isSlow: isLucky(0.1),
  };
}

/** Changes of data and of pages. */
const CHANGES: Readonly<Record<string, Draw>> = {
  writeUser: ({ data }, { pick }) => {
    const id = pick(USERS);
    return { name: `write user ${id}`, run: () => data.writeUser(id), written: ['u', id] };
  },
  writePost: ({ data }, { pick }) => {
    const id = pick(POSTS);
    return { name: `write post ${id}`, run: () => data.writePost(id), written: ['p', id] };
  },
  writeBoth: ({ data }, { pick }) => {
    const [id, post] = [pick(USERS), pick(POSTS)];
    const run = (): void => data.controller.batch(() => (data.writeUser(id), data.writePost(post)));
    return { name: `write user ${id} and post ${post}`, run, written: ['u', id] };
  },
  refer: ({ data }, { pick }) => {
    const [id, author] = [pick(POSTS), pick(USERS)];
    return { name: `refer ${id} to ${author}`, run: () => data.refer(id, author), written: ['p', id] };
  },
  delete: ({ data }, { pick }) => {
    const id = pick(POSTS);
    return { name: `delete ${id}`, run: () => data.deletePost(id) };
  },
  list: ({ data }, { isLucky }) => {
    const list = POSTS.filter(() => isLucky(0.7));
    return { name: `list ${list.join()}`, run: () => data.relist(list) };
  },
  push: ({ data }, { pick }) => {
    const id = pick(POSTS);
    return { name: `push ${id}`, run: () => data.push(id) };
  },
  invalidate: ({ data }, { pick }) => {
    const id = pick(POSTS);
    return { name: `invalidate ${id}`, run: () => void data.controller.invalidate(data.getPost, { id }) };
  },
  invalidateList: ({ data }) => ({
    name: 'invalidate the list',
    run: () => void data.controller.invalidate(data.getList),
  }),
  invalidateSome: ({ data }, { isLucky }) => ({
    name: 'invalidate some',
    run: () => data.invalidate(() => isLucky(0.5)),
  }),
  invalidateAll: ({ data }) => ({ name: 'invalidate all', run: () => data.invalidate(() => true) }),
  expire: ({ data }, { isLucky }) => ({ name: 'expire', run: () => data.expire(() => isLucky(0.5)) }),
  reset: ({ data }) => ({ name: 'reset', run: () => data.reset() }),
  mutateUser: ({ data }, { pick }) => {
    const id = pick(USERS);
    return { name: `mutate user ${id}`, run: () => data.mutateUser(id) };
  },
  mutatePost: ({ data }, { pick }) => {
    const [id, author] = [pick(POSTS), pick(USERS)];
    return { name: `mutate post ${id} to ${author}`, run: () => data.mutatePost(id, author) };
  },
  create: ({ data }, { pick }) => {
    const [id, author] = [pick(NAMES), pick(USERS)];
    return { name: `create ${id} of ${author}`, run: () => data.create(id, author) };
  },
  mutateDelete: ({ data }, { pick }) => {
    const id = pick(POSTS);
    return { name: `mutate: delete ${id}`, run: () => data.delete(id) };
  },
  mount: ({ roots }, choice) => {
    const [root, place] = [choice.pick(roots), newPlace(choice)];
    const { hook, id, where } = place;
    const name = `mount ${where} ${hook} ${id}${place.isDeferred ? ' deferred' : ''}${place.isSlow ? ' slow' : ''}`;
    return { name, run: () => root.change({ places: [...root.page.places, place] }) };
  },
  unmount: ({ roots }, { pick, below }) => {
    const [root, at] = [pick(roots), below(8)];
    const run = (): void => root.change({ places: root.page.places.filter((_, index) => index !== at) });
    return { name: `unmount place ${at}`, run };
  },
  turn: ({ roots }, { pick, below }) => {
    const [root, at, id] = [pick(roots), below(6), pick(POSTS)];
    const turned = (place: Place, index: number): Place => (index === at ? { ...place, id } : place);
    return { name: `turn place ${at} to ${id}`, run: () => root.change({ places: root.page.places.map(turned) }) };
  },
  go: ({ roots }, { pick }) => {
    const [root, away] = [pick(roots), pick(PAGES)];
    return { name: `go ${away}`, run: () => root.change({ away }) };
  },
  hide: ({ roots }, { pick }) => {
    const root = pick(roots);
    return { name: 'hide or show', run: () => root.change({ isHidden: !root.page.isHidden }) };
  },
};

/** Ways in which changes are made. */
const LANES: Readonly<Record<string, Draw>> = {
  plain: (stage, choice) => {
    const { name, run } = change(stage, choice, true);
    return { name, run };
  },
  click: (stage, choice) => {
    const { name, run, written } = change(stage, choice, true);
    const isAtOnce = written !== undefined && stage.data.api.open.every((open) => !stage.data.api.mutations.has(open));
    return { name: `click: ${name}`, run: () => click(run), ...(isAtOnce && { written }) };
  },
  transition: (stage, choice) => {
    const { name, run } = change(stage, choice);
    return { name: `transition: ${name}`, run: () => React.startTransition(run) };
  },
  transitionOfTwo: (stage, choice) => {
    const [one, other] = [change(stage, choice), change(stage, choice)];
    const run = (): void => React.startTransition(() => (one.run(), other.run()));
    return { name: `transition: ${one.name}, ${other.name}`, run };
  },
  leave: (stage, choice) => {
    const [one, other] = [change(stage, choice), choice.pick([CHANGES['go'] as Draw])(stage, choice)];
    const run = (): void => React.startTransition(() => (one.run(), other.run()));
    return { name: `transition: ${one.name}, ${other.name}`, run };
  },
  action: (stage, choice) => {
    const [one, other] = [change(stage, choice), change(stage, choice)];
    const run = (): void =>
      React.startTransition(async () => {
        one.run();
        await new Promise<void>((open) => stage.gates.push(open));
        React.startTransition(other.run);
      });
    return { name: `async transition: ${one.name}, later ${other.name}`, run };
  },
};

/** What takes nothing off the screen. */
const GENTLE: ReadonlySet<string> = new Set([
  'writeUser',
  'writePost',
  'writeBoth',
  'refer',
  'list',
  'push',
  'expire',
  'mutateUser',
  'mutatePost',
  'create',
]);
/** What shows a fallback of its own, or an error. */
const ROUGH: readonly string[] = ['mount', 'hide', 'delete', 'mutateDelete', 'reset', 'fail'];

/** Kinds of steps that a history goes without. */
export function leftOut({ isLucky }: Random, isCalm: boolean): Set<string> {
  const left = new Set([...KINDS.filter(() => isLucky(0.25)), ...(isCalm ? ROUGH : [])]);
  for (const kind of ['plain', 'answer', 'writeUser']) left.delete(kind);
  // React 18 knows no async transitions.
  if (!('use' in React)) left.add('action');
  return left;
}

function change(stage: Stage, choice: Random, isUrgent = false): Step {
  const { without, isCalm } = stage;
  const kinds = Object.keys(CHANGES).filter((kind) => !without.has(kind) && (!isCalm || !isUrgent || GENTLE.has(kind)));
  return (CHANGES[choice.pick(kinds)] as Draw)(stage, choice);
}

/** What the server does, and what follows of it. */
const SERVER: Readonly<Record<string, Draw>> = {
  answerOne: ({ data: { api } }) => ({
    name: `answer ${api.open[0]}`,
    run: () => api.open.slice(0, 1).forEach((name) => api.answerNow(name)),
  }),
  answer: ({ data: { api } }, { isLucky }) => {
    const names = api.open.filter(() => isLucky(0.5));
    return { name: `answer ${names.join()}`, run: () => names.forEach((name) => api.answerNow(name)) };
  },
  fail: ({ data: { api } }) => ({
    name: `fail ${api.open[0]}`,
    run: () => api.open.slice(0, 1).forEach((name) => api.failNow(name)),
  }),
  retry: ({ roots }) => ({ name: 'retry', run: () => roots.forEach((root) => root.retry()) }),
  open: ({ gates }) => ({ name: 'end an async transition', run: () => gates.shift()?.() }),
};

const STEPS: Readonly<Record<string, Draw>> = { ...LANES, ...SERVER };
const WEIGHTS: Readonly<Record<string, number>> = {
  plain: 2,
  leave: 2,
  transition: 2,
  action: 0.3,
  fail: 0.5,
  retry: 0.5,
};
const KINDS: readonly string[] = [...Object.keys(CHANGES), ...Object.keys(STEPS)];

/** Each step has a seed of its own, so that leaving one out leaves the others as they are. */
export function draw(stage: Stage, seed: number): Step {
  const choice = random(seed);
  const kinds = Object.keys(STEPS).filter((kind) => !stage.without.has(kind));
  let left = kinds.reduce((sum, kind) => sum + (WEIGHTS[kind] ?? 1), 0) * (choice.below(1000) / 1000);
  const kind = kinds.find((one) => (left -= WEIGHTS[one] ?? 1) < 0) ?? 'plain';
  return (STEPS[kind] as Draw)(stage, choice);
}
