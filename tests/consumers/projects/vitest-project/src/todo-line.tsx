import { useController, useSuspense } from 'rejoin/react';
import { todos } from './model.ts';

export function TodoLine({ id }: { readonly id: string }) {
  const controller = useController();
  const todo = useSuspense(todos.get, { id });
  const finish = () => controller.fetch(todos.partialUpdate, { id }, { done: true });
  return (
    <button aria-pressed={todo.done} onClick={() => void finish()}>
      {todo.title} for {todo.user.name}
    </button>
  );
}
