import { memo, useState } from 'react';
import { keyOf } from 'rejoin';
import { AsyncBoundary, useDebounce, useMutation, usePending, useSuspense } from 'rejoin/react';
import { WindowList } from '../../parts/window-list.tsx';
import { type Issue, issues } from '../rejoin-model.ts';
import { Found, Hint, SearchField, Total } from './view.tsx';

export function RejoinSearch() {
  const [text, setText] = useState('');
  // The text changes in a transition, so the former result stays until the next one is loaded.
  const [q, isPending] = useDebounce(text.trim(), 200);
  return (
    <SearchField text={text} onChange={setText} isBusy={isPending}>
      <AsyncBoundary resetKeys={[q]}>{q === '' ? hint : <Results q={q} />}</AsyncBoundary>
    </SearchField>
  );
}

// This component does not render for each letter.
const hint = <Hint />;
const Results = memo(function Results({ q }: { readonly q: string }) {
  const { items, total } = useSuspense(issues.getList, { q, perPage: 200 });
  return (
    <>
      <Total total={total} text={q} />
      <WindowList label="Issues found" items={items} keyOf={keyOf} rowHeight={62}>
        {(issue) => <Result issue={issue} q={q} />}
      </WindowList>
    </>
  );
});

const Result = memo(function Result({ issue, q }: { readonly issue: Issue; readonly q: string }) {
  const { mutate } = useMutation(issues.partialUpdate);
  return (
    <Found
      issue={issue}
      text={q}
      isPending={usePending(issue)}
      onChange={(change) => void mutate({ id: issue.id }, change)}
    />
  );
});
