import { Entity, resource } from 'rejoin';

export class User extends Entity {
  id = '';
  name = '';
  static key = 'User';
}

export class Todo extends Entity {
  id = '';
  title = '';
  done = false;
  user = User.fromJS();
  static key = 'Todo';
  static schema = { user: User };
}

export const todos = resource({ path: '/todos/:id', schema: Todo, optimistic: true });
