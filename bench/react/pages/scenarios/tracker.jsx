import { useState } from 'react';
import { issueAt, issuesOf, Server } from '../data.js';
import { expect, MOST_STEPS, renders, settled, steps, timed } from '../measure.js';
import { IssueRow, stageOf, textIn } from '../stage.jsx';

/** How many of a list are on the screen. */
const SHOWN = 100;

function listOf(made, state, most = SHOWN) {
  return function Issues() {
    renders.count++;
    const issues = made.useIssues(state);
    return (
      <ul id={state}>
        {issues?.slice(0, most).map((issue) => (
          <IssueRow key={issue.id} issue={issue} />
        ))}
      </ul>
    );
  };
}

const idsIn = (state) => [...document.getElementById(state).children].map(({ id }) => id);
const isGone = (id) => document.getElementById(id) === null;

/** A list of `size` issues is asked for and shown, into an empty store. */
async function getList({ peer, size, ...given }) {
  const server = new Server();
  const sent = issuesOf(size);
  server.put('open', sent);
  let stage;
  let View;
  const ready = async () => {
    await stage?.leave();
    const made = peer.issues(server, { isGuessing: false, isMoving: false });
    View = listOf(made, 'open', size);
    stage = await stageOf(made);
  };
  const step = () =>
    timed(
      stage.root,
      () => stage.show(View),
      () => stage.root.querySelectorAll('li').length === size,
    );
  const figures = await steps(step, { ...given, ready });
  expectIssues('open', sent);
  return { '': figures };
}

function expectIssues(state, issues) {
  const shown = [...document.getElementById(state).children];
  expect(shown.length === issues.length, `${shown.length} of ${issues.length} ${state} issues`);
  issues.forEach(({ title, user, comments }, at) => {
    const text = `${title} ${user.login} ${comments}`;
    expect(shown[at].textContent === text, `issue ${at} is "${shown[at].textContent}", not "${text}"`);
  });
}

/**
 * One kind of change, of a thousand issues with a hundred on the screen: with guesses, without, and as the peers do it that have
 * no records. `changeOf(world, turn)` changes `world`, which is how it will be, and gives what to call and how to tell
 * that it is shown.
 */
const changing = (changeOf, { open, shown = SHOWN, isMoving = false } = {}) =>
  async function change({ peer, size, ...given }) {
    // So many can be deleted, or moved, before the list is shorter than what is shown.
    const most = Math.min(given.most ?? MOST_STEPS, size / 2);
    const run = (how) =>
      changes(peer, worldOf(size, open), { shown, changeOf }, { isMoving, ...how }, { ...given, most });
    const guessed = await run({ isGuessing: true });
    const answered = await run({ isGuessing: false });
    const refetched = peer.canRefetch ? await run({ isGuessing: false, isRefetching: true }) : answered;
    return { 'with a guess': guessed, 'with the answer': answered, 'with a refetch': refetched };
  };

async function changes(peer, world, { shown, changeOf }, how, given) {
  const server = new Server();
  const publish = () => world.states.forEach((state) => server.put(state, world[state]));
  publish();
  const made = peer.issues(server, how);
  const stage = await stageOf(made);
  const Lists = world.states.map((state) => listOf(made, state, shown));
  await stage.showNow(() => Lists.map((List, at) => <List key={at} />));
  while (stage.root.querySelectorAll('ul:empty').length > 0) await settled();
  // A real server takes longer than a frame: with a guess, what is timed is the guess.
  server.isHolding = how.isGuessing;
  let pending;
  const step = async (turn) => {
    const { call, isShown } = changeOf(world, turn);
    if (how.isRefetching) publish();
    const took = await timed(stage.root, () => void (pending = call(made)), isShown);
    server.release();
    await pending;
    return took;
  };
  const figures = await steps(step, given);
  for (const state of world.states) expectIssues(state, world[state].slice(0, shown));
  await stage.leave();
  return figures;
}

function worldOf(size, openCount = size) {
  const issues = issuesOf(size, openCount);
  const states = openCount === size ? ['open'] : ['open', 'closed'];
  return { states, open: issues.slice(0, openCount), closed: issues.slice(openCount) };
}

const updateIssue = changing((world, turn) => {
  const at = (turn * 37) % SHOWN;
  const title = `Written in turn ${turn}`;
  const record = { ...world.open[at], title };
  world.open[at] = record;
  return {
    call: (made) => made.update({ id: record.id, title, record }),
    isShown: () => textIn(record.id, 'b') === title,
  };
});

const renameUser = changing((world, turn) => {
  const user = { ...world.open[turn % 20].user, login: `renamed-${turn}` };
  world.open = world.open.map((issue) => (issue.user.id === user.id ? { ...issue, user } : issue));
  const ids = world.open.slice(0, SHOWN).flatMap((issue) => (issue.user.id === user.id ? [issue.id] : []));
  return { call: (made) => made.rename(user), isShown: () => ids.every((id) => textIn(id, 'i') === user.login) };
});

const unshiftIssue = changing((world, turn) => {
  const issue = issueAt(1_000_000 + turn);
  world.open = [issue, ...world.open];
  return { call: (made) => made.unshift(issue), isShown: () => idsIn('open')[0] === issue.id };
});

const deleteIssue = changing((world, turn) => {
  const { id } = world.open[(turn * 37) % SHOWN];
  world.open = world.open.filter((issue) => issue.id !== id);
  const last = world.open[SHOWN - 1].id;
  return { call: (made) => made.remove(id), isShown: () => isGone(id) && !isGone(last) };
});

const moveIssue = changing(
  (world, turn) => {
    const issue = { ...world.open[(turn * 37) % 50], state: 'closed' };
    world.open = world.open.filter(({ id }) => id !== issue.id);
    world.closed = [...world.closed, issue];
    const isShown = () =>
      document.getElementById(issue.id)?.className === 'closed' && idsIn('closed').at(-1) === issue.id;
    return { call: (made) => made.move(issue), isShown };
  },
  { open: 900, shown: 400, isMoving: true },
);

const TRIPS = 10;

/** From a list to the page of one of its issues and back, ten times, each time to another issue. */
async function switching({ peer, size, ...given }) {
  const server = new Server();
  const { open } = worldOf(size);
  server.put('open', open);
  for (const issue of open) server.put(issue.id, issue);
  const made = peer.issues(server, { isGuessing: false, isMoving: false });
  const List = listOf(made, 'open');
  let go;
  function Detail({ id }) {
    renders.count++;
    const issue = made.useIssue(id, 'open');
    return issue === undefined ? null : (
      <article>
        <h1>{issue.title}</h1> <p>{issue.body}</p> <i>{issue.user.login}</i>
      </article>
    );
  }
  function Screen() {
    const [id, setId] = useState();
    go = setId;
    return id === undefined ? <List /> : <Detail id={id} />;
  }
  const stage = await stageOf(made);
  await stage.showNow(Screen);
  const show = (id, isShown) => timed(stage.root, () => go(id), isShown);
  const step = async (turn) => {
    let sum = 0;
    for (let at = 0; at < TRIPS; at++) {
      const issue = open[(turn * TRIPS + at) % open.length];
      const text = `${issue.title} ${issue.body} ${issue.user.login}`;
      sum += await show(issue.id, () => stage.root.firstChild?.textContent === text);
      sum += await show(undefined, () => stage.root.querySelectorAll('li').length === SHOWN);
    }
    return sum;
  };
  const figures = await steps(step, { most: 30, ...given });
  expectIssues('open', open.slice(0, SHOWN));
  return { '': figures };
}

export const tracker = {
  getlist: getList,
  'update-entity': updateIssue,
  'update-user': renameUser,
  'list-detail-switch-10': switching,
  'unshift-item': unshiftIssue,
  'delete-item': deleteIssue,
  'move-item': moveIssue,
};
