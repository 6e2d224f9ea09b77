/** The model of the programs in `wrong-queries.test-d.ts` and its neighbours. */
import {
  Entity,
  belongsTo,
  hasMany,
  through,
  ancestors,
  descendants,
  resource,
  Endpoint,
  Collection,
  RestEndpoint,
} from 'rejoin';
export class User extends Entity {
  id = '';
  name = '';
  age = 0;
  isAdmin = false;
  born: Date | null = null;
  static override key = 'User';
  static override indexes = ['name', ['age', 'name'], { unique: 'name' }] as const;
  static posts = hasMany(() => Post, 'author');
  static comments = hasMany(() => Comment, 'userId');
  static teams = hasMany(
    () => Team,
    through(() => Membership, 'userId', 'teamId'),
  );
  greet(): string {
    return this.name;
  }
  get initial(): string {
    return this.name.slice(0, 1);
  }
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
  published = false;
  createdAt = new Date(0);
  meta: { readonly words: number } = { words: 0 };
  author = User.fromJS();
  tags: readonly Tag[] = [];
  editor: User | undefined = undefined;
  format: (() => string) | undefined = undefined;
  labels: string[] = [];
  byLang: Readonly<Record<string, string>> = {};
  static override key = 'Post';
  static override schema = { author: User, tags: [Tag], editor: User };
  static comments = hasMany(() => Comment, 'postId');
}
export class Comment extends Entity {
  id = '';
  userId = 0;
  postId = '';
  text = '';
  parentId: string | null = null;
  static override key = 'Comment';
  static user = belongsTo(() => User, 'userId');
  static post = belongsTo(() => Post, 'postId');
  static above = ancestors(() => Comment, 'parentId');
  static below = descendants(() => Comment, 'parentId');
}
export class Team extends Entity {
  id = '';
  title = '';
  static override key = 'Team';
  static members = hasMany(
    () => User,
    through(() => Membership, 'teamId', 'userId'),
  );
  static links = hasMany(() => Membership, 'teamId');
}
export class Membership extends Entity {
  id = '';
  teamId = '';
  userId = '';
  role: 'lead' | 'member' = 'member';
  static override key = 'Membership';
  static team = belongsTo(() => Team, 'teamId');
  static user = belongsTo(() => User, 'userId');
}
export class File extends Entity {
  id = '';
  ownerType = '';
  ownerId = '';
  static override key = 'File';
  static owner = belongsTo({ user: () => User, team: () => Team }, 'ownerType', 'ownerId');
}
export const users = resource({ path: '/users/:id', schema: User });
export const posts = resource({
  path: '/posts/:id',
  schema: Post,
  searchParams: undefined as { readonly author?: string; readonly page?: number } | undefined,
  optimistic: true,
});
export const comments = resource({ path: '/posts/:postId/comments/:id', schema: Comment });
export const getPostsOf = new Endpoint(
  async (_asked: { readonly author: string; readonly page?: number }) => [] as object[],
  { schema: [Post] },
);
export const search = new RestEndpoint({
  path: '/search',
  searchParams: {} as { readonly q: string },
  schema: new Collection([Post]),
});
export const createPost = new RestEndpoint({
  path: '/posts',
  method: 'POST',
  body: {} as { readonly title: string },
  schema: Post,
});
