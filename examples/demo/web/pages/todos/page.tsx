import { type FormEvent, useState } from 'react';
import { useController, useFetch, useLoading, useSuspense } from 'rejoin/react';
import { type Todo, todos, users } from './model.ts';

const shown = { limit: 12 };

export function TodosPage() {
  void useFetch(users.getList, { limit: 100 });
  const list = useSuspense(todos.getList, shown);
  return (
    <div className="stack">
      <NewTodo />
      <ul className="card lines" aria-label="Todos">
        {list.map((todo) => (
          <TodoLine key={todo.pk()} todo={todo} />
        ))}
      </ul>
    </div>
  );
}

function NewTodo() {
  const controller = useController();
  const [title, setTitle] = useState('');
  const [add, isAdding, error] = useLoading(
    (text: string) => controller.fetch(todos.getList.unshift, shown, { userId: 1, title: text, completed: false }),
    [controller],
  );
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    setTitle('');
    add(title).catch(() => {});
  };
  return (
    <form className="row" onSubmit={onSubmit}>
      <label className="row" style={{ flex: 1 }}>
        <span className="visually-hidden">What is to be done</span>
        <input
          className="field"
          style={{ flex: 1 }}
          placeholder="What is to be done?"
          value={title}
          onChange={(event) => setTitle(event.target.value)}
          required
        />
      </label>
      <button type="submit" className="button primary">
        Add
      </button>
      <span className="chip" role="status">
        {isAdding ? 'sending' : error ? `refused: ${error.message}` : 'saved'}
      </span>
    </form>
  );
}

// A line shows the guess at once. Where the server refuses, it is as before, and nothing else is touched.
function TodoLine({ todo }: { readonly todo: Todo }) {
  const controller = useController();
  const [refused, setRefused] = useState<string>();
  const tell = (error: Error): void => setRefused(error.message);
  const { id } = todo;
  const toggle = (): void => {
    setRefused(undefined);
    controller.fetch(todos.partialUpdate, { id }, { completed: !todo.completed }).catch(tell);
  };
  return (
    <li className="row apart">
      <label className="row">
        <input type="checkbox" checked={todo.completed} onChange={toggle} />
        <span style={todo.completed ? { textDecoration: 'line-through', opacity: 0.7 } : undefined}>{todo.title}</span>
      </label>
      <span className="row">
        {refused !== undefined && <span className="chip bad">refused</span>}
        <span className="chip">{todo.user?.name ?? `user ${todo.userId}`}</span>
        <button
          type="button"
          className="button quiet"
          aria-label={`Delete ${todo.title}`}
          onClick={() => void controller.fetch(todos.delete, { id }).catch(tell)}
        >
          ✕
        </button>
      </span>
    </li>
  );
}
