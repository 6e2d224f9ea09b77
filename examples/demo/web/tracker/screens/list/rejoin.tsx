import { memo, useDeferredValue } from 'react';
import { keyOf } from 'rejoin';
import { useFetch, useMutation, usePending, useSuspense } from 'rejoin/react';
import { NotSaved } from '../../parts/not-saved.tsx';
import { type Issue, issues, people } from '../rejoin-model.ts';
import { useFilters } from './filters.ts';
import { FilterBar, IssueList, IssueRow, NewIssue } from './view.tsx';

export function RejoinList() {
  const [filters, setFilters] = useFilters();
  // The former list stays while the next one is loading.
  const shown = useDeferredValue(filters);
  void useFetch(issues.getList, shown);
  const persons = useSuspense(people.getList, { perPage: 100 });
  const { items, total } = useSuspense(issues.getList, shown);
  const create = useMutation(issues.getList.unshift);
  const add = async (title: string) => (await create.mutate({ title })) !== undefined;
  return (
    <>
      <NewIssue onCreate={add} />
      <NotSaved error={create.error} onClose={create.reset} />
      <FilterBar filters={filters} people={persons} onChange={setFilters} />
      <IssueList total={total} page={shown.page ?? 1} isLoading={shown !== filters}>
        {items.map((issue) => (
          <Row key={keyOf(issue)} issue={issue} />
        ))}
      </IssueList>
    </>
  );
}

// An issue that is not saved yet can be changed at once. The request waits for the id of the server.
const Row = memo(function Row({ issue }: { readonly issue: Issue }) {
  const { mutate, error, reset } = useMutation(issues.partialUpdate);
  const isPending = usePending(issue);
  return (
    <>
      <IssueRow issue={issue} isPending={isPending} onChange={(change) => void mutate({ id: issue.id }, change)} />
      {error && (
        <li className="failed">
          <NotSaved error={error} onClose={reset} />
        </li>
      )}
    </>
  );
});
