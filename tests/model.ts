import { Entity } from '../src/define/schema/entity.ts';

/*
 * The model that tests share: users who write posts and comments, and own todos. A test that is about a class itself, or that
 * needs other members, declares its own. `words.test.ts` fails where a file declares one of these again.
 */

export class User extends Entity {
  id = '';
  name = '';
  static override key = 'User';
}

/** Its author is always there: a missing one is an empty user. */
export class Post extends Entity {
  id = '';
  title = '';
  author = User.fromJS();
  static override key = 'Post';
  static override schema = { author: User };
}

export class Comment extends Entity {
  id = '';
  text = '';
  commenter: User | undefined = undefined;
  static override key = 'Comment';
  static override schema = { commenter: User };
}

/** Its owner may be missing. */
export class Todo extends Entity {
  id = '';
  title = '';
  done = false;
  owner: User | undefined = undefined;
  static override key = 'Todo';
  static override schema = { owner: User };
}

/** A record with `isBad` cannot be built: its class throws. */
export class Strict extends Entity {
  id = '';
  static override key = 'Strict';

  constructor(props?: { readonly isBad?: boolean }) {
    super();
    if (props?.isBad === true) throw new RangeError('mine');
  }
}
