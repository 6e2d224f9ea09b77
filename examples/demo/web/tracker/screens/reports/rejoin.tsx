import { memo, useCallback } from 'react';
import { count, from, keyOf } from 'rejoin';
import { useMutation, usePending, useQuery, useSuspense } from 'rejoin/react';
import { KIND_NAMES, PRIORITY_NAMES, STATE_NAMES, STATES } from '../../fields.ts';
import { NotSaved } from '../../parts/not-saved.tsx';
import { all, Issue, issues } from '../rejoin-model.ts';
import { BarChart, Reports, UrgentLine, UrgentList } from './view.tsx';

const counted = { count: count<Issue>(), done: count<Issue>((issue) => issue.state === 'done') };
const byState = from(Issue).groupBy('state', { count: count() });
const byPriority = from(Issue).groupBy('priority', counted);
const byKind = from(Issue).groupBy('kind', counted);
const byPerson = from(Issue)
  .where((issue) => issue.assignee !== null)
  .groupBy((issue) => issue.assignee?.name, counted);
const urgent = from(Issue)
  .where({ priority: 3, state: { not: 'done' } })
  .orderBy('createdAt', 'desc');
const urgentCount = urgent.count();
const urgentFirst = urgent.limit(8);

/** All issues are loaded once. Each report is a query that follows their changes, the ones that are not saved yet among them. */
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
        <StateReport />
        <PriorityReport />
        <KindReport />
        <PersonReport />
      </Reports>
    </>
  );
}

function StateReport() {
  const rows = useQuery(byState) ?? [];
  const bars = STATES.map((state) => ({
    name: STATE_NAMES[state],
    count: rows.find((row) => row.state === state)?.count ?? 0,
  }));
  return <BarChart title="By state" bars={bars} />;
}

function PriorityReport() {
  const rows = useQuery(byPriority) ?? [];
  const bars = rows.map(({ priority, ...row }) => ({ name: PRIORITY_NAMES[priority] ?? '', ...row }));
  return <BarChart title="By priority" bars={bars} />;
}

function KindReport() {
  const rows = useQuery(byKind) ?? [];
  return <BarChart title="By kind" bars={rows.map(({ kind, ...row }) => ({ name: KIND_NAMES[kind], ...row }))} />;
}

function PersonReport() {
  const rows = useQuery(byPerson) ?? [];
  return <BarChart title="By assignee" bars={rows.map(({ key, ...row }) => ({ name: key ?? '', ...row }))} />;
}

interface LineProps {
  readonly issue: Issue;
  readonly onDone: (id: string) => void;
}

const Line = memo(function Line({ issue, onDone }: LineProps) {
  return <UrgentLine issue={issue} isPending={usePending(issue)} onDone={() => onDone(issue.id)} />;
});
