import { Collection } from '../../src/define/schema/collection.ts';
import { Entity } from '../../src/define/schema/entity.ts';
import type { EntityIndex } from '../../src/define/schema/indexes.ts';
import { belongsTo } from '../../src/state/query/belongs-to.ts';
import { Union } from '../../src/define/schema/union.ts';
import { hasMany } from '../../src/state/query/has-many.ts';
import { through } from '../../src/state/query/through.ts';
import { ancestors, descendants } from '../../src/state/query/tree.ts';

export class User extends Entity {
  id = '';
  name = '';
  team = '';
  written: readonly Post[] = [];
  drafts: readonly Post[] = [];
  static override key = 'User';
  static discussed = hasMany(
    () => Post,
    through(() => Comment, 'userId', 'postId'),
  );
  static mentions = hasMany(() => Remark, 'about');
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
  static labelled = hasMany(
    () => Post,
    ({ tags }) => tags.map(({ id }) => id),
  );
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
  static mentions = hasMany(() => Remark, 'about');
  static equal = hasMany(() => Comment, { postId: 'id', likes: 'votes' });
}

/** Refers by a plain field, as flat APIs do. */
export class Comment extends Entity {
  id = '';
  postId = '';
  userId = '';
  parentId: string | null = null;
  likes = 0;
  post?: Post;
  static override key = 'Comment';
  static override indexes: readonly EntityIndex[] = ['likes', ['postId', 'userId']];
  static override schema = { post: belongsTo(() => Post, 'postId') };
  static above = ancestors(() => Comment, 'parentId');
  static below = descendants(() => Comment, 'parentId');
}

/** Refers to records of two kinds. */
export class Remark extends Entity {
  id = '';
  about: User | Post | undefined = undefined;
  static override key = 'Remark';
  static override schema = {
    about: new Union({ user: User, post: Post }, (value: object) => ('title' in value ? 'post' : 'user')),
  };
}

/** A list with an order of its own. */
export const Posts = new Collection([Post]);
