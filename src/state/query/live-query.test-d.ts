import { describe, expectTypeOf, test } from 'vitest';
import { count, first, max, sum } from './aggregates.ts';
import { arg } from '../../define/query/argument.ts';
import { Collection } from '../../define/schema/collection.ts';
import { Endpoint } from '../../define/endpoint/endpoint.ts';
import { All } from '../../define/schema/all.ts';
import { Entity } from '../../define/schema/entity.ts';
import { Query } from '../../define/schema/query.ts';
import { Values } from '../../define/schema/values.ts';
import type { Denormalize, List, SchemaArgs } from '../../define/schema/infer-schema.ts';
import { belongsTo } from './belongs-to.ts';
import { hasMany } from './has-many.ts';
import { from } from './live-query.ts';
import { distinct } from './distinct.ts';
import { on } from './on.ts';
import { through } from './through.ts';
import { ancestors } from './tree.ts';

class User extends Entity {
  id = '';
  name = '';
  static override key = 'User';
  static posts = hasMany(() => Post, 'author');
  static comments = hasMany(() => Comment, 'userId');
}

class Tag extends Entity {
  id = '';
  static override key = 'Tag';
  static posts = hasMany(() => Post, 'tags');
}

class Post extends Entity {
  id = '';
  title: string | null = '';
  votes = 0;
  author = User.fromJS();
  tags: Tag[] = [];
  static override key = 'Post';
  static override schema = { author: User, tags: [Tag] };
}

class Comment extends Entity {
  id = '';
  userId = 0;
  threadId = '';
  parentId: string | null = null;
  static override key = 'Comment';
  static above = ancestors(() => Comment, 'parentId');
  static user = belongsTo(() => User, 'userId');
}

describe('a query', () => {
  test('reads as a list of records, one of them, a number, or whether there is any', () => {
    const posts = from(Post);
    expectTypeOf<Denormalize<typeof posts>>().toEqualTypeOf<List<Post>>();
    const one = posts.one();
    expectTypeOf<Denormalize<typeof one>>().toEqualTypeOf<Post | undefined>();
    const counted = posts.count();
    expectTypeOf<Denormalize<typeof counted>>().toEqualTypeOf<number>();
    const exists = posts.exists();
    expectTypeOf<Denormalize<typeof exists>>().toEqualTypeOf<boolean>();
    const selected = posts.select(({ id, votes }) => ({ id, votes }));
    expectTypeOf<Denormalize<typeof selected>>().toEqualTypeOf<List<{ id: string; votes: number }>>();
    expectTypeOf<SchemaArgs<typeof posts>>().toEqualTypeOf<[]>();
  });

  test('takes the arguments in its conditions, with the types of their fields', () => {
    const of = from(Post).where({ author: arg('user'), votes: { gte: arg('least') }, title: 'a' });
    expectTypeOf<SchemaArgs<typeof of>[0]['least']>().toEqualTypeOf<number>();
    expectTypeOf<SchemaArgs<typeof of>[0]['user']>().toEqualTypeOf<string | number | User>();
    const among = from(Post)
      .where({ votes: { in: arg('votes') } })
      .limit(arg('size'));
    expectTypeOf<SchemaArgs<typeof among>[0]['votes']>().toEqualTypeOf<readonly number[]>();
    expectTypeOf<SchemaArgs<typeof among>[0]['size']>().toEqualTypeOf<number>();
    const matching = from(Post).where(({ title }, { text }: { readonly text: string }) => title?.includes(text));
    expectTypeOf<SchemaArgs<typeof matching>[0]['text']>().toEqualTypeOf<string>();
  });

  test('takes the arguments of relations beside its records', () => {
    const best = from(User).with({
      best: User.posts.where({ votes: { gte: arg('least') } }),
      few: User.posts.limit(arg('size')).count(),
      all: User.posts,
      liked: from(Post).where({ votes: { gte: arg('liked') } }),
    });
    expectTypeOf<SchemaArgs<typeof best>[0]['liked']>().toEqualTypeOf<number>();
    expectTypeOf<SchemaArgs<typeof best>[0]['least']>().toEqualTypeOf<number>();
    expectTypeOf<SchemaArgs<typeof best>[0]['size']>().toEqualTypeOf<number>();
    const whole = from(User).with({ all: User.posts });
    expectTypeOf<SchemaArgs<typeof whole>>().toEqualTypeOf<[]>();
  });

  test('takes only fields that exist, and values of their types', () => {
    const posts = from(Post);
    expectTypeOf(posts.where({ votes: 1 })).toEqualTypeOf(posts);
    // @ts-expect-error no such field
    posts.where({ vote: 1 });
    // @ts-expect-error a text is no number
    posts.where({ votes: '1' });
    // @ts-expect-error a text is no number
    posts.where({ votes: { gt: '1' } });
    // @ts-expect-error a method is no field
    posts.where({ pk: '1' });
    // @ts-expect-error no such field
    posts.orderBy('vote');
    // @ts-expect-error no such direction
    posts.orderBy('votes', 'down');
    // @ts-expect-error no entity
    from(Date.now);
  });

  test('has groups with a field for each aggregate', () => {
    const groups = from(Post).groupBy('votes', {
      posts: count(),
      total: sum(({ votes }) => votes),
      title: max(({ title }) => title),
      first: first(),
    });
    type Group = Denormalize<typeof groups>[number];
    expectTypeOf<Group['votes']>().toEqualTypeOf<number>();
    expectTypeOf<Group['posts']>().toEqualTypeOf<number>();
    expectTypeOf<Group['title']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Group['first']>().toEqualTypeOf<Post>();
    const byName = from(Post).groupBy(({ author }) => author.name, { posts: count() });
    expectTypeOf<Denormalize<typeof byName>[number]['key']>().toEqualTypeOf<string>();
    groups.where({ total: { gt: 5 } }).orderBy('posts');
    // @ts-expect-error no such field of a group
    groups.where({ title2: 5 });
    // @ts-expect-error no such field of a record
    from(Post).groupBy('vote', {});
  });
});

describe('a query that an endpoint loads', () => {
  const getPosts = new Endpoint(async (_asked: { readonly author: string; readonly page?: number }) => [] as object[], {
    schema: [Post],
  });

  test('takes the arguments of the request, if it takes none itself or the same', () => {
    const all = from(Post).loadedBy(getPosts);
    const ofAuthor = from(Post)
      .where({ author: arg('author') })
      .loadedBy(getPosts);
    expectTypeOf<Parameters<typeof all>>().toEqualTypeOf<Parameters<typeof getPosts>>();
    expectTypeOf<Parameters<typeof ofAuthor>>().toEqualTypeOf<Parameters<typeof getPosts>>();
  });

  test('needs a function that makes its arguments from others', () => {
    const ofUser = User.posts.loadedBy(getPosts, ({ author }) => [author]);
    expectTypeOf<Parameters<typeof ofUser>>().toEqualTypeOf<Parameters<typeof getPosts>>();
    // @ts-expect-error the query takes a user
    User.posts.loadedBy(getPosts);
    // @ts-expect-error the request has no votes
    from(Post).where({ votes: arg('votes') }).loadedBy(getPosts); // prettier-ignore
    const createPost = new Endpoint(async (_body: object) => ({ id: '1' }), { schema: [Post], sideEffect: true });
    // @ts-expect-error a mutation
    from(Post).loadedBy(createPost);
    // @ts-expect-error these are the arguments of the request
    User.posts.loadedBy(getPosts, (asked) => [asked]);
  });
});

describe('a query of another source', () => {
  test('has the items of the other query, and takes its arguments', () => {
    const best = from(Post)
      .where({ votes: { gte: arg('least') } })
      .select(({ id, votes }) => ({ id, votes }));
    const found = from(best).where({ votes: { lt: arg('most') } });
    expectTypeOf<Denormalize<typeof found>>().toEqualTypeOf<List<{ id: string; votes: number }>>();
    expectTypeOf<SchemaArgs<typeof found>[0]['least']>().toEqualTypeOf<number>();
    expectTypeOf<SchemaArgs<typeof found>[0]['most']>().toEqualTypeOf<number>();
    const ofUser = from(User.posts.limit(2)).where({ votes: arg('votes') });
    expectTypeOf<SchemaArgs<typeof ofUser>[0]>().toEqualTypeOf<string | number | User>();
    expectTypeOf<SchemaArgs<typeof ofUser>[1]['votes']>().toEqualTypeOf<number>();
    // @ts-expect-error one record is no list
    from(from(Post).one());
    // @ts-expect-error no such field of what is selected
    found.where({ title: 'a' });
  });

  test('has the members of a collection, whose arguments come first', () => {
    const posts = from(new Collection([Post])).where({ votes: arg('votes') });
    expectTypeOf<Denormalize<typeof posts>>().toEqualTypeOf<List<Post>>();
    expectTypeOf<SchemaArgs<typeof posts>[1]['votes']>().toEqualTypeOf<number>();
  });

  test('has distinct values of what is selected', () => {
    const titles = distinct(from(Post).select(({ title }) => title));
    expectTypeOf<Denormalize<typeof titles>>().toEqualTypeOf<List<string | null>>();
  });

  test('has the other record of a join in a field, which may be undefined in a left join', () => {
    const pairs = from(Post).join('comment', Comment, on('id', 'userId'));
    type Joined = Denormalize<typeof pairs>[number];
    expectTypeOf<Joined['comment']>().toEqualTypeOf<Comment>();
    expectTypeOf<Joined['votes']>().toEqualTypeOf<number>();
    pairs.where(({ comment }) => comment.userId > 1).orderBy(({ comment }) => comment.id);
    const all = from(Post).leftJoin(
      'comment',
      from(Comment).where({ userId: arg('user') }),
      on(({ id }) => id, 'id'),
    );
    expectTypeOf<Denormalize<typeof all>[number]['comment']>().toEqualTypeOf<Comment | undefined>();
    expectTypeOf<SchemaArgs<typeof all>[0]['user']>().toEqualTypeOf<number>();
    // @ts-expect-error no such field of a post
    from(Post).join('comment', Comment, on('postId', 'id'));
    // @ts-expect-error no such field of a comment
    from(Post).join('comment', Comment, on('id', 'postId'));
    // @ts-expect-error a relation is read for a record
    from(User).join('post', User.posts, on('id', 'id'));
  });

  test('is joined by values that can be equal', () => {
    class Item extends Entity {
      id = 0;
      isDone = false;
      doneAt: Date | undefined = undefined;
      user: User | null = null;
      anything: unknown = undefined;
      static override key = 'Item';
    }
    const items = from(Item);
    items.join('post', Post, on('id', 'id')).join(
      'one',
      Item,
      on(({ post }) => post.votes, 'id'),
    );
    items.join('post', Post, on('user', 'author')).leftJoin('owner', User, on('user', 'id'));
    items.join('post', Post, on('anything', 'id')).join('other', Item, on('doneAt', 'anything'));
    items.join('other', Item, on('isDone', 'isDone')).join('later', Item, on('doneAt', 'doneAt'));
    const pairs = items.join('post', Post, on(({ user }) => user?.id, ({ author }) => author)); // prettier-ignore
    expectTypeOf<Denormalize<typeof pairs>[number]['post']>().toEqualTypeOf<Post>();
    // @ts-expect-error no such field
    items.join('post', Post, on('postId', 'id'));
    // @ts-expect-error a boolean and a text
    items.join('post', Post, on('isDone', 'id'));
    // @ts-expect-error the same in a left join
    items.leftJoin('post', Post, on('isDone', 'id'));
    // @ts-expect-error a date and a record
    items.join('post', Post, on('doneAt', 'author'));
    const isDone = (item: Item): boolean => item.isDone;
    // @ts-expect-error what a function returns
    items.join('post', Post, on(isDone, 'id'));
    // @ts-expect-error the same on the other side
    items.join('other', Item, on('id', isDone));
  });

  test('takes a record of its own class in after()', () => {
    const page = from(Post).orderBy('votes').after(arg('last'));
    expectTypeOf<SchemaArgs<typeof page>[0]['last']>().toEqualTypeOf<Post | undefined>();
    // @ts-expect-error another record
    from(Post).orderBy('votes').after('5');
  });
});

test('a condition or an order is a function that returns its value at once', () => {
  const getPost = new Endpoint(async ({ id }: { readonly id: string }) => ({ id }), { schema: Post });
  const posts = from(Post).where(({ votes }, { least }: { readonly least: number }) => votes > least);
  expectTypeOf<SchemaArgs<typeof posts>[0]['least']>().toEqualTypeOf<number>();
  posts
    .where<{ readonly title: string }>((post, { title }) => post.title === title)
    .orderBy(({ author }) => author.name);
  posts.where((post): unknown => post.title).orderBy((post): unknown => post.title);
  // @ts-expect-error an endpoint
  posts.where(getPost);
  // @ts-expect-error a promise
  posts.where(async ({ votes }) => votes > 1);
  // @ts-expect-error an endpoint
  posts.orderBy(getPost);
  // @ts-expect-error a promise
  posts.orderBy(async ({ votes }) => votes);
});

describe('a relation', () => {
  test('is read with a record of the class that its field refers to, or with its pk', () => {
    expectTypeOf<Denormalize<typeof User.posts>>().toEqualTypeOf<List<Post>>();
    expectTypeOf<SchemaArgs<typeof User.posts>>().toEqualTypeOf<[owner: string | number | User]>();
    expectTypeOf<SchemaArgs<typeof Tag.posts>>().toEqualTypeOf<[owner: string | number | Tag]>();
    // Comment.user says whose number it is.
    expectTypeOf<User>().toExtend<SchemaArgs<typeof User.comments>[0]>();
    expectTypeOf<Exclude<SchemaArgs<typeof User.comments>[0], object>>().toEqualTypeOf<number>();
    expectTypeOf<SchemaArgs<typeof Comment.user>>().toEqualTypeOf<[owner: Readonly<Record<'userId', unknown>>]>();
    expectTypeOf<Denormalize<typeof Comment.user>>().toEqualTypeOf<User | undefined>();
    const best = User.posts.where({ votes: { gt: arg('least') } });
    expectTypeOf<SchemaArgs<typeof best>[1]['least']>().toEqualTypeOf<number>();
    // @ts-expect-error no such field of a post
    hasMany(() => Post, 'user');
  });

  test('can be declared by several fields, by a function, through links and through trees, and has records of its class', () => {
    const byFields = hasMany(() => Comment, { userId: 'authorId', threadId: 'id' });
    expectTypeOf<Denormalize<typeof byFields>>().toEqualTypeOf<List<Comment>>();
    expectTypeOf<SchemaArgs<typeof byFields>>().toEqualTypeOf<[owner: Readonly<Record<'authorId' | 'id', unknown>>]>();
    // @ts-expect-error no such field of a comment
    hasMany(() => Comment, { user: 'authorId' });
    const byFunction = hasMany(
      () => Post,
      ({ tags }) => tags.map(({ id }) => id),
    );
    expectTypeOf<string>().toExtend<SchemaArgs<typeof byFunction>[0]>();
    const linked = hasMany(
      () => User,
      through(() => Post, 'id', 'author'),
    );
    expectTypeOf<Denormalize<typeof linked>>().toEqualTypeOf<List<User>>();
    expectTypeOf<User>().toExtend<SchemaArgs<typeof linked>[0]>();
    // @ts-expect-error no such field of the link
    through(() => Post, 'user', 'author');
    expectTypeOf<Denormalize<typeof Comment.above>>().toEqualTypeOf<List<Comment>>();
    expectTypeOf<SchemaArgs<typeof Comment.above>>().toEqualTypeOf<[owner: Comment | string | number]>();
    // @ts-expect-error no such field of a comment
    ancestors(() => Comment, 'parent');
    const oldest = Comment.above.where({ userId: arg('user') }).limit(1);
    expectTypeOf<SchemaArgs<typeof oldest>[1]['user']>().toEqualTypeOf<number>();
  });

  test('does not take a record with a name for an argument', () => {
    const named = from(Post).where({ author: User.fromJS() });
    expectTypeOf<SchemaArgs<typeof named>>().toEqualTypeOf<[]>();
  });

  test('is beside a record in a field of its name', () => {
    const whole = from(User).with({ posts: User.posts.with({ tags2: Tag.posts }), comments: User.comments.count() });
    type Whole = Denormalize<typeof whole>[number];
    expectTypeOf<Whole['name']>().toEqualTypeOf<string>();
    expectTypeOf<Whole['comments']>().toEqualTypeOf<number>();
    expectTypeOf<Whole['posts'][number]['tags2']>().toEqualTypeOf<List<Post>>();
    expectTypeOf<Whole>().toExtend<User>();
  });
});

describe('a relation beside a record', () => {
  const users = from(User);

  test('is one that can be read for the record', () => {
    const deep = users.with({
      posts: User.posts.where({ votes: 1 }).with({ named: hasMany(() => Tag, { id: 'title' }) }),
    });
    expectTypeOf<Denormalize<typeof deep>[number]['posts'][number]['named']>().toEqualTypeOf<List<Tag>>();
    users.with({ posts: User.posts.count(), all: from(Post), groups: User.posts.groupBy('votes', { posts: count() }) });
    users.with({ comments: User.comments.with({ user: Comment.user }) }).with({ again: User.posts.one() });
    from(users.with({ posts: User.posts })).with({ more: User.posts });
    from(Post)
      .join('user', User, on('title', 'id'))
      .with({ tag: belongsTo(() => Tag, 'title') });
    // @ts-expect-error -- a relation of users
    from(Comment).with({ posts: User.posts });
    // @ts-expect-error -- a relation of records with the field userId
    users.with({ user: Comment.user });
    // @ts-expect-error -- the same in a second level
    users.with({ posts: User.posts.with({ user: Comment.user }) });
    // @ts-expect-error -- a group is not a record
    from(Post).groupBy('votes', { posts: count() }).with({ posts: User.posts });
    // @ts-expect-error -- a method that was not called
    users.orderBy((user) => user.pk);
    // @ts-expect-error -- a method that was not called
    users.where((user) => user.pk);
    // @ts-expect-error -- a promise
    users.select(async (user) => user.id);
    // @ts-expect-error -- a promise
    users.groupBy(async (user) => user.id, { users: count() });
    // @ts-expect-error -- the key has the name
    users.groupBy((user) => user.id, { key: count() });
    // @ts-expect-error -- the field has the name
    users.groupBy('id', { id: count() });
    // @ts-expect-error -- a class is not a relation
    users.with({ posts: Post });
    // @ts-expect-error -- no field of a post
    hasMany(() => Post, { titel: 'id' });
  });
});

describe('a relation by a field that has only a pk', () => {
  class Author extends Entity {
    id = '';
    books: readonly Book[] = [];
    static override key = 'Author';
    static reviews = hasMany(() => Review, 'authorId');
    static files = hasMany(() => File, 'ownerId');
    static clubs = hasMany(
      () => Club,
      through(() => Joining, 'authorId', 'clubId'),
    );
    static override schema = { books: hasMany(() => Book, 'authorId') };
  }
  class Novelist extends Author {
    static best = Author.reviews.orderBy('id').limit(1);
  }
  class Book extends Entity {
    id = '';
    authorId = '';
    static override key = 'Book';
    static author = belongsTo(() => Author, 'authorId');
    static reviews = hasMany(() => Review, 'bookId');
  }
  class Review extends Entity {
    id = '';
    authorId = '';
    bookId = '';
    parentId = '';
    static override key = 'Review';
    static answers = hasMany(() => Review, 'parentId');
    // A relation to the own class inside of the class does not make the types of the class circular.
    static tree = Review.answers.with({ answers: Review.answers.with({ answers: Review.answers }) });
    static book = belongsTo(() => Book, 'bookId');
    static withBook = Review.answers.with({ book: Review.book });
  }
  class Club extends Entity {
    id = '';
    static override key = 'Club';
    static members = hasMany(
      () => Author,
      through(() => Joining, 'clubId', 'authorId'),
    );
  }
  class Joining extends Entity {
    authorId = '';
    clubId = '';
    static override key = 'Joining';
    static override schema = { club: belongsTo(() => Club, 'clubId') };
  }
  class File extends Entity {
    id = '';
    ownerType = '';
    ownerId = '';
    static override key = 'File';
    static owner = belongsTo({ author: () => Author, club: () => Club }, 'ownerType', 'ownerId');
    static byFunction = belongsTo(
      () => Book,
      (file: { readonly ownerId: string }) => file.ownerId,
    );
    /** Without an annotation. */
    static near = belongsTo(
      () => Book,
      (file) => `${file.ownerId}-near`,
    );
  }
  const authors = from(Author);

  test('is beside records of the class that declares it', () => {
    authors.with({
      reviews: Author.reviews.where({ bookId: '1' }).orderBy('id').limit(2),
      few: Author.reviews.count(),
    });
    authors
      .where({ id: '1' })
      .orderBy('id')
      .limit(1)
      .with({ clubs: Author.clubs.with({ members: Club.members }) });
    authors.with({ books: hasMany(() => Book, 'authorId').with({ reviews: Book.reviews }) });
    authors.with({ own: hasMany(() => Review, { bookId: 'id' }) }).with({ reviews: Author.reviews });
    from(Novelist).with({ reviews: Author.reviews, best: Novelist.best });
    from(authors.limit(2)).with({ reviews: Author.reviews });
    from(Book).join('author', Author, on('authorId', 'id')).with({ reviews: Book.reviews });
    const trees = from(Review).with({ tree: Review.tree });
    expectTypeOf<Denormalize<typeof trees>[number]['tree'][number]['answers'][number]['answers'][number]>()
      .toEqualTypeOf<Review>(); // prettier-ignore
    // The type of a collection does not tell which relations its class declares.
    from(new Collection([Book])).with({ reviews: Book.reviews });
    expectTypeOf<Author>().toExtend<SchemaArgs<typeof Author.reviews>[0]>();
  });

  test('is read with a record of the class to which the field belongs, if belongsTo() says which one that is', () => {
    expectTypeOf<SchemaArgs<typeof Book.reviews>>().toEqualTypeOf<[owner: string | Book]>();
    const best = Book.reviews.where({ authorId: arg('author') }).limit(1);
    expectTypeOf<SchemaArgs<typeof best>>().toEqualTypeOf<
      [owner: string | Book, args: Readonly<Record<'author', string>>]
    >();
    expectTypeOf<SchemaArgs<typeof Club.members>[0]>().toEqualTypeOf<string | Club>();
    // Nothing says whose the number of a review without a relation is.
    expectTypeOf<Book>().toExtend<SchemaArgs<typeof Author.reviews>[0]>();
    // A file of a user or of a team.
    expectTypeOf<SchemaArgs<typeof Author.files>[0]>().toEqualTypeOf<string | Author | Club>();
  });

  test('by a function without an annotation is beside any record', () => {
    expectTypeOf(from(File).with({ near: File.near }).one()).not.toBeAny();
    expectTypeOf<Denormalize<typeof File.near>>().toEqualTypeOf<Book | undefined>();
    // @ts-expect-error -- the function names the field that its record must have
    from(Author).with({ book: File.byFunction });
  });

  test('is not beside records of other classes', () => {
    // @ts-expect-error -- a relation of books
    authors.with({ reviews: Book.reviews });
    const few = authors.where({ id: '1' }).orderBy('id').limit(3);
    // @ts-expect-error -- the same after other steps
    few.with({ reviews: Book.reviews.limit(2).count() });
    // @ts-expect-error -- the same in a query of a query
    from(authors).with({ reviews: Book.reviews });
    // @ts-expect-error -- the same beside a relation of authors
    authors.with({ reviews: Author.reviews, ofBook: Book.reviews });
    // @ts-expect-error -- the same in a second level
    authors.with({ clubs: Author.clubs.with({ reviews: Book.reviews }) });
    // @ts-expect-error -- links from clubs, for members of a club
    from(Club).with({ members: Club.members.with({ members: Club.members }) });
    // @ts-expect-error -- links from clubs
    from(Book).with({ members: Club.members });
    // @ts-expect-error -- a relation of authors
    from(Book).with({ reviews: Author.reviews });
    // @ts-expect-error -- no class declares it
    authors.with({ answers: hasMany(() => Review, 'bookId') });
    expectTypeOf(authors.with({ own: Author.reviews.count() }).one()).not.toBeAny();
  });
});

test('a schema is not made of a value or an endpoint', () => {
  const getPost = new Endpoint(async () => ({ id: '1' }), { schema: Post });
  const size = new Query(User.posts, (posts) => posts.length);
  expectTypeOf<Denormalize<typeof size>>().toEqualTypeOf<number>();
  new Query({ posts: from(Post) }, ({ posts }) => posts.length);
  new Values((text: string) => new Date(text));
  // @ts-expect-error -- an endpoint
  new Query(getPost, () => 1);
  // @ts-expect-error -- a text
  new Query('Post', () => 1);
  // @ts-expect-error -- a number
  new Values(5);
  // @ts-expect-error -- an endpoint
  new Values(getPost);
  // @ts-expect-error -- an endpoint
  new All(getPost);
  new All({ users: User, posts: Post });
  // @ts-expect-error -- a list: all records are one already
  new All([User]);
});
