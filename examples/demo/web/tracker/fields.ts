/** The data that the API sends and the views show. It is independent of both libraries. */
export const STATES = ['backlog', 'todo', 'doing', 'done'] as const;
export type State = (typeof STATES)[number];
export const STATE_NAMES: Readonly<Record<State, string>> = {
  backlog: 'Backlog',
  todo: 'To do',
  doing: 'In progress',
  done: 'Done',
};

export const KINDS = ['bug', 'feature', 'chore'] as const;
export type Kind = (typeof KINDS)[number];
export const KIND_NAMES: Readonly<Record<Kind, string>> = { bug: 'Bug', feature: 'Feature', chore: 'Chore' };

/** The names of the priorities by number: 0 is low. */
export const PRIORITY_NAMES = ['Low', 'Medium', 'High', 'Urgent'] as const;

export interface PersonFields {
  readonly id: string;
  readonly name: string;
}

export interface IssueFields {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly state: State;
  readonly priority: number;
  readonly kind: Kind;
  readonly author: PersonFields;
  readonly assignee: PersonFields | null;
  /** The number of comments. */
  readonly comments: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface CommentFields {
  readonly id: string;
  readonly body: string;
  readonly createdAt: string;
  readonly author: PersonFields;
}

export interface ActivityFields {
  readonly id: string;
  readonly at: string;
  readonly action: string;
  readonly detail: string;
  readonly person: PersonFields;
  readonly issue: { readonly id: string; readonly title: string };
}

/** The fields of an issue that a form or a control changes. */
export interface IssueChange {
  readonly title?: string;
  readonly body?: string;
  readonly state?: State;
  readonly priority?: number;
  readonly kind?: Kind;
  /** The id of a person. */
  readonly assignee?: string | null;
}

export const PER_PAGE = 25;

/** The filters, the order and the page of a list. */
export interface Filters {
  readonly page?: number;
  readonly perPage?: number;
  readonly state?: State;
  readonly priority?: number;
  readonly kind?: Kind;
  readonly assigneeId?: string;
  readonly q?: string;
  readonly sort?: 'createdAt' | 'updatedAt' | 'priority';
}

/** A change of the filters. `undefined` removes a filter. */
export type FilterChange = { readonly [Name in keyof Filters]: Filters[Name] | undefined };
