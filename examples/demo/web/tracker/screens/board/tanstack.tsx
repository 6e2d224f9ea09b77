import { useMutationState, useSuspenseQuery } from '@tanstack/react-query';
import { memo, useCallback, useMemo, useState } from 'react';
import { type IssueFields, type State, STATE_NAMES, STATES } from '../../fields.ts';
import { NotSaved } from '../../parts/not-saved.tsx';
import { all, fetchIssues, keys } from '../tanstack-api.ts';
import { type Changed, useChangeIssue } from '../tanstack-changes.ts';
import { Board, Card, Column } from './view.tsx';

type Move = (id: string, state: State) => void;
const urgentFirst = (one: IssueFields, other: IssueFields) =>
  other.priority - one.priority || other.createdAt.localeCompare(one.createdAt);

export function TanstackBoard() {
  const { data } = useSuspenseQuery({ queryKey: keys.issuePage(all), queryFn: () => fetchIssues(all) });
  const { mutate, error, reset } = useChangeIssue();
  const [announcement, announce] = useState('');
  const columns = useMemo(
    () =>
      STATES.map((state) => ({
        state,
        issues: data.items.filter((issue) => issue.state === state).toSorted(urgentFirst),
      })),
    [data],
  );
  const move = useCallback<Move>(
    (id, state) => {
      const issue = data.items.find((one) => one.id === id);
      if (issue === undefined || issue.state === state) return;
      announce(`${issue.title}: moved to ${STATE_NAMES[state]}`);
      mutate({ id, change: { state } });
    },
    [data, mutate],
  );
  return (
    <>
      <NotSaved error={error} onClose={reset} />
      <Board announcement={announcement}>
        {columns.map(({ state, issues }) => (
          <Column key={state} state={state} issues={issues} keyOf={({ id }) => id} onDrop={(id) => move(id, state)}>
            {(issue) => <IssueCard issue={issue} onMove={move} />}
          </Column>
        ))}
      </Board>
    </>
  );
}

const IssueCard = memo(function IssueCard({ issue, onMove }: { readonly issue: IssueFields; readonly onMove: Move }) {
  const changing = useMutationState({
    filters: { mutationKey: ['change issue'], status: 'pending' },
    select: ({ state }) => (state.variables as Changed).id,
  });
  return <Card issue={issue} isPending={changing.includes(issue.id)} onMove={(state) => onMove(issue.id, state)} />;
});
