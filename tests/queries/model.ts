import { Collection } from '../../src/define/schema/collection.ts';
import { Entity } from '../../src/define/schema/entity.ts';
import type { EntityIndex } from '../../src/define/schema/indexes.ts';
import { belongsTo } from '../../src/state/query/belongs-to.ts';
import { Union } from '../../src/define/schema/union.ts';
import { hasMany } from '../../src/state/query/has-many.ts';
import { through } from '../../src/state/query/through.ts';
import { ancestors, descendants } from '../../src/state/query/tree.ts';

/** Returns new classes with the same keys, as hot reload makes them. Their indexes may be others. */
// oxlint-disable-next-line typescript/explicit-function-return-type -- the classes say their types
export function newModel(isIndexed = true) {
  class User extends Entity {
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
    static comments = hasMany(
      () => Comment,
      ({ userId }) => userId,
    );
    static override schema = {
      written: hasMany(() => Post, 'author'),
      drafts: hasMany(() => Post, 'author')
        .where({ isDraft: true })
        .orderBy('votes')
        .limit(2),
    };
    static posts = hasMany(() => Post, 'author');
  }

  class Tag extends Entity {
    id = '';
    label = '';
    static override key = 'Tag';
    static posts = hasMany(() => Post, 'tags');
    static labelled = hasMany(
      () => Post,
      ({ tags }) => tags.map(({ id }) => id),
    );
  }

  class Post extends Entity {
    id = '';
    title: string | null = '';
    votes = 0;
    isDraft = false;
    date: Date | undefined = undefined;
    author: User | undefined = undefined;
    tags: Tag[] = [];
    discussion: readonly Comment[] = [];
    static override key = 'Post';
    static override indexes: readonly EntityIndex[] = isIndexed ? [] : ['title', 'votes'];
    static override schema = {
      author: User,
      tags: [Tag],
      date: (text: string) => new Date(text),
      discussion: hasMany(() => Comment, 'postId'),
    };
    static comments = hasMany(() => Comment, 'postId');
    static grades = hasMany(() => Grade, 'postId');
    static mentions = hasMany(() => Remark, 'about');
    static equal = hasMany(() => Comment, { postId: 'id', likes: 'votes' });
  }

  /** Refers by a plain field, as flat APIs do. */
  class Comment extends Entity {
    id = '';
    postId = '';
    userId = '';
    parentId: string | null = null;
    likes = 0;
    post?: Post;
    static override key = 'Comment';
    static override indexes: readonly EntityIndex[] = isIndexed ? ['likes', ['postId', 'userId']] : [];
    static override schema = { post: belongsTo(() => Post, 'postId') };
    static onPost = belongsTo(() => Post, 'postId');
    static above = ancestors(() => Comment, 'parentId');
    static below = descendants(() => Comment, 'parentId');
  }

  /** Refers to records of two kinds: by a union, and by fields with the name of the kind and the pk. */
  class Remark extends Entity {
    id = '';
    about: User | Post | undefined = undefined;
    kind = '';
    subjectId = '';
    static override key = 'Remark';
    static override schema = {
      about: new Union({ user: User, post: Post }, (value: object) => ('title' in value ? 'post' : 'user')),
    };
    static subject = belongsTo({ user: User, post: () => Post }, 'kind', 'subjectId');
  }

  /** An entity with a pk of two fields, and a field with values of all kinds. */
  class Grade extends Entity {
    postId = '';
    userId = '';
    points: unknown = null;
    static override key = 'Grade';
    static override indexes: readonly EntityIndex[] = isIndexed ? ['points'] : [];
    static user = belongsTo(() => User, 'userId');
    override pk(): string {
      return `${this.postId},${this.userId}`;
    }
  }

  /** A list with an order of its own. */
  const Posts = new Collection([Post]);
  const Users = new Collection([User]);
  return { User, Tag, Post, Comment, Remark, Grade, Posts, Users };
}

export type Model = ReturnType<typeof newModel>;
export type User = InstanceType<Model['User']>;
export type Tag = InstanceType<Model['Tag']>;
export type Post = InstanceType<Model['Post']>;
export type Comment = InstanceType<Model['Comment']>;
export type Remark = InstanceType<Model['Remark']>;
export type Grade = InstanceType<Model['Grade']>;
