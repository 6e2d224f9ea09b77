// Fetches, joins, watches and changes: `node script.mjs http://localhost:3000`, with any server of users and todos.
import { Controller, Entity, resource } from 'rejoin';

class User extends Entity {
  name = '';
  static key = 'User';
}
class Todo extends Entity {
  title = '';
  completed = false;
  user = User.fromJS();
  static key = 'Todo';
  static schema = { user: User };
  static process = (/** @type {{ userId: number }} */ todo) => ({ ...todo, user: todo.userId });
}
const urlPrefix = process.argv[2] ?? 'http://localhost:3000';
const users = resource({ urlPrefix, path: '/users/:id', schema: User });
const todos = resource({ urlPrefix, path: '/todos/:id', schema: Todo, optimistic: true });

const controller = new Controller();
await Promise.all([controller.fetch(users.getList), controller.fetch(todos.getList)]);
controller.watch(todos.getList, (answer) => {
  if ('value' in answer) console.log(answer.value.map(({ title, completed, user }) => [title, user.name, completed]));
});
await controller.fetch(todos.partialUpdate, { id: 1 }, { completed: true });
