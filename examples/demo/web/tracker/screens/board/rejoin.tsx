import { memo, useCallback, useState } from 'react';
import { from, keyOf } from 'rejoin';
import { useController, useMutation, usePending, useSuspense } from 'rejoin/react';
import { type State, STATE_NAMES, STATES } from '../../fields.ts';
import { NotSaved } from '../../parts/not-saved.tsx';
import { all, Issue, issues } from '../rejoin-model.ts';
import { Board, Card, Column } from './view.tsx';

/** A live query for each column. They share the request that loads them. */
const columns = STATES.map((state) => ({
  state,
  query: from(Issue).where({ state }).orderBy('priority', 'desc').orderBy('createdAt', 'desc').loadedBy(issues.getList),
}));
type Move = (id: string, state: State) => void;

export function RejoinBoard() {
  const { mutate, error, reset } = useMutation(issues.partialUpdate);
  const controller = useController();
  const [announcement, announce] = useState('');
  const move = useCallback<Move>(
    (id, state) => {
      const issue = controller.get(Issue, { id });
      if (issue === undefined || issue.state === state) return;
      announce(`${issue.title}: moved to ${STATE_NAMES[state]}`);
      void mutate({ id }, { state });
    },
    [controller, mutate],
  );
  return (
    <>
      <NotSaved error={error} onClose={reset} />
      <Board announcement={announcement}>
        {columns.map((column) => (
          <Cards key={column.state} {...column} onMove={move} />
        ))}
      </Board>
    </>
  );
}

type CardsProps = (typeof columns)[number] & { readonly onMove: Move };

// A move changes two columns, so the other two are not rendered.
const Cards = memo(function Cards({ state, query, onMove }: CardsProps) {
  const list = useSuspense(query, all);
  return (
    <Column<Issue> state={state} issues={list} keyOf={keyOf} onDrop={(id) => onMove(id, state)}>
      {(issue) => <IssueCard issue={issue} onMove={onMove} />}
    </Column>
  );
});

const IssueCard = memo(function IssueCard({ issue, onMove }: { readonly issue: Issue; readonly onMove: Move }) {
  return <Card issue={issue} isPending={usePending(issue)} onMove={(state) => onMove(issue.id, state)} />;
});
