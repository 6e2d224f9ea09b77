import { Entity, resource } from 'rejoin';

export class Todo extends Entity {
  id = '';
  title = '';
  static key = 'Todo';

  get label(): string {
    return this.title;
  }
}

export const todos = resource({ path: '/api/todos/:id', schema: Todo });
