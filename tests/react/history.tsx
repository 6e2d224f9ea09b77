/** Random programs over one page: many hooks show related records while these change, move, fail to be there, and come back. */
import * as React from 'react';
import { type ComponentType, type ReactNode, startTransition, Suspense, useState } from 'react';
import { DataProvider, useCache, useDLE, useFetch, useLive, useQuery, useSuspense } from 'rejoin/react';
import { click, rest, show, type Shown, until } from './harness.tsx';
import {
  everyPost,
  type Hook,
  HOOKS,
  PAGES,
  type Place,
  Post,
  post,
  POSTS,
  posts,
  user,
  User,
  USERS,
  World,
} from './history-world.ts';
import { type Random, random } from './random.ts';

/** React 18 has no `use`. */
const use = (React as { use?: <Value>(promise: Promise<Value>) => Value }).use;
const Activity = (React as { Activity?: ComponentType<{ mode: 'visible' | 'hidden'; children: ReactNode }> }).Activity;

/** Many more renders in one step than any step has a reason for. */
const MOST_RENDERS = 2000;

function placeOf(world: World): ComponentType<Place> {
  const { getPost, getList } = world;
  const hooks: Record<Hook, (id: string) => string> = {
    query: (id) => post(useQuery(Post, { id })),
    user: (id) => user(useQuery(User, { id })),
    cache: (id) => post(useCache(getPost, { id })),
    suspense: (id) => post(useSuspense(getPost, { id })),
    live: (id) => post(useLive(getPost, { id })),
    dle: (id) => post(useDLE(getPost, { id }).data),
    fetch: (id) => {
      const promise = useFetch(getPost, { id });
      return use === undefined ? '' : post(use(promise));
    },
    list: () => posts(useSuspense(getList)),
    all: () => posts(useQuery(everyPost)),
  };
  return function PlaceView({ hook, id }: Place): ReactNode {
    world.renders++;
    return <i>{` ${hook}(${hooks[hook](id)})`}</i>;
  };
}

function pageOf(world: World): ComponentType {
  const PlaceView = placeOf(world);
  function Away({ id }: { id: string | undefined }): ReactNode {
    const shown = useSuspense(world.getPost, id === undefined ? null : { id });
    return shown === undefined ? '' : post(shown);
  }
  const Hideable = Activity ?? (({ children }: { children: ReactNode }) => children);
  return function PageView(): ReactNode {
    const [{ places, away, isHidden }, go] = useState(world.page);
    world.go = go;
    const view = (place: Place): ReactNode => <PlaceView key={place.at} {...place} />;
    return (
      <>
        <Away id={away} />
        {places.filter(({ isShared }) => isShared).map(view)}
        <Hideable mode={isHidden ? 'hidden' : 'visible'}>
          <div>
            {places
              .filter(({ isShared }) => !isShared)
              .map((place) => (
                <Suspense key={place.at} fallback={<i> waiting</i>}>
                  {view(place)}
                </Suspense>
              ))}
          </div>
        </Hideable>
      </>
    );
  };
}

/** Every version of each record that a frame shows. */
function versionsIn(frame: string): Map<string, Set<string>> {
  const versions = new Map<string, Set<string>>();
  for (const [, name = '', version = ''] of frame.matchAll(/ ([up]\d+):(\d+(?:>\d+)?)/g))
    versions.set(name, (versions.get(name) ?? new Set()).add(version));
  return versions;
}

export interface Outcome {
  readonly seed: number;
  readonly frames: number;
  /** What was wrong; empty where nothing was. */
  readonly faults: readonly string[];
}

interface Step {
  readonly name: string;
  readonly run: () => void;
  /** What the very next frame has to show. */
  readonly expected?: RegExp;
}

function draw(world: World, { below, pick, isLucky }: Random): Step {
  const { api, controller, getPost, getList } = world;
  const id = pick(USERS);
  const postId = pick(POSTS);
  const place = (): Place => ({ at: ++serial, hook: pick(HOOKS), id: pick(POSTS), isShared: isLucky(0.4) });
  const list = POSTS.filter(() => isLucky(0.7));
  const author = pick(USERS);
  const changes: readonly Step[] = [
    { name: `write user ${id}`, run: () => world.writeUser(id) },
    { name: `write post ${postId}`, run: () => world.writePost(postId) },
    {
      name: `write user ${id} and post ${postId}`,
      run: () => controller.batch(() => (world.writeUser(id), world.writePost(postId))),
    },
    { name: `refer ${postId} to ${author}`, run: () => world.refer(postId, author) },
    { name: `list ${list.join()}`, run: () => world.relist(list) },
    { name: 'mount', run: () => world.change({ places: [...world.page.places, place()] }) },
    { name: 'unmount', run: () => world.change({ places: world.page.places.filter(() => isLucky(0.7)) }) },
    { name: `invalidate ${postId}`, run: () => void controller.invalidate(getPost, { id: postId }) },
    { name: 'invalidate the list', run: () => void controller.invalidate(getList) },
    { name: 'expire', run: () => void controller.expireAll({ testKey: () => isLucky(0.5) }) },
    { name: 'hide or show', run: () => world.change({ isHidden: !world.page.isHidden }) },
  ];
  const away = pick(PAGES);
  const [one, other] = [pick(changes), pick(changes)];
  const written = isLucky(0.5)
    ? { name: `u${id}`, run: () => world.writeUser(id) }
    : { name: `p${postId}`, run: () => world.writePost(postId) };
  const steps: readonly Step[] = [
    one,
    other,
    { name: `click: ${one.name}`, run: () => click(one.run) },
    {
      name: `click: write ${written.name}`,
      run: () => click(written.run),
      expected: new RegExp(` ${written.name}:(?!${api.truth.version + 1}\\b)\\d+`),
    },
    { name: `transition: ${one.name}`, run: () => startTransition(one.run) },
    { name: `transition: ${one.name}, ${other.name}`, run: () => startTransition(() => (one.run(), other.run())) },
    {
      name: `transition: ${one.name}, go ${away}`,
      run: () => startTransition(() => (one.run(), world.change({ away }))),
    },
    { name: 'answer one', run: () => api.open.slice(0, 1).forEach((name) => api.answerNow(name)) },
    { name: 'answer', run: () => api.open.filter(() => isLucky(0.5)).forEach((name) => api.answerNow(name)) },
  ];
  void below;
  return pick(steps);
}

let serial = 0;

function setUp(world: World, seed: number): { readonly random: Random; readonly shown: Shown } {
  const choice = random(seed);
  const { pick, isLucky } = choice;
  for (const id of USERS) world.writeUser(id);
  for (const id of POSTS) world.refer(id, pick(USERS));
  world.relist(POSTS);
  for (const id of POSTS) void world.controller.setResponse(world.getPost, { id }, world.api.answerOf(id));
  const places = Array.from({ length: 6 }, () => ({
    at: ++serial,
    hook: pick(HOOKS),
    id: pick(POSTS),
    isShared: isLucky(0.4),
  }));
  world.page = { ...world.page, places };
  const PageView = pageOf(world);
  const shown = show(
    <DataProvider controller={world.controller}>
      <Suspense fallback=" loading">
        <PageView />
      </Suspense>
    </DataProvider>,
    { isStrict: isLucky(0.3) },
  );
  return { random: choice, shown };
}

/** Plays one history, and says what was wrong with it. */
export async function play(seed: number, steps: number): Promise<Outcome> {
  const world = new World();
  const { random: choice, shown } = setUp(world, seed);
  const faults: string[] = [];
  const told: string[] = [];
  await until(() => shown.text() !== '');
  let judged = 0;
  const judge = (): void => {
    for (; judged < shown.frames.length; judged++) {
      const frame = shown.frames[judged] ?? '';
      for (const [name, versions] of versionsIn(frame))
        if (versions.size > 1)
          faults.push(`${name} is ${[...versions].join(' and ')}: ${frame} after ${told.slice(-8).join('; ')}`);
    }
  };
  for (let at = 0; at < steps && faults.length === 0; at++) {
    const { name, run, expected } = draw(world, choice);
    told.push(name);
    world.renders = 0;
    run();
    if (expected?.test(shown.text()) === true)
      faults.push(`${name} is not shown at once: ${shown.text()} after ${told.slice(-8).join('; ')}`);
    // oxlint-disable-next-line no-await-in-loop -- steps follow each other
    await rest(choice.below(4));
    if (world.renders > MOST_RENDERS) faults.push(`${name} renders ${world.renders} times`);
    judge();
  }
  if (faults.length === 0)
    faults.push(...(await atRest(world, shown)).map((fault) => `${fault} after ${told.slice(-20).join('; ')}`));
  judge();
  const { length: frames } = shown.frames;
  shown.unmount();
  world.controller.dispose();
  return { seed, frames, faults };
}

/** What is wrong once everything has been answered. */
async function atRest(world: World, shown: Shown): Promise<string[]> {
  const { api } = world;
  world.change({ isHidden: false });
  for (let calm = 0; calm < 5; calm++) {
    if (api.open.length > 0) calm = 0;
    for (const name of api.open) api.answerNow(name);
    // oxlint-disable-next-line no-await-in-loop -- until nobody asks for more
    await rest(8);
  }
  // React holds some of it back for a while.
  await until(() => !/waiting|loading/.test(shown.text())).catch(() => {});
  const { truth } = api;
  const text = shown.text();
  const faults: string[] = [];
  for (const [, name = '', version = ''] of text.matchAll(/ u(\d+):(\d+)/g))
    if (truth.users.get(name) !== Number(version))
      faults.push(
        `user ${name} is ${version} at rest, not ${truth.users.get(name)} (store: ${world.controller.get(User, { id: name })?.version}): ${text}`,
      );
  for (const [, name = '', version = ''] of text.matchAll(/ p(\d+):(\d+)/g))
    if (truth.posts.get(name)?.version !== Number(version))
      faults.push(`post ${name} is ${version} at rest, not ${truth.posts.get(name)?.version}: ${text}`);
  if (/waiting|loading/.test(text)) faults.push(`somebody waits for ever: ${text} ${JSON.stringify(world.page)}`);
  return faults;
}
