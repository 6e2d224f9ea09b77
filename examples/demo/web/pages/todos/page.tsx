import { type FormEvent, useState } from 'react';
import { keyOf } from 'rejoin';
import { useController, useFetch, useLoading, useSuspense } from 'rejoin/react';
import { Person } from '../../shell/person.tsx';
import { type Todo, todos, users } from './model.ts';

const shown = { perPage: 12 };

export function TodosPage() {
  const list = useSuspense(todos.getList, shown);
  // Fetches the users of these todos in one request. Each todo is joined with its user when they arrive.
  const ids = [...new Set(list.map((todo) => todo.userId))].toSorted((a, b) => a - b).join(',');
  void useFetch(users.getList, ids === '' ? null : { ids });
  const [refused, setRefused] = useState<ReadonlySet<number>>(new Set());
  const settle = (id: number, isRefused: boolean): void =>
    setRefused((before) => new Set([...before].filter((other) => other !== id).concat(isRefused ? id : [])));
  return (
    <div className="stack">
      <NewTodo />
      <ul className="card lines" aria-label="Todos">
        {list.map((todo) => (
          <TodoLine key={keyOf(todo)} todo={todo} isRefused={refused.has(todo.id)} onSettle={settle} />
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
    add(title).catch(() => setTitle((typed) => typed || title));
  };
  return (
    <form className="row one-line" onSubmit={onSubmit}>
      <label className="row grow">
        <span className="visually-hidden">New todo</span>
        <input
          className="field grow"
          placeholder="New todo"
          value={title}
          onChange={(event) => setTitle(event.target.value)}
          required
        />
      </label>
      <button type="submit" className="button primary">
        Add
      </button>
      <span
        className={`chip ${isAdding ? 'warm' : error ? 'bad' : ''}`}
        role="status"
        style={{ minWidth: '6.2em', justifyContent: 'center' }}
      >
        {isAdding ? 'sending' : error ? 'not saved' : 'saved'}
      </span>
    </form>
  );
}

interface LineProps {
  readonly todo: Todo;
  readonly isRefused: boolean;
  readonly onSettle: (id: number, isRefused: boolean) => void;
}

// The row shows the change at once. If the server refuses it, only this change is rolled back.
function TodoLine({ todo, isRefused, onSettle }: LineProps) {
  const controller = useController();
  const { id } = todo;
  const send = (request: Promise<unknown>): void => {
    request.then(
      () => onSettle(id, false),
      () => onSettle(id, true),
    );
  };
  const toggle = (): void => send(controller.fetch(todos.partialUpdate, { id }, { completed: !todo.completed }));
  return (
    <li className="row apart">
      <label className="row one-line grow">
        <input type="checkbox" checked={todo.completed} onChange={toggle} />
        <span style={todo.completed ? { textDecoration: 'line-through', opacity: 0.7 } : undefined}>{todo.title}</span>
      </label>
      <span className="row one-line">
        <span className="small owner">
          {isRefused && <span className="chip bad">not saved</span>}
          {todo.user ? (
            <Person id={todo.userId} name={todo.user.name} />
          ) : (
            <span className="soft">user {todo.userId}</span>
          )}
        </span>
        <button
          type="button"
          className="button quiet tiny"
          aria-label={`Delete ${todo.title}`}
          onClick={() => send(controller.fetch(todos.delete, { id }))}
        >
          ✕
        </button>
      </span>
    </li>
  );
}
