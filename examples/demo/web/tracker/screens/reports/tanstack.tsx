import { useSuspenseQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type IssueFields, KIND_NAMES, KINDS, PRIORITY_NAMES, STATE_NAMES, STATES } from '../../fields.ts';
import { NotSaved } from '../../parts/not-saved.tsx';
import { all, fetchIssues, keys } from '../tanstack-api.ts';
import { useChangeIssue } from '../tanstack-changes.ts';
import { type Bar, BarChart, Reports, UrgentLine, UrgentList } from './view.tsx';

function bar(name: string, issues: readonly IssueFields[]): Required<Bar> {
  return { name, count: issues.length, done: issues.filter(({ state }) => state === 'done').length };
}

/** All reports are computed again whenever an issue has changed. */
function reportsOf(issues: readonly IssueFields[]) {
  const names = [...new Set(issues.flatMap(({ assignee }) => assignee?.name ?? []))].toSorted();
  return {
    states: STATES.map((state) => ({
      name: STATE_NAMES[state],
      count: issues.filter((issue) => issue.state === state).length,
    })),
    priorities: PRIORITY_NAMES.map((name, at) =>
      bar(
        name,
        issues.filter(({ priority }) => priority === at),
      ),
    ),
    kinds: KINDS.map((kind) =>
      bar(
        KIND_NAMES[kind],
        issues.filter((issue) => issue.kind === kind),
      ),
    ),
    persons: names.map((name) =>
      bar(
        name,
        issues.filter(({ assignee }) => assignee?.name === name),
      ),
    ),
    urgent: issues
      .filter(({ priority, state }) => priority === 3 && state !== 'done')
      .toSorted((one, other) => other.createdAt.localeCompare(one.createdAt)),
  };
}

export function TanstackReports() {
  const { data } = useSuspenseQuery({ queryKey: keys.issuePage(all), queryFn: () => fetchIssues(all) });
  const { states, priorities, kinds, persons, urgent } = useMemo(() => reportsOf(data.items), [data]);
  const { mutate, error, reset, variables, isPending } = useChangeIssue();
  return (
    <>
      <NotSaved error={error} onClose={reset} />
      <Reports>
        <UrgentList total={urgent.length}>
          {urgent.slice(0, 8).map((issue) => (
            <UrgentLine
              key={issue.id}
              issue={issue}
              isPending={isPending && variables.id === issue.id}
              onDone={() => mutate({ id: issue.id, change: { state: 'done' } })}
            />
          ))}
        </UrgentList>
        <BarChart title="By state" bars={states} />
        <BarChart title="By priority" bars={priorities} />
        <BarChart title="By kind" bars={kinds} />
        <BarChart title="By assignee" bars={persons} />
      </Reports>
    </>
  );
}
