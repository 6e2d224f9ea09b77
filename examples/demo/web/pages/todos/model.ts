import { Entity, resource } from 'rejoin';

export class User extends Entity {
  id = 0;
  name = '';
  static key = 'Person';
}

export class Todo extends Entity {
  id = 0;
  userId = 0;
  user?: User;
  title = '';
  completed = false;
  static key = 'Todo';
  static schema = { user: User };

  // The number becomes the reference that joins the user.
  static process(todo: { userId: number }) {
    return { ...todo, user: todo.userId };
  }
}

export const todos = resource({
  urlPrefix: '/api',
  path: '/todos/:id',
  searchParams: undefined as { perPage?: number } | undefined,
  schema: Todo,
  optimistic: true,
});
export const users = resource({
  urlPrefix: '/api',
  path: '/users/:id',
  searchParams: undefined as { ids?: string } | undefined,
  schema: User,
});
