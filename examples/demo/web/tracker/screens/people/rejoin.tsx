import { memo } from 'react';
import { keyOf } from 'rejoin';
import { useFetch, useMutation, usePending, useQuery, useSuspense } from 'rejoin/react';
import { NotSaved } from '../../parts/not-saved.tsx';
import { all, issues, people, Person } from '../rejoin-model.ts';
import { People, PersonCard } from './view.tsx';

/** The numbers are counted again only when an issue of the person changes. */
const open = Person.issues.where({ state: { not: 'done' } }).count();
const urgent = Person.issues.where({ state: { not: 'done' }, priority: 3 }).count();
const done = Person.issues.where({ state: 'done' }).count();

export function RejoinPeople() {
  void useFetch(issues.getList, all);
  const persons = useSuspense(people.getList, { perPage: 100 });
  useSuspense(issues.getList, all);
  return (
    <People>
      {persons.map((person) => (
        <Card key={keyOf(person)} person={person} />
      ))}
    </People>
  );
}

// A new name is shown everywhere: in lists, on the board, in comments.
const Card = memo(function Card({ person }: { readonly person: Person }) {
  const { mutate, error, reset } = useMutation(people.partialUpdate);
  return (
    <>
      <PersonCard
        person={person}
        open={useQuery(open, person) ?? 0}
        urgent={useQuery(urgent, person) ?? 0}
        done={useQuery(done, person) ?? 0}
        isPending={usePending(person)}
        onRename={(name) => void mutate({ id: person.id }, { name })}
      />
      {error && (
        <li className="failed">
          <NotSaved error={error} onClose={reset} />
        </li>
      )}
    </>
  );
});
