import {
  Aggregate,
  All,
  arg,
  Argument,
  avg,
  BelongsTo,
  belongsTo,
  collect,
  Collection,
  count,
  Entity,
  EntityMixin,
  first,
  distinct,
  from,
  hasMany,
  ancestors,
  descendants,
  through,
  Through,
  Invalidate,
  last,
  Lazy,
  LiveQuery,
  max,
  min,
  on,
  Query,
  Scalar,
  schema,
  sum,
  undecidable,
  Union,
  unshift,
  validateRequired,
  Values,
} from 'rejoin';
import { type Hooks, HookError } from './hooks.ts';

type Fields = Readonly<Record<string, unknown>>;
type SchemaMap = Record<string, unknown>;

/** The classes and schemas of one program. Each call makes new ones with the same keys, as hot reload does. */
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the type is what it returns
export function makeModel(hooks: Hooks, version: number) {
  class Tag extends Entity {
    id = '';
    label = '';
    static override key = 'Tag';
    static override validate(tag: Fields): string | undefined {
      return validateRequired(tag, { id: '' }) ?? (tag['label'] === 'invalid' ? 'the label is invalid' : undefined);
    }
  }

  class User extends Entity {
    id = '';
    name = '';
    email: unknown = undefined;
    best: unknown = undefined;
    friends: unknown = [];
    posts: unknown = [];
    static override key = 'User';
    static indexes = ['email'];
    static override schema: SchemaMap = {};
    static override fromJS(props: Fields = {}): never {
      hooks.check(`User.fromJS(${String(props['id'])})`, props['name']);
      return super.fromJS(props) as never;
    }
  }

  /** The same table with fewer relations. */
  class UserSummary extends Entity {
    id = '';
    name = '';
    static override key = 'User';
  }

  class Team extends EntityMixin(
    class {
      id = '';
      title = '';
      lead: unknown = undefined;
      members: unknown = [];
      budget: unknown = undefined;
    },
    { key: 'Team' },
  ) {
    static override schema: SchemaMap = {};
  }

  /** The same table with more relations. */
  class UserDetail extends Entity {
    id = '';
    name = '';
    best: unknown = undefined;
    team: unknown = undefined;
    tags: unknown = {};
    posts: unknown = [];
    static override key = 'User';
    static override schema: SchemaMap = {};
  }

  class Comment extends Entity {
    id = '';
    text = '';
    author: unknown = undefined;
    post: unknown = undefined;
    static override key = 'Comment';
    static override schema: SchemaMap = {};
    static override createIfValid(props: Fields): never {
      hooks.check(`Comment.createIfValid(${String(props['id'])})`, props['text']);
      return super.createIfValid(props) as never;
    }
  }

  const commentsOfPost = new Collection([Comment], { nestKey: (post: Fields) => ({ postId: post['id'] }) });

  class Post extends Entity {
    id = '';
    title = '';
    author: unknown = undefined;
    authorId: unknown = undefined;
    comments: unknown = [];
    meta: unknown = undefined;
    tags: unknown = [];
    at: unknown = undefined;
    static override key = 'Post';
    static override schema: SchemaMap = {};
    static override process(input: Fields): Fields {
      hooks.check(`Post.process(${String(input['id'])})`, undefined);
      return { ...input };
    }
  }

  /** A record with an overridden pk() and an overridden merge(). */
  class Note extends Entity {
    slug = '';
    lang = '';
    lines: readonly unknown[] = [];
    owner: unknown = undefined;
    static override key = 'Note';
    static override schema: SchemaMap = {};
    override pk(): string | undefined {
      return this.slug ? `${this.slug}-${this.lang}` : undefined;
    }
    static override process(input: Fields): Fields | undefined {
      return input['lang'] === 'gone' ? undefined : { ...input, lang: input['lang'] ?? 'en' };
    }
    static override merge(existing: Fields, incoming: Fields): Fields {
      hooks.check(`Note.merge(${String(incoming['slug'])})`, undefined);
      return { ...existing, ...incoming };
    }
    static override validate(note: Fields): string | undefined {
      hooks.check(`Note.validate(${String(note['slug'])})`, undefined);
      return note['lang'] === 'xx' ? 'there is no such language' : undefined;
    }
  }

  class Photo extends Entity {
    id = '';
    type = 'photo';
    by: unknown = undefined;
    static override key = 'Photo';
    static override schema: SchemaMap = { by: User };
  }
  class Video extends Entity {
    id = '';
    type = 'video';
    cover: unknown = undefined;
    static override key = 'Video';
    static override schema: SchemaMap = { cover: Photo };
  }

  const media = new Union({ photo: Photo, video: Video }, 'type');
  const price = new Scalar({
    lens: (args: readonly Fields[]) => args[0]?.['currency'] as string | undefined,
    key: 'budget',
  });
  const lazyMembers = new Lazy([User]);
  const toDate = (stored: unknown): Date => {
    const date = new Date(stored as string);
    if (Number.isNaN(date.getTime())) throw new HookError('toDate', false);
    return date;
  };

  User.schema = { best: User, friends: [User], posts: [Post] };
  UserDetail.schema = { best: UserDetail, team: Team, tags: new Values(Tag), posts: [Post] };
  Team.schema = { lead: User, members: lazyMembers, budget: price };
  Comment.schema = { author: User, post: Post };
  Post.schema = {
    author: User,
    comments: commentsOfPost,
    meta: new schema.Object({ pinned: Comment, by: User, media }),
    tags: new schema.Array(Tag),
    at: toDate,
  };
  Note.schema = {
    owner: new Union({ user: User, team: Team }, (input: Fields) => ('title' in input ? 'team' : 'user')),
  };

  const users = new Collection([User], { where: { name: undecidable } });
  const posts = new Collection([Post], { nonFilterArgumentKeys: /^page$/ });
  const board = new Collection(new Values(Note));
  const album = new Collection([media]);
  const allUsers = new All(User);
  const feed = new schema.Object({ posts: [Post], top: User, total: '' });

  const describeArgument = new Query(new All(Tag), (tags, argument: unknown) => ({
    count: tags.length,
    argument: showArgument(argument),
  }));
  const names = new Query(allUsers, (found, { start = '' }: { readonly start?: string } = {}) => {
    hooks.check('names', undefined);
    return (found as readonly User[]).filter(({ name }) => name.startsWith(start));
  });
  const firstTitle = new Query(posts, (found) => {
    const title = (found as readonly Post[])[0]?.title;
    hooks.check('firstTitle', title);
    return title;
  });
  const ofTeam = new Query(Team, (team: Team) => [(team as unknown as { readonly lead: unknown }).lead]);

  const sizeOf = (title: unknown): number => String(title).length;
  const written = from(Post)
    .where((post) => post.author !== undefined)
    .count();
  const live = {
    postsOf: hasMany(() => Post, 'author'),
    newest: from(Post)
      .where({ id: { not: '2' } })
      .orderBy('title', 'desc')
      .limit(2),
    named: from(User).where({ name: arg('name') }),
    nameOf: from(User)
      .where({ id: '1' })
      .select(({ name }) => ({ name }))
      .one(),
    // A store knows a table whose records were all collected. A fresh store does not know it.
    howMany: new Query(written, (found) => found || undefined),
    perAuthor: from(Post).groupBy((post) => (post.author as User | undefined)?.id, {
      posts: count(),
      length: sum(({ title }) => sizeOf(title)),
      mean: avg(({ title }) => sizeOf(title)),
      least: min(({ id }) => id),
      most: max(({ id }) => id),
      ids: collect(({ id }) => id),
      first: first(({ id }) => id),
      last: last(({ id }) => id),
    }),
    pairs: from(Post)
      .join('writer', User, on('author', 'id'))
      .select(({ id, writer }) => [id, writer.id]),
    titles: distinct(from(Post).select(({ title }) => title)),
    authorOf: belongsTo(() => User, 'authorId'),
    authorsOf: hasMany(
      () => User,
      through(() => Post, 'id', 'author'),
    ),
    above: ancestors(() => User, 'name'),
    below: descendants(() => User, 'name'),
    classes: [LiveQuery, BelongsTo, Through, Argument, Aggregate],
    whole: from(User).with({ written: hasMany(() => Post, 'author').orderBy('id') }),
  };
  return {
    version,
    live,
    Tag,
    User,
    UserSummary,
    UserDetail,
    Team,
    Comment,
    Post,
    Note,
    Photo,
    Video,
    media,
    price,
    lazyMembers,
    users,
    posts,
    board,
    album,
    allUsers,
    feed,
    describeArgument,
    names,
    firstTitle,
    ofTeam,
    allMedia: new All(media),
    allNotes: new All(Note),
    usersById: new Values(User),
    usersOnTop: users.addWith(unshift),
    deleteUser: new Invalidate(User),
    deleteMedia: new Invalidate(media),
  };
}

export type Model = ReturnType<typeof makeModel>;

/** Returns an argument as text. Different arguments have different texts. */
export function showArgument(value: unknown): string {
  if (value instanceof Date) return `Date(${value.getTime()})`;
  if (value instanceof Set) return `Set(${[...value].map(showArgument).join()})`;
  if (value instanceof Map) return `Map(${[...value].map((pair) => showArgument(pair)).join()})`;
  if (Array.isArray(value)) return `[${value.map(showArgument).join()}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.keys(value)
      .toSorted()
      .map((name) => `${JSON.stringify(name)}:${showArgument((value as Fields)[name])}`)
      .join()}}`;
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return `${value}n`;
  return Object.is(value, -0) ? '0' : String(value);
}
