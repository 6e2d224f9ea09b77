import { QueryClient } from '@tanstack/react-query';
import type { ActivityFields, CommentFields, Filters, IssueChange, IssueFields, PersonFields } from '../fields.ts';

export const queryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: 60_000, retry: false } },
});

export interface IssuePage {
  readonly items: readonly IssueFields[];
  readonly total: number;
}

/** Each key begins with the kind of its data, so that a mutation can invalidate all requests that show this kind. */
export const keys = {
  issues: ['issues'],
  issuePages: ['issues', 'page'],
  issuePage: (filters: Filters) => ['issues', 'page', filters],
  issue: (id: string) => ['issues', 'one', id],
  comments: (id: string) => ['comments', id],
  people: ['people'],
  activity: ['activity'],
} as const;

async function send<Body>(path: string, method = 'GET', body?: object): Promise<Body> {
  const response = await fetch(`/api${path}`, {
    method,
    ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${response.statusText}`);
  return (response.status === 204 ? undefined : await response.json()) as Body;
}

function search(filters: Filters): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}

/** The API sends a person, and accepts the id of a person. */
function bodyOf({ assignee, ...rest }: IssueChange): object {
  return assignee === undefined ? rest : { ...rest, assigneeId: assignee };
}

export const fetchIssues = (filters: Filters) => send<IssuePage>(`/issues?${search(filters)}`);
export const fetchIssue = (id: string) => send<IssueFields>(`/issues/${id}`);
export const createIssue = (change: IssueChange) => send<IssueFields>('/issues', 'POST', bodyOf(change));
export const changeIssue = (id: string, change: IssueChange) =>
  send<IssueFields>(`/issues/${id}`, 'PATCH', bodyOf(change));
export const deleteIssue = (id: string) => send<undefined>(`/issues/${id}`, 'DELETE');
export const fetchComments = (id: string) => send<readonly CommentFields[]>(`/issues/${id}/comments`);
export const createComment = (id: string, body: string) =>
  send<CommentFields>(`/issues/${id}/comments`, 'POST', { body });
export const fetchPeople = () => send<readonly PersonFields[]>('/users?perPage=100');
export const renamePerson = (id: string, name: string) => send<PersonFields>(`/users/${id}`, 'PATCH', { name });
export const fetchActivity = () => send<readonly ActivityFields[]>('/activity');

export const all = { perPage: 1000 } satisfies Filters;
