/** The live queries of a dashboard, and the same queries as loops over plain arrays. */
import { arg, collect, type Controller, count, distinct, from, max, on, sum } from 'rejoin';
import { Team, Person, Member, Tag, Task, type Note, api, deletedIds, type tablesOf } from './dashboard-model.ts';

type Tables = ReturnType<typeof tablesOf>;

const compare = (one: string | number, other: string | number): number => (one < other ? -1 : one > other ? 1 : 0);
export const nameOf = ({ id }: { readonly id: string }): string => id.replaceAll(':', '.');
export const byTitle = (one: Task, other: Task): number => compare(one.title, other.title) || compare(one.id, other.id);
const byHoursDown = (one: Task, other: Task): number => other.hours - one.hours || compare(one.id, other.id);
const byDue = (one: Task, other: Task): number => compare(+one.due, +other.due) || compare(one.id, other.id);
const text = (task: Task): string => `${nameOf(task)} ${task.title} ${task.state} ${task.hours} ${task.assigneeId}`;
const texts = (all: readonly Task[] = []): string => all.map(text).join();
export const ids = (all: readonly { readonly id: string }[] = []): string => all.map(nameOf).join();
export const sortedIds = (all: readonly { readonly id: string }[] = []): string =>
  ids([...all].sort((a, b) => compare(a.id, b.id)));

const byId = <Row extends { readonly id: string }>(all: readonly Row[]): Row[] =>
  [...all].sort((a, b) => compare(a.id, b.id));

export const allPeople = from(Person).orderBy('id');
export const openOf = from(Task)
  .where({ state: 'open', team: arg('team') })
  .orderBy('title');
export const longest = from(Task)
  .where({ hours: { gte: arg('least') } })
  .orderBy('hours', 'desc')
  .limit(3);
export const byDueQuery = from(Task).orderBy('due').limit(2);
export const next = from(Task).orderBy('due').after(arg('last')).limit(2);
export const perPerson = from(Task).groupBy('assigneeId', {
  tasks: count(),
  done: count((task) => task.state === 'done'),
  hours: sum((task) => task.hours),
  most: max((task) => task.hours),
  ids: collect((task) => task.id),
});
export const withTasks = from(Team)
  .orderBy('id')
  .with({ tasks: Team.tasks, open: Team.tasks.where({ state: 'open' }).count() });
export const deep = from(Team)
  .orderBy('id')
  .with({ members: Team.members.with({ person: Member.person }) });
export const joined = from(Person)
  .join('task', Task, on('id', 'assigneeId'))
  .select(({ name, task }) => `${name} ${nameOf(task)}`);
export const states = distinct(from(Task).select((task) => task.state));
export const longestDone = from(longest).where({ state: 'done' });
const listed = from(api.tasks.getList.schema).where({ state: 'done' }).orderBy('hours', 'desc');

export interface Args {
  readonly team: string;
  readonly least: number;
  readonly tag: string;
}
type Read = (controller: Controller, args: Args) => unknown;
type Naive = (all: Tables, args: Args) => string;

function notesOf(controller: Controller, id: string): readonly Note[] | undefined {
  const team = controller.get(Team, { id });
  return team && controller.get(Team.notes, team);
}
function climb(all: Tables, id: string): readonly string[] {
  const found: string[] = [];
  for (let at = all.teams.find((one) => one.id === id)?.parentId; at && at !== id && !found.includes(at);) {
    if (!all.teams.some((one) => one.id === at)) break;
    found.push(at);
    at = all.teams.find((one) => one.id === at)?.parentId;
  }
  return found;
}
function descend(all: Tables, id: string): readonly string[] {
  const found: string[] = [];
  for (let level = [id]; level.length > 0;) {
    level = all.teams.filter((one) => level.includes(one.parentId ?? '')).map((one) => one.id);
    level = level.filter((one) => one !== id && !found.includes(one));
    found.push(...level);
  }
  return found.sort(compare);
}
const inTeam = (all: Tables, team: string): Task[] =>
  all.tasks.filter((task) => all.teamOf(task) === team).sort(byTitle);

/** Each query: how it is read, how its result is written, and the same with plain loops. */
export const queries: Readonly<Record<string, readonly [Read, (value: never) => string, Naive]>> = {
  open: [
    (c, { team }) => c.get(openOf, { team }),
    texts,
    (all, { team }) => texts(inTeam(all, team).filter((task) => task.state === 'open')),
  ],
  longest: [
    (c, { least }) => c.get(longest, { least }),
    texts,
    (all, { least }) =>
      texts(
        all.tasks
          .filter(({ hours }) => hours >= least)
          .sort(byHoursDown)
          .slice(0, 3),
      ),
  ],
  due: [(c) => c.get(byDueQuery), texts, (all) => texts([...all.tasks].sort(byDue).slice(0, 2))],
  next: [
    (c) => c.get(next, { last: c.get(byDueQuery)?.at(-1) }),
    texts,
    (all) => texts([...all.tasks].sort(byDue).slice(all.tasks.length ? 2 : 0, 4)),
  ],
  perPerson: [
    (c) => c.get(perPerson),
    (
      rows: readonly {
        assigneeId: string;
        tasks: number;
        done: number;
        hours: number;
        most: number;
        ids: string[];
      }[],
    ) =>
      [...rows]
        .sort((a, b) => compare(a.assigneeId, b.assigneeId))
        .map(
          (row) =>
            `${row.assigneeId} ${row.tasks} ${row.done} ${row.hours} ${row.most} ${[...row.ids].sort(compare).join('+').replaceAll(':', '.')}`,
        )
        .join(),
    (all) =>
      [...new Set(all.tasks.map((task) => task.assigneeId))]
        .sort(compare)
        .map((id) => {
          const tasks = all.tasks.filter((task) => task.assigneeId === id);
          const hours = tasks.map((task) => task.hours);
          const done = tasks.filter((task) => task.state === 'done').length;
          const keys = tasks
            .map((task) => task.id)
            .sort(compare)
            .join('+')
            .replaceAll(':', '.');
          return `${id} ${tasks.length} ${done} ${hours.reduce((a, b) => a + b)} ${Math.max(...hours)} ${keys}`;
        })
        .join(),
  ],
  withTasks: [
    (c) => c.get(withTasks),
    (teams: readonly { id: string; tasks: readonly Task[]; open: number }[]) =>
      teams.map(({ id, open, tasks }) => `${id} ${open} ${texts(tasks)}`).join(';'),
    (all) =>
      byId(all.teams)
        .map(({ id }) => {
          const tasks = inTeam(all, id);
          return `${id} ${tasks.filter((task) => task.state === 'open').length} ${texts(tasks)}`;
        })
        .join(';'),
  ],
  deep: [
    (c) => c.get(deep),
    (teams: readonly { id: string; members: readonly { role: string; person?: Person }[] }[]) =>
      teams
        .map(({ id, members }) => `${id} ${members.map(({ person, role }) => `${role} ${person?.name}`).join()}`)
        .join(';'),
    (all) =>
      byId(all.teams)
        .map(({ id }) => {
          const members = all.members
            .filter(({ teamId }) => teamId === id)
            .sort((a, b) => compare(a.role, b.role) || compare(a.id, b.id));
          const personName = (person: string): string => `${all.people.find((one) => one.id === person)?.name}`;
          return `${id} ${members.map(({ personId, role }) => `${role} ${personName(personId)}`).join()}`;
        })
        .join(';'),
  ],
  joined: [
    (c) => c.get(joined),
    (rows: readonly string[]) => [...rows].sort(compare).join(),
    (all) =>
      all.people
        .flatMap(({ id, name }) =>
          all.tasks.filter((task) => task.assigneeId === id).map((task) => `${name} ${nameOf(task)}`),
        )
        .sort(compare)
        .join(),
  ],
  states: [
    (c) => c.get(states),
    (rows: readonly string[]) => [...rows].sort(compare).join(),
    (all) => [...new Set(all.tasks.map((task) => task.state))].sort(compare).join(),
  ],
  longestDone: [
    (c, { least }) => c.get(longestDone, { least }),
    texts,
    (all, { least }) =>
      texts(
        all.tasks
          .filter(({ hours }) => hours >= least)
          .sort(byHoursDown)
          .slice(0, 3)
          .filter(({ state }) => state === 'done'),
      ),
  ],
  many: [
    (c, { least }) =>
      `${c.get(
        from(Task)
          .where({ hours: { gte: least } })
          .count(),
      )} ${c.get(from(Task).orderBy('title').one())?.id}`,
    String,
    (all, { least }) =>
      `${all.tasks.filter(({ hours }) => hours >= least).length} ${[...all.tasks].sort(byTitle)[0]?.id}`,
  ],
  people: [
    (c, { team }) => c.get(Team.people, team),
    sortedIds,
    (all, { team }) =>
      sortedIds(
        all.people.filter(({ id }) => all.members.some(({ personId, teamId }) => teamId === team && personId === id)),
      ),
  ],
  path: [
    (c, { team }) => c.get(Team.byPath, team),
    sortedIds,
    (all, { team }) => sortedIds(all.tasks.filter(({ path }) => path.startsWith(`${team}/`))),
  ],
  above: [(c, { team }) => c.get(Team.above, team), ids, (all, { team }) => climb(all, team).join()],
  below: [(c, { team }) => c.get(Team.below, team), sortedIds, (all, { team }) => descend(all, team).join()],
  notes: [
    (c, { team }) => notesOf(c, team),
    sortedIds,
    (all, { team }) => sortedIds(all.notes.filter(({ about }) => about instanceof Team && about.id === team)),
  ],
  tagged: [
    (c, { tag }) => c.get(Tag.tasks, tag),
    texts,
    (all, { tag }) => texts(all.tasks.filter((task) => all.tagsOf(task).includes(tag)).sort(byHoursDown)),
  ],
  fields: [
    (c) => c.get(allPeople),
    (people: readonly Person[]) => people.map(({ id, name, tasks }) => `${id} ${name} ${texts(tasks)}`).join(';'),
    (all) =>
      byId(all.people)
        .map(({ id, name }) => `${id} ${name} ${texts(all.tasks.filter((one) => one.assigneeId === id).sort(byTitle))}`)
        .join(';'),
  ],
  listed: [
    (c) => c.get(listed, {}),
    (tasks: readonly Task[]) => sortedIds(tasks.filter(({ id }) => !deletedIds.has(id))),
    (all) => sortedIds(all.tasks.filter(({ id, state }) => state === 'done' && !deletedIds.has(id))),
  ],
};
