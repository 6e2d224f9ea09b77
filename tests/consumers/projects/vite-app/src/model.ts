import { Entity, resource } from 'rejoin';

export class User extends Entity {
  id = 0;
  name = '';
  static key = 'User';
}

export class Todo extends Entity {
  id = 0;
  title = '';
  completed = false;
  user = User.fromJS();
  static key = 'Todo';
  static schema = { user: User };
  static process = (todo: { readonly userId: number }) => ({ ...todo, user: todo.userId });
}

export const users = resource({ urlPrefix: '/api', path: '/users/:id', schema: User, optimistic: true });
export const todos = resource({ urlPrefix: '/api', path: '/todos/:id', schema: Todo });
