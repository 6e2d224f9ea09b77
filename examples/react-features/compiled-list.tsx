import { keyOf } from 'rejoin';
import { useQuery, useSuspense } from 'rejoin/react';
import { Todo, todos } from './model.ts';
import { useCountedRender } from './renders.ts';

function Row({ todo }: { readonly todo: Todo }) {
  useCountedRender(`compiled ${todo.id}`);
  return <li>{todo.label}</li>;
}

// The React Compiler remembers the element of each record: no memo() around the row.
function Item({ id }: { readonly id: string }) {
  const todo = useQuery(Todo, { id });
  return todo ? <Row todo={todo} /> : null;
}

export function CompiledList() {
  const list = useSuspense(todos.getList);
  return (
    <ul aria-label="compiled">
      {list.map((todo) => (
        <Item key={keyOf(todo)} id={todo.id} />
      ))}
    </ul>
  );
}
