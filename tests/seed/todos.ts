import { Entity } from 'rejoin';

/** A todo. The API sends the id of its user, and does not nest the user. */
export class User extends Entity {
  id = 0;
  name = '';
  static override key = 'User';
}
export class Todo extends Entity {
  id = 0;
  userId = 0;
  user?: User = undefined as unknown as User;
  title = '';
  completed = false;
  static override key = 'Todo';
  static override schema = { user: User };

  static override process(todo: { userId?: unknown }): object {
    return { ...todo, user: todo.userId };
  }
}
