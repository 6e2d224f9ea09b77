/** The model of a dashboard: relations of every form. */
import {
  All,
  ancestors,
  belongsTo,
  type Controller,
  descendants,
  Entity,
  hasMany,
  refsOf,
  resource,
  through,
  Union,
} from 'rejoin';
import { Network } from './network.ts';

export const network = new Network();
const { platform } = network;

class Versioned extends Entity {
  id = '';
  version = 0;
  static override shouldReorder(...[, , stored, incoming]: Parameters<typeof Entity.shouldReorder>): boolean {
    return stored.version > incoming.version; // a guess has no version
  }
}
export class Team extends Versioned {
  type = 'team';
  name = '';
  parentId: string | null = null;
  static override key = 'Team';
  static people = hasMany(
    () => Person,
    through(() => Member, 'teamId', 'personId'),
  );
  static members = hasMany(() => Member, 'teamId').orderBy('role');
  static tasks = hasMany(() => Task, 'team').orderBy('title');
  static byPath = hasMany(
    () => Task,
    (task: Task) => task.path.split('/')[0],
  );
  static notes = hasMany(() => Note, 'about');
  static above = ancestors(() => Team, 'parentId');
  static below = descendants(() => Team, 'parentId');
}
export class Person extends Versioned {
  type = 'person';
  name = '';
  tasks: readonly Task[] = [];
  static override key = 'Person';
  static override schema = { tasks: hasMany(() => Task, 'assigneeId').orderBy('title') };
  static notes = hasMany(() => Note, 'about');
}
export class Member extends Versioned {
  teamId = '';
  personId = '';
  role = '';
  static override key = 'Member';
  static person = belongsTo(() => Person, 'personId');
}
export class Tag extends Versioned {
  name = '';
  static override key = 'Tag';
  static tasks = hasMany(() => Task, 'tags').orderBy('hours', 'desc');
}
export class Task extends Versioned {
  title = '';
  state = 'open';
  hours = 0;
  path = '';
  assigneeId = '';
  due = new Date(0);
  team: Team | undefined = undefined;
  tags: readonly Tag[] = [];
  static override key = 'Task';
  static override schema = { team: Team, tags: [Tag], due: (text: string) => new Date(text) };
  static assignee = belongsTo(() => Person, 'assigneeId');
}
export class Note extends Versioned {
  text = '';
  about: Team | Person | undefined = undefined;
  static override key = 'Note';
  static override schema = { about: new Union({ team: Team, person: Person }, 'type') };
}

const options = { optimistic: true, platform } as const;
export const api = {
  teams: resource({ path: '/teams/:id', schema: Team, ...options }),
  people: resource({ path: '/people/:id', schema: Person, ...options }),
  members: resource({ path: '/members/:id', schema: Member, ...options }),
  tags: resource({ path: '/tags/:id', schema: Tag, ...options }),
  tasks: resource({ path: '/tasks/:id', schema: Task, ...options }),
  notes: resource({ path: '/notes/:id', schema: Note, ...options }),
};
export const classes = { teams: Team, people: Person, members: Member, tags: Tag, tasks: Task, notes: Note };

/**
 * The ids that the server has deleted. After the answer to a deletion, an earlier message of the stream may still bring the record back, but not
 * into lists, until the message of the deletion comes.
 */
export const deletedIds = new Set<unknown>();

/** All records of the store, as plain arrays. */
export function tablesOf(controller: Controller) {
  return {
    teams: controller.get(new All(Team)) ?? [],
    people: controller.get(new All(Person)) ?? [],
    members: controller.get(new All(Member)) ?? [],
    tags: controller.get(new All(Tag)) ?? [],
    tasks: controller.get(new All(Task)) ?? [],
    notes: controller.get(new All(Note)) ?? [],
    teamOf: (task: Task) => refsOf(controller, task, 'team'),
    tagsOf: (task: Task) => refsOf(controller, task, 'tags'),
  };
}
