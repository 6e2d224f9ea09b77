import { memo } from 'react';
import { keyOf } from 'rejoin';
import { useSuspense } from 'rejoin/react';
import { type Todo, todos } from './model.ts';
import { useCountedRender } from './renders.ts';

// A record is the same object until something in it changes. So only the row of the record that has changed renders.
const Row = memo(function Row({ todo }: { readonly todo: Todo }) {
  useCountedRender(`memo ${todo.id}`);
  return <li>{todo.label}</li>;
});

export function MemoList() {
  const list = useSuspense(todos.getList);
  return (
    <ul aria-label="memo">
      {list.map((todo) => (
        <Row key={keyOf(todo)} todo={todo} />
      ))}
    </ul>
  );
}
