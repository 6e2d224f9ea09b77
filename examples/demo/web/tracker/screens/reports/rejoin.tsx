import { memo, useCallback } from 'react';
import { count, from, keyOf } from 'rejoin';
import { useMutation, usePending, useQuery, useSuspense } from 'rejoin/react';
import { KIND_NAMES, PRIORITY_NAMES, STATE_NAMES, STATES } from '../../fields.ts';
import { NotSaved } from '../../parts/not-saved.tsx';
import { all, Issue, issues } from '../rejoin-model.ts';
import { BarChart, Reports, UrgentLine, UrgentList } from './view.tsx';

const counted = { count: count<Issue>(), done: count<Issue>((issue) => issue.state === 'done') };
const byState = from(Issue)
  .groupBy('state', { count: count() })
  .orderBy((row) => STATES.indexOf(row.state))
  .select(({ state, ...row }) => ({ name: STATE_NAMES[state], ...row }));
const byPriority = from(Issue)
  .groupBy('priority', counted)
  .select(({ priority, ...row }) => ({ name: PRIORITY_NAMES[priority] ?? '', ...row }));
const byKind = from(Issue)
  .groupBy('kind', counted)
  .select(({ kind, ...row }) => ({ name: KIND_NAMES[kind], ...row }));
const byPerson = from(Issue)
  .where((issue) => issue.assignee !== null)
  .groupBy((issue) => issue.assignee?.name, counted)
  .select(({ key, ...row }) => ({ name: key ?? '', ...row }));
const reports = { 'By state': byState, 'By priority': byPriority, 'By kind': byKind, 'By assignee': byPerson };
const urgent = from(Issue)
  .where({ priority: 3, state: { not: 'done' } })
  .orderBy('createdAt', 'desc');
const urgentCount = urgent.count();
const urgentFirst = urgent.limit(8);

/** All issues are loaded once. Each report is a query that follows their changes, also changes that are not saved yet. */
export function RejoinReports() {
  useSuspense(issues.getList, all);
  const { mutate, error, reset } = useMutation(issues.partialUpdate);
  const finish = useCallback((id: string) => void mutate({ id }, { state: 'done' }), [mutate]);
  const list = useQuery(urgentFirst) ?? [];
  return (
    <>
      <NotSaved error={error} onClose={reset} />
      <Reports>
        <UrgentList total={useQuery(urgentCount) ?? 0}>
          {list.map((issue) => (
            <Line key={keyOf(issue)} issue={issue} onDone={finish} />
          ))}
        </UrgentList>
        {Object.entries(reports).map(([title, query]) => (
          <Report key={title} title={title} query={query} />
        ))}
      </Reports>
    </>
  );
}

interface ReportProps {
  readonly title: string;
  readonly query: (typeof reports)[keyof typeof reports];
}

// This component renders when a number in it changes.
const Report = memo(function Report({ title, query }: ReportProps) {
  return <BarChart title={title} bars={useQuery(query) ?? []} />;
});

interface LineProps {
  readonly issue: Issue;
  readonly onDone: (id: string) => void;
}

const Line = memo(function Line({ issue, onDone }: LineProps) {
  return <UrgentLine issue={issue} isPending={usePending(issue)} onDone={() => onDone(issue.id)} />;
});
