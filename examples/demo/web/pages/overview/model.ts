import { Collection, Entity, Store } from 'rejoin';

export class User extends Entity {
  id = '';
  name = '';
  static key = 'User';
}

export class Post extends Entity {
  id = '';
  title = '';
  author = User.fromJS();
  static key = 'Post';
  static schema = { author: User };
}

const posts = new Collection([Post]);

/** An example response: it contains Ann twice. */
export const response = [
  { id: '1', title: 'Joins', author: { id: '7', name: 'Ann' } },
  { id: '2', title: 'Tables', author: { id: '7', name: 'Ann' } },
];

/** A store without a network and without React. */
export const store = new Store();
store.write(posts, response);

export const list = store.query(posts);
export const ann = store.query(User, [{ id: '7' }]);
