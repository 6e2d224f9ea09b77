import { AsyncBoundary, CacheProvider, useController, useSuspense } from '@data-client/react';
import { createResource, Entity } from '@data-client/rest';
import { memo, type ReactNode, useState } from 'react';
import { rendered } from './renders.ts';

class Todo extends Entity {
  id = 0;
  userId = 0;
  title = '';
  completed = false;

  override pk(): string {
    return `${this.id}`;
  }

  static override key = 'Todo';
}

const TodoResource = createResource({
  urlPrefix: 'https://api.test',
  path: '/todos/:id',
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- the peer takes its type from this
  searchParams: {} as { userId?: number } | undefined,
  schema: Todo,
  optimistic: true,
});

const Line = memo(function Line({ todo }: { todo: Todo }): ReactNode {
  rendered('Line');
  const controller = useController();
  const { id, completed } = todo;
  const check = (): void =>
    void controller.fetch(TodoResource.partialUpdate, { id }, { completed: !completed }).catch(() => undefined);
  return (
    <li className={completed ? 'done' : ''}>
      <input type="checkbox" name={`check ${id}`} checked={completed} onChange={check} />
      {todo.title}
      <button name={`delete ${id}`} onClick={() => void controller.fetch(TodoResource.delete, { id })}>
        ×
      </button>
    </li>
  );
});

function List({ userId }: { userId: number }): ReactNode {
  rendered('List');
  const todos = useSuspense(TodoResource.getList, { userId });
  const left = todos.filter(({ completed }) => !completed).length;
  return (
    <>
      <p>{left} left</p>
      <ul>
        {todos.map((todo) => (
          <Line key={todo.pk()} todo={todo} />
        ))}
      </ul>
    </>
  );
}

function Add({ userId }: { userId: number }): ReactNode {
  rendered('Add');
  const controller = useController();
  const add = (): void => {
    const todo = { userId, title: 'Plant a tree', completed: false };
    void controller.fetch(TodoResource.getList.push, { userId }, todo);
  };
  return (
    <button name="add" onClick={add}>
      Add
    </button>
  );
}

export function App(): ReactNode {
  const [userId, setUser] = useState(1);
  return (
    <CacheProvider>
      <button name="user" onClick={() => setUser(3 - userId)}>
        User {userId}
      </button>
      <AsyncBoundary fallback={<p>Loading</p>}>
        <List userId={userId} />
        <Add userId={userId} />
      </AsyncBoundary>
    </CacheProvider>
  );
}
