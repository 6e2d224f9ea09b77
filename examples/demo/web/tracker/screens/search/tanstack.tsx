import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { memo, useEffect, useState } from 'react';
import type { IssueFields } from '../../fields.ts';
import { WindowList } from '../../parts/window-list.tsx';
import { fetchIssues, keys } from '../tanstack-api.ts';
import { useChangeIssue } from '../tanstack-changes.ts';
import { Found, Hint, SearchField, Total } from './view.tsx';

function useDebounced(value: string, delay: number): string {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), delay);
    return () => clearTimeout(timer);
  }, [value, delay]);
  return debounced;
}

export function TanstackSearch() {
  const [text, setText] = useState('');
  const typed = text.trim();
  const q = useDebounced(typed, 200);
  const filters = { q, perPage: 200 };
  const { data, isFetching } = useQuery({
    queryKey: keys.issuePage(filters),
    queryFn: () => fetchIssues(filters),
    enabled: q !== '',
    throwOnError: true,
    // The former result stays until the next one is loaded.
    placeholderData: keepPreviousData,
  });
  return (
    <SearchField text={text} onChange={setText} isBusy={isFetching || q !== typed}>
      {q === '' ? (
        <Hint />
      ) : (
        data && (
          <>
            <Total total={data.total} text={q} />
            <WindowList label="Issues found" items={data.items} keyOf={({ id }) => id} rowHeight={62}>
              {(issue) => <Result issue={issue} q={q} />}
            </WindowList>
          </>
        )
      )}
    </SearchField>
  );
}

const Result = memo(function Result({ issue, q }: { readonly issue: IssueFields; readonly q: string }) {
  const { mutate, isPending } = useChangeIssue();
  return <Found issue={issue} text={q} isPending={isPending} onChange={(change) => mutate({ id: issue.id, change })} />;
});
