import { useMutation, useQueryClient, useSuspenseQueries } from '@tanstack/react-query';
import { memo, useMemo } from 'react';
import type { IssueFields, PersonFields } from '../../fields.ts';
import { NotSaved } from '../../parts/not-saved.tsx';
import { all, fetchIssues, fetchPeople, keys, renamePerson } from '../tanstack-api.ts';
import { People, PersonCard } from './view.tsx';

interface Counts {
  readonly open: number;
  readonly urgent: number;
  readonly done: number;
}
const NONE: Counts = { open: 0, urgent: 0, done: 0 };

/** Counts all issues whenever one of them has changed. */
function countByPerson(issues: readonly IssueFields[]): ReadonlyMap<string, Counts> {
  const counts = new Map<string, Counts>();
  for (const { assignee, state, priority } of issues) {
    if (assignee === null) continue;
    const { open, urgent, done } = counts.get(assignee.id) ?? NONE;
    const isDone = state === 'done';
    counts.set(assignee.id, {
      open: open + (isDone ? 0 : 1),
      urgent: urgent + (!isDone && priority === 3 ? 1 : 0),
      done: done + (isDone ? 1 : 0),
    });
  }
  return counts;
}

export function TanstackPeople() {
  const [{ data: persons }, { data: issues }] = useSuspenseQueries({
    queries: [
      { queryKey: keys.people, queryFn: fetchPeople },
      { queryKey: keys.issuePage(all), queryFn: () => fetchIssues(all) },
    ],
  });
  const counts = useMemo(() => countByPerson(issues.items), [issues]);
  return (
    <People>
      {persons.map((person) => (
        <Card key={person.id} person={person} {...(counts.get(person.id) ?? NONE)} />
      ))}
    </People>
  );
}

const Card = memo(function Card({ person, ...counts }: Counts & { readonly person: PersonFields }) {
  const client = useQueryClient();
  const { mutate, error, reset, isPending } = useMutation({
    mutationFn: (name: string) => renamePerson(person.id, name),
    onMutate: async (name) => {
      await client.cancelQueries({ queryKey: keys.people });
      const before = client.getQueryData<readonly PersonFields[]>(keys.people);
      client.setQueryData<readonly PersonFields[]>(keys.people, (list = []) =>
        list.map((one) => (one.id === person.id ? { ...one, name } : one)),
      );
      return { before };
    },
    onError: (_error, _name, context) => client.setQueryData(keys.people, context?.before),
    // All requests show the name.
    onSettled: () => client.invalidateQueries(),
  });
  return (
    <>
      <PersonCard person={person} {...counts} isPending={isPending} onRename={(name) => mutate(name)} />
      {error && (
        <li className="failed">
          <NotSaved error={error} onClose={reset} />
        </li>
      )}
    </>
  );
});
