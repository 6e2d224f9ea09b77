import { useMutation, useMutationState, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { memo, useDeferredValue } from 'react';
import type { IssueFields } from '../../fields.ts';
import { NotSaved } from '../../parts/not-saved.tsx';
import { createIssue, fetchIssues, fetchPeople, type IssuePage, keys } from '../tanstack-api.ts';
import { type Changed, useChangeIssue } from '../tanstack-changes.ts';
import { useFilters } from './filters.ts';
import { FilterBar, IssueList, IssueRow, NewIssue } from './view.tsx';

const DRAFT: IssueFields = {
  id: '',
  title: '',
  body: '',
  state: 'todo',
  priority: 1,
  kind: 'feature',
  author: { id: '1', name: '' },
  assignee: null,
  comments: 0,
  createdAt: '',
  updatedAt: '',
};
const isDraft = ({ id }: IssueFields) => id.startsWith('draft');

export function TanstackList() {
  const client = useQueryClient();
  const [filters, setFilters] = useFilters();
  // The former list stays while the next one is loading.
  const shown = useDeferredValue(filters);
  const { data: persons } = useSuspenseQuery({ queryKey: keys.people, queryFn: fetchPeople });
  const queryKey = keys.issuePage(shown);
  const { data } = useSuspenseQuery({ queryKey, queryFn: () => fetchIssues(shown) });
  const create = useMutation({
    mutationFn: (title: string) => createIssue({ title }),
    onMutate: async (title) => {
      await client.cancelQueries({ queryKey: keys.issues });
      const before = client.getQueryData<IssuePage>(queryKey);
      const draft = { ...DRAFT, id: `draft ${Date.now()}`, title };
      client.setQueryData<IssuePage>(
        queryKey,
        (page) => page && { items: [draft, ...page.items], total: page.total + 1 },
      );
      return { before };
    },
    onError: (_error, _title, context) => client.setQueryData(queryKey, context?.before),
    onSettled: () => client.invalidateQueries({ queryKey: keys.issues }),
  });
  const add = (title: string) =>
    create.mutateAsync(title).then(
      () => true,
      () => false,
    );
  return (
    <>
      <NewIssue onCreate={add} />
      <NotSaved error={create.error} onClose={create.reset} />
      <FilterBar filters={filters} people={persons} onChange={setFilters} />
      <IssueList total={data.total} page={shown.page ?? 1} isLoading={shown !== filters}>
        {data.items.map((issue) => (
          <Row key={issue.id} issue={issue} />
        ))}
      </IssueList>
    </>
  );
}

// An issue that is not saved yet cannot be changed, because its id is not known.
const Row = memo(function Row({ issue }: { readonly issue: IssueFields }) {
  const { mutate, error, reset } = useChangeIssue();
  const changing = useMutationState({
    filters: { mutationKey: ['change issue'], status: 'pending' },
    select: ({ state }) => (state.variables as Changed).id,
  });
  return (
    <>
      <IssueRow
        issue={issue}
        isPending={isDraft(issue) || changing.includes(issue.id)}
        isDisabled={isDraft(issue)}
        onChange={(change) => mutate({ id: issue.id, change })}
      />
      {error && (
        <li className="failed">
          <NotSaved error={error} onClose={reset} />
        </li>
      )}
    </>
  );
});
