/** A dashboard: relations of every form and live queries over data that comes nested, flat and by keys, with edits and a WebSocket. */
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import {
  beforeFrame,
  type Controller,
  Invalidate,
  type Manager,
  refsOf,
  StreamManager,
  webSocket,
  getDefaultManagers,
} from 'rejoin';
import { useController, useMutation, useQuery, useSubscription, useSuspense } from 'rejoin/react';
import { DashboardServer, type Table } from './dashboard-server.ts';
import { Socket } from './kanban-server.ts';
import type { Fields } from './network.ts';
import { Button, playWorld, useChoice, useIsFresh, World } from './world.tsx';
import {
  nameOf,
  byTitle,
  ids,
  sortedIds,
  allPeople,
  openOf,
  longest,
  byDueQuery,
  next,
  perPerson,
  withTasks,
  deep,
  joined,
  states,
  longestDone,
  type Args,
  queries,
} from './dashboard-queries.ts';
import { network, Team, Tag, type Task, api, classes, tablesOf } from './dashboard-model.ts';

const { platform } = network;
let world: DashboardWorld;
const unique = network.next;
/** Persons change with their tasks, which JSON does not have; `next` has a record as its argument; a created note gets another pk. */
const CHANGING = new Set(['fields', 'deep', 'people', 'next', 'notes']);
const TEAMS = ['t1', 't2', 't3', 't4'];
const pick = <Item,>(all: readonly Item[]): Item => all[unique() % all.length] as Item;

function TaskView({ task }: { readonly task: Task }): ReactNode {
  const controller = useController();
  const { mutate: edit } = useMutation(api.tasks.partialUpdate);
  const { mutate: remove } = useMutation(api.tasks.delete);
  const { id, state } = task;
  const tags = refsOf(controller, task, 'tags');
  const tag = `g${1 + (unique() % 3)}`;
  const toggled = tags.includes(tag) ? tags.filter((one) => one !== tag) : [...tags, tag];
  return (
    <>
      {` ${nameOf(task)}:${task.title}/${state}/${task.hours}/${task.assigneeId}/${task.team?.name}/${task.tags.map((one) => one.name).join('+')}`}
      <Button name={`hours ${id}`} onClick={() => void edit({ id }, { hours: unique() % 6 })} />
      <Button name={`state ${id}`} onClick={() => void edit({ id }, { state: state === 'open' ? 'done' : 'open' })} />
      <Button name={`team ${id}`} onClick={() => void edit({ id }, { team: pick(TEAMS) })} />
      <Button name={`assign ${id}`} onClick={() => void edit({ id }, { assigneeId: `p${1 + (unique() % 3)}` })} />
      <Button name={`tag ${id}`} onClick={() => void edit({ id }, { tags: toggled })} />
      <Button name={`delete ${id}`} onClick={() => void remove({ id })} />
    </>
  );
}

function Load(): ReactNode {
  const isFresh = useIsFresh();
  for (const { getList } of Object.values(api))
    useSubscription(getList as typeof api.tasks.getList, ...(isFresh ? [null] : []));
  const teams = useSuspense(api.teams.getList);
  const people = useSuspense(api.people.getList);
  const members = useSuspense(api.members.getList);
  useSuspense(api.tags.getList);
  const notes = useSuspense(api.notes.getList);
  const tasks = useSuspense(api.tasks.getList);
  return ` ${ids(teams)} ${ids(people)} ${sortedIds(members)} ${sortedIds(notes)} ${sortedIds(tasks)}`;
}

function Queries({ args }: { readonly args: Args }): ReactNode {
  const { least, tag, team: id } = args;
  const team = useQuery(Team, { id });
  const shown = {
    open: useQuery(openOf, { team: id }),
    longest: useQuery(longest, { least }),
    due: useQuery(byDueQuery),
    next: useQuery(next, { last: useQuery(byDueQuery)?.at(-1) }),
    perPerson: useQuery(perPerson),
    withTasks: useQuery(withTasks),
    deep: useQuery(deep),
    joined: useQuery(joined),
    states: useQuery(states),
    longestDone: useQuery(longestDone, { least }),
    people: useQuery(Team.people, id),
    path: useQuery(Team.byPath, id),
    above: useQuery(Team.above, id),
    below: useQuery(Team.below, id),
    notes: useQuery(Team.notes, ...(team ? ([team] as const) : ([null] as const))),
    tagged: useQuery(Tag.tasks, tag),
    fields: useQuery(allPeople),
  };
  return Object.entries(shown).map(([name, value]) => ` | ${name} = ${queries[name]?.[1]((value ?? []) as never)}`);
}

function Dashboard(): ReactNode {
  const [team, go] = useChoice('team', 't1');
  const [least, atLeast] = useChoice('least', 1);
  const [tag, choose] = useChoice('tag', 'g1');
  const tasks = useSuspense(api.tasks.getList);
  const members = useSuspense(api.members.getList);
  const notes = useSuspense(api.notes.getList);
  const { mutate: create } = useMutation(api.tasks.getList.push);
  const { mutate: join } = useMutation(api.members.getList.push);
  const { mutate: note } = useMutation(api.notes.getList.push);
  const { mutate: leave } = useMutation(api.members.delete);
  const { mutate: forget } = useMutation(api.notes.delete);
  const { mutate: move } = useMutation(api.teams.partialUpdate);
  const { mutate: rename } = useMutation(api.people.partialUpdate);
  const { mutate: dismiss } = useMutation(api.people.delete);
  const add = (): void => {
    const id = world.isChosen ? { id: `k${unique()}`.padEnd(20, 'x') } : {};
    const title = `x${unique()}`;
    const fields = { title, state: 'open', hours: unique() % 6, due: '2026-03-01', path: `${team}/b`, tags: [tag] };
    void create({ ...id, ...fields, assigneeId: 'p1', team } as never);
  };
  return (
    <>
      <Load />
      {[...tasks].sort(byTitle).map((task) => (
        <TaskView key={task.id} task={task} />
      ))}
      <Queries args={(world.args = { team, least, tag })} />
      {TEAMS.map((one) => (
        <Button key={one} name={`go ${one}`} onClick={() => go(one)} />
      ))}
      <Button name="least" onClick={() => atLeast(unique() % 5)} />
      <Button name="tag" onClick={() => choose(`g${1 + (unique() % 3)}`)} />
      <Button name="create" onClick={add} />
      <Button
        name="join"
        onClick={() => void join({ teamId: team, personId: `p${1 + (unique() % 3)}`, role: `r${unique()}` })}
      />
      <Button
        name="note"
        onClick={() => void note({ text: `x${unique()}`, about: { id: team, type: 'team' } } as never)}
      />
      {members.map(({ id }) => (
        <Button key={id} name={`leave ${id}`} onClick={() => void leave({ id })} />
      ))}
      {notes.map(({ id }) => (
        <Button key={id} name={`forget ${id}`} onClick={() => void forget({ id })} />
      ))}
      <Button name="move" onClick={() => void move({ id: team }, { parentId: pick([...TEAMS, null]) })} />
      <Button name="rename" onClick={() => void rename({ id: pick(['p1', 'p2']) }, { name: `n${unique()}` })} />
      <Button name="dismiss" onClick={() => void dismiss({ id: 'p3' })} />
    </>
  );
}

class DashboardWorld extends World {
  readonly server = new DashboardServer(network, this.choice);
  readonly isChosen = this.choice.isLucky(0.5);
  args: Args = { team: 't1', least: 1, tag: 'g1' };
  readonly #former = new Map<string, { readonly value: unknown; readonly args: string }>();

  constructor(seed: number) {
    super(seed, network);
    this.watch.isStreamed = true;
  }

  override managers(): readonly Manager[] {
    const stream = new StreamManager(webSocket('wss://server', { WebSocket: Socket }), {
      covers: ({ endpoint }) => Object.values(api).some(({ getList }) => getList.name === endpoint.name),
      write: ({ data }) => {
        const { row, table, type } = data as { readonly type: string; readonly table: Table; readonly row: Fields };
        if (type === 'created') return { schema: api[table].getList.schema.push, value: row };
        return { schema: type === 'deleted' ? new Invalidate(classes[table]) : classes[table], value: row };
      },
      schedule: beforeFrame({}, platform),
      platform,
    });
    return [stream, ...getDefaultManagers({ devToolsManager: null })];
  }

  override isQuiet(): boolean {
    return Socket.latest?.readyState === 1;
  }

  override inspect(controller: Controller): readonly string[] {
    const all = tablesOf(controller);
    const { args } = this;
    return Object.entries(queries).flatMap(([name, [read, show, naive]]) => {
      const value = read(controller, args);
      const [found, due] = [show((value ?? []) as never), naive(all, args)];
      if (found !== due) return [`${name} is\n${found}, due\n${due}`];
      const former = this.#former.get(name);
      this.#former.set(name, { value, args: JSON.stringify(args) });
      return CHANGING.has(name) || !this.isChosen || former?.args !== JSON.stringify(args)
        ? []
        : changedInVain(name, former?.value, value);
    });
  }

  override page(): ReactNode {
    return <Dashboard />;
  }
}

/** Objects that are equal to former ones must be the same. */
function changedInVain(name: string, former: unknown, value: unknown): readonly string[] {
  if (!Array.isArray(former) || !Array.isArray(value)) return [];
  const known = new Map(former.map((one) => [JSON.stringify(one), one as unknown]));
  const faults = value.flatMap((one) => {
    const same = known.get(JSON.stringify(one));
    return same !== undefined && same !== one ? [`${name} has another object: ${JSON.stringify(one)}`] : [];
  });
  if (former !== value && JSON.stringify(former) === JSON.stringify(value)) faults.push(`${name} is another array`);
  return faults;
}

test('live queries and relations are what loops over the records give', { timeout: 3_600_000 }, async () => {
  expect(await playWorld((seed) => (world = new DashboardWorld(seed)), 24)).toEqual({ failed: [], least: undefined });
});
