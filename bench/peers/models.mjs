/** Declares the records of every row for a library whose entities are classes, with the `Entity` of that library. */
export const models = (Entity) => ({ ...blog(Entity), ...board(Entity) });

function blog(Entity) {
  class User extends Entity {
    id = '';
    name = '';
    username = '';
    email = '';
    avatarUrl = '';
    static key = 'User';
  }
  class Comment extends Entity {
    id = '';
    content = '';
    createdAt = '';
    likes = 0;
    commenter = User.fromJS();
    static key = 'Comment';
    static schema = { commenter: User };
  }
  class Post extends Entity {
    id = '';
    title = '';
    body = '';
    createdAt = '';
    author = User.fromJS();
    comments = [];
    static key = 'Post';
    static schema = { author: User, comments: [Comment] };
  }
  return { User, Comment, Post };
}

function board(Entity) {
  class Row extends Entity {
    id = '';
    title = '';
    done = false;
    rank = 0;
    updatedAt = '';
    static key = 'Row';
  }
  class Stats extends Entity {
    id = '';
    volume = 0;
    price = 0;
    static key = 'Stats';
  }
  class Currency extends Entity {
    id = '';
    name = '';
    tier = 0;
    stats = Stats.fromJS();
    static key = 'Currency';
    static schema = { stats: Stats };
    static process(input) {
      return { ...input, stats: `${input.id}-USD` };
    }
  }
  return { Row, Stats, Currency };
}
