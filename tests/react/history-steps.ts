/** The steps of the random React histories. */
import * as React from 'react';
import { click } from './harness.tsx';
import { HOOKS, type Place, type Root } from './history-page.tsx';
import { type Data, getList, getPost, PAGES, POSTS, USERS } from './history-world.ts';
import { type Random, random } from './random.ts';

/** A kind of record, and its pk. */
export type Written = readonly [data: Data, kind: 'u' | 'p', pk: string];

export interface Step {
  readonly name: string;
  readonly run: () => void;
  /** The record that it writes, if the page has to show it at once. */
  readonly written?: Written;
}

export interface Stage {
  /** One controller, or two. */
  readonly datas: readonly Data[];
  readonly roots: readonly Root[];
  /** The kinds of steps that this history does not have. */
  readonly without: ReadonlySet<string>;
  /** Whether only transitions remove content, so that no fallback may be shown. */
  readonly keepsContent: boolean;
  /** The functions that end the async transitions. */
  readonly gates: (() => void)[];
}

/** The stage of one step, which changes the data of one of the controllers. */
interface Scene extends Stage {
  readonly data: Data;
}

type Draw = (stage: Scene, random: Random) => Step;

const NAMES = ['10', '11'];

export function newPlace({ pick, isLucky, below }: Random, hasTwo: boolean): Place {
  return {
    at: below(1_000_000),
    hook: pick(HOOKS),
    id: isLucky(0.95) ? pick(POSTS) : undefined,
    where: hasTwo && isLucky(0.2) ? 'nested' : pick(['own', 'shared', 'hideable'] as const),
    isDeferred: isLucky(0.1),
    isSlow: isLucky(0.1),
  };
}

/** Changes of data and of pages. */
const CHANGES: Readonly<Record<string, Draw>> = {
  writeUser: ({ data }, { pick }) => {
    const id = pick(USERS);
    return { name: `write user ${id}`, run: () => data.writeUser(id), written: [data, 'u', id] };
  },
  writePost: ({ data }, { pick }) => {
    const id = pick(POSTS);
    return { name: `write post ${id}`, run: () => data.writePost(id), written: [data, 'p', id] };
  },
  writeBoth: ({ data }, { pick }) => {
    const [id, post] = [pick(USERS), pick(POSTS)];
    const run = (): void => data.controller.batch(() => (data.writeUser(id), data.writePost(post)));
    return { name: `write user ${id} and post ${post}`, run, written: [data, 'u', id] };
  },
  refer: ({ data }, { pick }) => {
    const [id, author] = [pick(POSTS), pick(USERS)];
    return { name: `refer ${id} to ${author}`, run: () => data.refer(id, author), written: [data, 'p', id] };
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
    return { name: `invalidate ${id}`, run: () => void data.controller.invalidate(getPost, { id }) };
  },
  invalidateList: ({ data }) => ({
    name: 'invalidate the list',
    run: () => void data.controller.invalidate(getList),
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
  mount: ({ datas, roots }, choice) => {
    const [root, place] = [choice.pick(roots), newPlace(choice, datas.length > 1)];
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
  rekey: ({ roots }, { pick, below }) => {
    const [root, at, key] = [pick(roots), below(6), below(1_000_000)];
    const keyed = (place: Place, index: number): Place => (index === at ? { ...place, at: key } : place);
    return { name: `give place ${at} another key`, run: () => root.change({ places: root.page.places.map(keyed) }) };
  },
  swap: ({ roots }, { pick, isLucky }) => {
    const [root, isMountedAgain] = [pick(roots), isLucky(0.2)];
    return {
      name: `replace the controller${isMountedAgain ? ' and the key' : ''}`,
      run: () => root.swap(isMountedAgain),
    };
  },
  act: ({ data, roots }, { pick, below }) => {
    const [root, id, at] = [pick(roots), pick(USERS), below(4)];
    const run = (): void => [...root.actions][at]?.(id, { guess: data.version, version: data.version });
    return { name: `act ${at} on user ${id}`, run };
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
    const { api } = stage.data;
    const isAtOnce = written !== undefined && api.open.every((open) => !api.mutations.has(open));
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

/** The kinds of changes that remove no content. */
const REMOVING_NOTHING: ReadonlySet<string> = new Set([
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
  'act',
]);
/** The kinds of steps that show a fallback or an error, also in a transition. */
const SHOWING_FALLBACKS: readonly string[] = [
  'mount',
  'rekey',
  'hide',
  'delete',
  'mutateDelete',
  'reset',
  'swap',
  'fail',
];

/** Chooses kinds of steps that a history does not have. */
export function leftOut({ isLucky }: Random, keepsContent: boolean, hasTwo: boolean): Set<string> {
  const left = new Set([...KINDS.filter(() => isLucky(0.25)), ...(keepsContent ? SHOWING_FALLBACKS : [])]);
  if (!hasTwo) left.add('swap');
  for (const kind of ['plain', 'answer', 'writeUser']) left.delete(kind);
  // React 18 has no async transitions.
  if (!('use' in React)) left.add('action');
  return left;
}

function change(stage: Scene, choice: Random, isUrgent = false): Step {
  const { without, keepsContent } = stage;
  const isAllowed = (kind: string): boolean => !keepsContent || !isUrgent || REMOVING_NOTHING.has(kind);
  const kinds = Object.keys(CHANGES).filter((kind) => !without.has(kind) && isAllowed(kind));
  return (CHANGES[choice.pick(kinds)] as Draw)(stage, choice);
}

/** Answers of the server, and further attempts. */
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

/** Each step has its own seed, so the others stay the same if one is left out. */
export function draw(stage: Stage, seed: number): Step {
  const choice = random(seed);
  const kinds = Object.keys(STEPS).filter((kind) => !stage.without.has(kind));
  let left = kinds.reduce((sum, kind) => sum + (WEIGHTS[kind] ?? 1), 0) * (choice.below(1000) / 1000);
  const kind = kinds.find((one) => (left -= WEIGHTS[one] ?? 1) < 0) ?? 'plain';
  return (STEPS[kind] as Draw)({ ...stage, data: choice.pick(stage.datas) }, choice);
}
