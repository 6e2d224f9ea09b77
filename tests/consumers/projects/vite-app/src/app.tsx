import { AsyncBoundary, DataProvider, useController, useFetch, useSuspense } from 'rejoin/react';
import { type Todo, todos, users } from './model.ts';

export function App() {
  return (
    <DataProvider>
      <AsyncBoundary fallback={<p>Loading</p>}>
        <TodoList />
      </AsyncBoundary>
    </DataProvider>
  );
}

function TodoList() {
  // Both lists are requested at once. A todo has its user when both have arrived.
  useFetch(todos.getList);
  useSuspense(users.getList);
  const list = useSuspense(todos.getList);
  return (
    <ul>
      {list.map((todo) => (
        <TodoLine key={todo.pk()} todo={todo} />
      ))}
    </ul>
  );
}

function TodoLine({ todo }: { readonly todo: Todo }) {
  const controller = useController();
  const { id, name } = todo.user;
  const rename = () => controller.fetch(users.partialUpdate, { id }, { name: `${name}!` });
  return (
    <li>
      {todo.title} <button onClick={() => void rename()}>{name}</button>
    </li>
  );
}
