import { Collection } from '../../src/define/schema/collection.ts';
import { Entity } from '../../src/define/schema/entity.ts';
import { belongsTo } from '../../src/state/query/belongs-to.ts';
import { hasMany } from '../../src/state/query/live-query.ts';

export class User extends Entity {
  id = '';
  name = '';
  team = '';
  written: readonly Post[] = [];
  drafts: readonly Post[] = [];
  static override key = 'User';
  static override schema = {
    written: hasMany(() => Post, 'author'),
    drafts: hasMany(() => Post, 'author')
      .where({ isDraft: true })
      .orderBy('votes')
      .limit(2),
  };
  static posts = hasMany(() => Post, 'author');
}

export class Tag extends Entity {
  id = '';
  label = '';
  static override key = 'Tag';
  static posts = hasMany(() => Post, 'tags');
}

export class Post extends Entity {
  id = '';
  title: string | null = '';
  votes = 0;
  isDraft = false;
  date: Date | undefined = undefined;
  author: User | undefined = undefined;
  tags: Tag[] = [];
  discussion: readonly Comment[] = [];
  static override key = 'Post';
  static override schema = {
    author: User,
    tags: [Tag],
    date: (text: string) => new Date(text),
    discussion: hasMany(() => Comment, 'postId'),
  };
  static comments = hasMany(() => Comment, 'postId');
}

/** Refers by a plain field, as flat APIs do. */
export class Comment extends Entity {
  id = '';
  postId = '';
  likes = 0;
  post?: Post;
  static override key = 'Comment';
  static override schema = { post: belongsTo(() => Post, 'postId') };
}

/** A list with an order of its own. */
export const Posts = new Collection([Post]);
