import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { IssueChange, IssueFields, PersonFields } from '../fields.ts';
import { changeIssue, type IssuePage, keys } from './tanstack-api.ts';

export interface Changed {
  readonly id: string;
  readonly change: IssueChange;
}

/** Changes an issue, shows the change at once in each page and detail that contains it, and rolls it back if the request fails. */
export function useChangeIssue() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: ['change issue'],
    mutationFn: ({ id, change }: Changed) => changeIssue(id, change),
    onMutate: async ({ id, change: { assignee, ...rest } }) => {
      await client.cancelQueries({ queryKey: keys.issues });
      const persons = client.getQueryData<readonly PersonFields[]>(keys.people) ?? [];
      const person = persons.find((one) => one.id === assignee) ?? null;
      const change = { ...rest, ...(assignee !== undefined && { assignee: person }) };
      const pages = client.getQueriesData<IssuePage>({ queryKey: keys.issuePages });
      const one = client.getQueryData<IssueFields>(keys.issue(id));
      client.setQueriesData<IssuePage>(
        { queryKey: keys.issuePages },
        (page) =>
          page && { ...page, items: page.items.map((issue) => (issue.id === id ? { ...issue, ...change } : issue)) },
      );
      client.setQueryData<IssueFields>(keys.issue(id), (issue) => issue && { ...issue, ...change });
      return { pages, one };
    },
    onError: (_error, { id }, before) => {
      for (const [key, page] of before?.pages ?? []) client.setQueryData(key, page);
      if (before?.one) client.setQueryData(keys.issue(id), before.one);
    },
    // Only the server knows to which pages the issue belongs now, and at which place.
    onSettled: () =>
      client.isMutating({ mutationKey: ['change issue'] }) === 1
        ? client.invalidateQueries({ queryKey: keys.issues })
        : undefined,
  });
}
