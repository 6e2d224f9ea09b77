import { Entity, from, hasMany, Invalidate, resource, serverSentEvents, StreamManager, undecidable } from 'rejoin';
import { envelope } from 'rejoin/wire';
import type { Filters, Kind, State } from '../fields.ts';

const urlPrefix = '/api';

export class Person extends Entity {
  id = '';
  name = '';
  static key = 'Person';
  static issues = hasMany(() => Issue, 'assignee');
}

export class Issue extends Entity {
  id = '';
  title = '';
  body = '';
  state: State = 'todo';
  priority = 1;
  kind: Kind = 'feature';
  author = Person.fromJS();
  assignee: Person | null = null;
  comments = 0;
  createdAt = '';
  updatedAt = '';
  static key = 'Issue';
  static schema = { author: Person, assignee: Person };
  // A comment contains only the id of its issue, which is not enough to show the issue.
  static needs = ['title'];
}

export class IssueComment extends Entity {
  id = '';
  body = '';
  createdAt = '';
  author = Person.fromJS();
  issue = Issue.fromJS();
  static key = 'IssueComment';
  static schema = { author: Person, issue: Issue };
}

class Activity extends Entity {
  id = '';
  at = '';
  action = '';
  detail = '';
  person = Person.fromJS();
  issue = Issue.fromJS();
  static key = 'Activity';
  static schema = { person: Person, issue: Issue };
}

export const issues = resource({
  urlPrefix,
  path: '/issues/:id',
  schema: Issue,
  searchParams: undefined as Filters | undefined,
  optimistic: true,
  list: { create: 'first', where: { assigneeId: (issue) => issue.assignee?.id, q: undecidable } },
  wire: envelope({ many: 'items', total: 'total', write: { assignee: 'assigneeId' } }),
});

export const comments = resource({
  urlPrefix,
  path: '/issues/:issueId/comments/:id',
  schema: IssueComment,
  optimistic: true,
});

export const people = resource({
  urlPrefix,
  path: '/users/:id',
  schema: Person,
  searchParams: {} as { perPage: number },
  optimistic: true,
});

const activity = resource({ urlPrefix, path: '/activity/:id', schema: Activity, pollFrequency: 60_000 });
export const latest = from(Activity).orderBy('at', 'desc').loadedBy(activity.getList);

/** All issues, for the board and the reports. */
export const all = { perPage: 1000 } satisfies Filters;

interface Change {
  readonly entity: string;
  readonly id: string;
  readonly value?: object;
}
const ENTITIES = { Issue, IssueComment, Activity, User: Person };

/** The changes of all clients, while a screen shows the latest changes. They are stored like answers, so every screen shows them. */
export const changes = new StreamManager(serverSentEvents('/api/events'), {
  covers: ({ endpoint }) => endpoint === latest,
  write: ({ data }) => {
    const { entity, id, value } = data as Change;
    if (!Object.hasOwn(ENTITIES, entity)) return [];
    const schema = ENTITIES[entity as keyof typeof ENTITIES];
    return value === undefined ? { schema: new Invalidate(schema), value: { id } } : { schema, value };
  },
});
