import { avg, collect, count, first, last, max, min, sum } from '../../src/state/query/aggregates.ts';
import { arg } from '../../src/define/query/argument.ts';
import { from } from '../../src/state/query/live-query.ts';
import { distinct } from '../../src/state/query/distinct.ts';
import { on } from '../../src/state/query/on.ts';
import type { Comment, Model, Post } from './model.ts';
import {
  beside,
  type Case,
  byId,
  byVotes,
  byVotesDown,
  textOr,
  byName,
  byTitleThenVotes,
  hasDate,
  timeOf,
  byDate,
  byDateDown,
  compare,
  groups,
  ofAuthor,
  byLikes,
  sorted,
  pairs,
  likedFrom,
  postOf,
  discussionOf,
  draftsOf,
  mentionsOf,
  isThere,
  aboveOf,
  belowOf,
  titled,
  dated,
  isEqual,
  isNothing,
  byValue,
  gradesInOrder,
  isJoined,
  subjectOf,
} from './naive.ts';

/** The classes, and the queries that several cases use. */
type Given = Model & ReturnType<typeof queriesOf>;

// oxlint-disable-next-line typescript/explicit-function-return-type -- the queries say their types
function queriesOf(model: Model) {
  const { Comment, Post } = model;
  const posts = from(Post);
  const ordered = posts.orderBy('votes', 'desc');
  const ofTeam = posts.where((post: Post, { team }: { readonly team: string }) => post.author?.team === team);
  const popular = posts.where({ votes: { gte: arg('least'), lt: 8 } });
  const perAuthor = posts.groupBy((post) => post.author?.id ?? '', {
    posts: count(),
    drafts: count(({ isDraft }) => isDraft),
    votes: sum(({ votes }) => votes),
    mean: avg(({ votes }) => votes),
    least: min(({ votes }) => votes),
    most: max(({ title }) => title),
    ids: collect(({ id }) => id),
    first: first(({ id }) => id),
    last: last(({ id }) => id),
  });

  const commented = posts.join('comment', Comment, on('id', 'postId'));
  const likedMost = from(Comment).orderBy('likes', 'desc').limit(3);
  const cursor = Post.fromJS({ id: '4', votes: 5 });

  return { posts, ordered, ofTeam, popular, perAuthor, commented, likedMost, cursor };
}

const plain = (query: object, naive: Case['naive'], ...args: unknown[]): Case => ({
  query,
  args,
  naive,
  of: 'posts',
});
const ofUsers = (query: object, naive: Case['naive'], ...args: unknown[]): Case => ({
  ...plain(query, naive, ...args),
  of: 'users',
});
const ofGrades = (query: object, naive: Case['naive'], ...args: unknown[]): Case => ({
  ...plain(query, naive, ...args),
  of: 'grades',
});
const ofListed = (query: object, naive: Case['naive']): Case => ({ ...plain(query, naive, {}), of: 'listed' });
const ofRemarks = (query: object, naive: Case['naive'], ...args: unknown[]): Case => ({
  ...plain(query, naive, ...args),
  of: 'remarks',
});
const ofComments = (query: object, naive: Case['naive'], ...args: unknown[]): Case => ({
  ...plain(query, naive, ...args),
  of: 'comments',
});

/** Queries that use indexes, and queries for which the rows are enough. */
const indexed = ({ Comment, posts }: Given): readonly Case[] => [
  ofComments(from(Comment).where({ likes: { gt: 1, lte: 3 } }), (all) => likedFrom(all, 2, 3)),
  ofComments(
    from(Comment)
      .where({ likes: { gte: arg('least') } })
      .count(),
    (all) => likedFrom(all, 3, 9).length,
    { least: 3 },
  ),
  ofComments(from(Comment).orderBy('likes', 'desc').limit(3), (all) => [...all.comments].sort(byLikes).slice(0, 3)),
  ofComments(from(Comment).orderBy('likes', 'desc').offset(2).limit(2), (all) =>
    [...all.comments].sort(byLikes).slice(2, 4),
  ),
  ofComments(
    from(Comment)
      .where({ likes: { lt: 3 } })
      .orderBy('likes', 'desc')
      .limit(2),
    (all) => likedFrom(all, 0, 2).sort(byLikes).slice(0, 2),
  ),
  ofComments(
    from(Comment).where({ postId: arg('post'), userId: 'u1' }),
    (all) => all.comments.filter((one) => one.postId === '1' && all.userOf(one) === 'u1'),
    { post: '1' },
  ),
  ofComments(
    from(Comment)
      .where({ postId: { in: ['1', '2'] }, userId: { in: ['u1', 'u2'] } })
      .limit(3),
    (all) =>
      all.comments
        .filter((one) => ['1', '2'].includes(one.postId) && ['u1', 'u2'].includes(all.userOf(one)))
        .slice(0, 3),
  ),
  ofComments(
    from(Comment).where({ likes: arg('likes'), userId: arg('user') }),
    (all) => all.comments.filter((one) => one.likes === 2 && all.userOf(one) === 'u1'),
    { likes: 2, user: 'u1' },
  ),
  ofComments(
    from(Comment)
      .where({ parentId: arg('parent'), userId: arg('user') })
      .count(),
    (all) => all.comments.filter((one) => one.parentId === null && all.userOf(one) === 'u2').length,
    { parent: null, user: 'u2' },
  ),
  ofComments(from(Comment).where({ parentId: null }).one(), (all) =>
    all.comments.find(({ parentId }) => parentId === null),
  ),
  plain(
    posts
      .where({ isDraft: true, votes: { not: 3 } })
      .orderBy('title')
      .orderBy('votes', 'desc')
      .limit(3),
    (all) =>
      all.posts
        .filter(({ isDraft, votes }) => isDraft && votes !== 3)
        .sort(byTitleThenVotes)
        .slice(0, 3),
  ),
  plain(posts.where({ author: { in: ['u1', 'u2'] } }).where({ author: arg('author') }), () => [], { author: 'u3' }),
  plain(posts.where({ author: 'u2', title: 'x' }).exists(), (all) =>
    ofAuthor(all, 'u2').some(({ title }) => title === 'x'),
  ),
];

/** Queries of other queries and of collections. */
const composed = ({
  Comment,
  Post,
  Posts,
  posts,
  ordered,
  perAuthor,
  commented,
  likedMost,
  cursor,
}: Given): readonly Case[] => [
  plain(from(ordered.limit(4)).where({ isDraft: false }), (all) =>
    sorted(all, byVotesDown)
      .slice(0, 4)
      .filter(({ isDraft }) => !isDraft),
  ),
  plain(from(ordered.limit(4)).orderBy('isDraft'), (all) => {
    const top = sorted(all, byVotesDown).slice(0, 4);
    return [...top.filter(({ isDraft }) => !isDraft), ...top.filter(({ isDraft }) => isDraft)];
  }),
  plain(from(posts.orderBy('votes').offset(1).limit(3)).orderBy('title').limit(2), (all) =>
    sorted(all, byVotes)
      .slice(1, 4)
      .map((post, at) => ({ post, at }))
      .sort((one, other) => compare(textOr(one.post.title), textOr(other.post.title)) || one.at - other.at)
      .map(({ post }) => post)
      .slice(0, 2),
  ),
  plain(from(ordered.limit(3)).count(), (all) => Math.min(all.posts.length, 3)),
  plain(ordered.limit(5).groupBy('isDraft', { posts: count(), ids: collect(({ id }) => id) }), (all) =>
    groups(
      sorted(all, byVotesDown).slice(0, 5),
      ({ isDraft }) => isDraft,
      (isDraft, own) => ({ isDraft, posts: own.length, ids: own.map(({ id }) => id) }),
    ),
  ),
  plain(
    posts
      .where(({ author }) => Boolean(author))
      .groupBy((post) => post.author, { posts: count() })
      .select(({ key, posts: size }) => [key?.id, key?.name, size]),
    (all) =>
      groups(
        all.posts.filter(({ author }) => Boolean(author)),
        (post) => post.author?.id ?? '',
        (id, own) => [id, own[0]?.author?.name, own.length],
      ),
  ),
  plain(perAuthor.groupBy('posts', { authors: count(), votes: sum(({ votes }) => votes) }), (all) =>
    groups(
      groups(
        all.posts,
        (post) => post.author?.id ?? '',
        (_, own) => own,
      ),
      (own) => own.length,
      (size, own) => ({
        posts: size,
        authors: own.length,
        votes: own.flat().reduce((total, { votes }) => total + votes, 0),
      }),
    ),
  ),
  plain(distinct(posts.select(({ title }) => title)), (all) =>
    [...new Set(all.posts.map(({ title }) => title))].sort((one, other) => compare(textOr(one), textOr(other))),
  ),
  plain(
    distinct(ordered.limit(4).select(({ votes }) => votes % 3)).orderBy((votes) => -votes),
    (all) =>
      [
        ...new Set(
          sorted(all, byVotesDown)
            .slice(0, 4)
            .map(({ votes }) => votes % 3),
        ),
      ].sort((a, b) => b - a),
  ),
  plain(
    distinct(posts.select(({ author }) => author?.team)).count(),
    (all) => new Set(all.posts.map(({ author }) => author?.team).filter((team) => team !== undefined)).size,
  ),
  plain(commented, (all) => pairs(all.posts, all.comments).map(([post, comment]) => beside(post, { comment }))),
  plain(
    commented.where(({ comment, votes }) => comment.likes > 1 && votes > 2).count(),
    (all) => pairs(all.posts, all.comments).filter(([{ votes }, { likes }]) => likes > 1 && votes > 2).length,
  ),
  plain(
    commented
      .orderBy(({ comment }) => comment.likes, 'desc')
      .limit(3)
      .select(({ id, comment }) => [id, comment.id]),
    (all) =>
      pairs(all.posts, all.comments)
        .sort(
          ([post, one], [otherPost, other]) =>
            other.likes - one.likes ||
            byId(post, otherPost) * (post === otherPost ? 0 : 1) ||
            compare(one.id, other.id),
        )
        .slice(0, 3)
        .map(([post, comment]) => [post.id, comment.id]),
  ),
  plain(
    posts
      .where({ isDraft: false })
      .leftJoin(
        'comment',
        from(Comment).where({ likes: { gt: 1 } }),
        on(
          ({ id }) => id,
          ({ postId }) => postId,
        ),
      )
      .select(({ id, comment }) => [id, comment?.id ?? null]),
    (all) =>
      all.posts
        .filter(({ isDraft }) => !isDraft)
        .flatMap((post) => {
          const own = pairs([post], all.comments).filter(([, { likes }]) => likes > 1);
          return own.length === 0 ? [[post.id, null]] : own.map(([, { id }]) => [post.id, id]);
        }),
  ),
  plain(
    posts.join('liked', likedMost, on('id', 'postId')).groupBy('isDraft', {
      pairs: count(),
      likes: sum(({ liked }) => liked.likes),
    }),
    (all) =>
      groups(
        pairs(all.posts, [...all.comments].sort(byLikes).slice(0, 3)),
        ([{ isDraft }]) => isDraft,
        (isDraft, own) => ({
          isDraft,
          pairs: own.length,
          likes: own.reduce((total, [, { likes }]) => total + likes, 0),
        }),
      ),
  ),
  plain(
    posts
      .join(
        'same',
        Post,
        on(
          ({ author }) => author,
          ({ author }) => author,
        ),
      )
      .where(({ id, same }) => id < same.id)
      .select(({ id, same }) => [id, same.id]),
    (all) =>
      all.posts.flatMap((post) =>
        all.posts
          .filter((other) => Boolean(post.author) && post.author === other.author && post.id < other.id)
          .map((other) => [post.id, other.id]),
      ),
  ),
  plain(
    ordered.after(arg('last')).limit(3),
    (all) =>
      sorted(all, byVotesDown)
        .filter((post) => (byVotesDown(cursor, post) < 0 && post.id !== cursor.id) || post.votes < cursor.votes)
        .slice(0, 3),
    { last: cursor },
  ),
  ofListed(from(Posts).where({ isDraft: false }), (all) => all.listed.filter(({ isDraft }) => !isDraft)),
  ofListed(from(Posts).orderBy('isDraft').limit(3), (all) =>
    [...all.listed.filter(({ isDraft }) => !isDraft), ...all.listed.filter(({ isDraft }) => isDraft)].slice(0, 3),
  ),
  ofListed(
    from(Posts).select(({ votes }) => votes),
    (all) => all.listed.map(({ votes }) => votes),
  ),
];

/** Relations that are not declared by a field. */
const related = ({ Comment, Post, Tag, User }: Given): readonly Case[] => [
  ...['u1', 'u2'].map((id) =>
    plain(
      User.discussed,
      (all) =>
        [...new Set(all.comments.filter((one) => all.userOf(one) === id).map((one) => postOf(all, one)))].filter(
          isThere,
        ),
      id,
    ),
  ),
  plain(
    User.discussed.where({ isDraft: false }).orderBy('votes').limit(2),
    (all) =>
      [...new Set(all.comments.filter((one) => all.userOf(one) === 'u1').map((one) => postOf(all, one)))]
        .filter(isThere)
        .filter(({ isDraft }) => !isDraft)
        .sort(byVotes)
        .slice(0, 2),
    'u1',
  ),
  plain(
    User.discussed.where({ author: { not: 'u1' } }),
    (all) =>
      [...new Set(all.comments.filter((one) => all.userOf(one) === 'u2').map((one) => postOf(all, one)))]
        .filter(isThere)
        .filter((post) => all.refs(post).author !== 'u1'),
    'u2',
  ),
  plain(Tag.labelled, (all) => all.posts.filter(({ tags }) => tags.some(({ id }) => id === 't2')), 't2'),
  ...['1', '2'].flatMap((id) => [
    ofRemarks(Post.mentions, (all) => mentionsOf(all, 'post', id), Post.fromJS({ id })),
    ofComments(Comment.above, (all) => aboveOf(all, id), id),
    ofComments(Comment.below, (all) => belowOf(all, id), id),
    ofComments(Post.equal, (all) => all.comments.filter(({ postId, likes }) => postId === id && likes === 3), {
      id,
      votes: 3,
    }),
  ]),
  ...['u1', 'u2'].flatMap((id) => [
    ofComments(User.comments, (all) => all.comments.filter((one) => all.userOf(one) === id), id),
    ofComments(
      User.comments.where({ likes: { gt: 1 } }).count(),
      (all) => all.comments.filter((one) => all.userOf(one) === id && one.likes > 1).length,
      id,
    ),
    plain(
      from(Post)
        .where({ author: { not: arg('author') } })
        .count(),
      (all) => all.posts.filter((post) => all.refs(post).author !== id).length,
      { author: id },
    ),
  ]),
  ofComments(
    from(Comment)
      .join('other', Comment, on('userId', 'userId'))
      .where((pair) => pair.likes < pair.other.likes)
      .select(({ id, other }) => id + other.id),
    (all) =>
      all.comments.flatMap((one) =>
        all.comments
          .filter((other) => all.userOf(one) === all.userOf(other) && one.likes < other.likes)
          .map((other) => one.id + other.id),
      ),
  ),
  ofRemarks(User.mentions, (all) => mentionsOf(all, 'user', 'u1'), User.fromJS({ id: 'u1' })),
  ofComments(
    Comment.below.where({ likes: { gt: 1 } }).count(),
    (all) => belowOf(all, '3').filter(({ likes }) => likes > 1).length,
    '3',
  ),
];

/** Relations in a schema. */
const shown = ({ Comment, User, posts }: Given): readonly Case[] => [
  ofUsers(
    from(User).select(({ id, drafts }) => ({ id, drafts: drafts.map((post) => post.id) })),
    (all) => all.users.map((user) => ({ id: user.id, drafts: draftsOf(all, user).map((post) => post.id) })),
  ),
  ofComments(
    from(Comment).where(({ post }) => (post?.votes ?? 0) > 4),
    (all) => all.comments.filter((comment) => (postOf(all, comment)?.votes ?? 0) > 4),
  ),
  ofComments(
    from(Comment).orderBy(({ post }) => post?.author?.drafts.length, 'desc'),
    (all) => {
      const keyOf = (comment: Comment): number => {
        const author = postOf(all, comment)?.author;
        return author ? draftsOf(all, author).length : -1;
      };
      return [...all.comments].sort((one, other) => keyOf(other) - keyOf(one) || compare(one.id, other.id));
    },
  ),
  plain(posts.orderBy(({ discussion }) => discussion.length, 'desc').limit(3), (all) =>
    [...all.posts]
      .sort((one, other) => discussionOf(all, other).length - discussionOf(all, one).length || byId(one, other))
      .slice(0, 3),
  ),
];

/** Relations beside their records, in several levels. */
const nested = ({ Comment, Grade, Post, Remark, User, posts }: Given): readonly Case[] => [
  ofUsers(from(User).with({ best: User.posts.orderBy('votes', 'desc').limit(2) }), (all) =>
    all.users.map((user) => beside(user, { best: ofAuthor(all, user.id).sort(byVotesDown).slice(0, 2) })),
  ),
  ofUsers(
    from(User)
      .orderBy('name')
      .limit(2)
      .with({
        posts: User.posts.where({ isDraft: false }).with({ comments: Post.comments.orderBy('likes', 'desc').limit(2) }),
      }),
    (all) =>
      [...all.users]
        .sort((one, other) => compare(one.name, other.name) || compare(one.id, other.id))
        .slice(0, 2)
        .map((user) =>
          beside(user, {
            posts: ofAuthor(all, user.id)
              .filter(({ isDraft }) => !isDraft)
              .map((post) => beside(post, { comments: discussionOf(all, post).sort(byLikes).slice(0, 2) })),
          }),
        ),
  ),
  ofUsers(
    from(User)
      .with({
        posts: User.posts.where({ votes: { gte: arg('least') } }),
        draftCount: User.posts.where({ isDraft: true }).count(),
      })
      .select(({ id, posts: some, draftCount: drafts }) => ({ id, votes: some.map(({ votes }) => votes), drafts })),
    (all) =>
      all.users.map(({ id }) => ({
        id,
        votes: ofAuthor(all, id)
          .map(({ votes }) => votes)
          .filter((votes) => votes >= 4),
        drafts: ofAuthor(all, id).filter(({ isDraft }) => isDraft).length,
      })),
    { least: 4 },
  ),
  ofComments(
    from(Comment).orderBy('likes', 'desc').limit(3).with({ onPost: Comment.onPost, below: Comment.below }),
    (all) =>
      [...all.comments]
        .sort(byLikes)
        .slice(0, 3)
        .map((comment) => beside(comment, { onPost: postOf(all, comment), below: belowOf(all, comment.id) })),
  ),
  ofUsers(
    from(User).with({ liked: posts.where({ votes: { gte: arg('least') } }), own: User.posts.limit(arg('most')) }),
    (all) =>
      all.users.map((user) =>
        beside(user, { liked: all.posts.filter(({ votes }) => votes >= 6), own: ofAuthor(all, user.id).slice(0, 1) }),
      ),
    { least: 6, most: 1 },
  ),
  ofRemarks(from(Remark).with({ subject: Remark.subject }), (all) =>
    all.remarks.map((remark) => beside(remark, { subject: subjectOf(all, remark) })),
  ),
  plain(
    posts
      .with({ grades: Post.grades.with({ user: Grade.user }) })
      .orderBy('votes')
      .limit(2),
    (all) =>
      sorted(all, byVotes)
        .slice(0, 2)
        .map((post) =>
          beside(post, {
            grades: all.grades
              .filter(({ postId }) => postId === post.id)
              .map((grade) => beside(grade, { user: all.users.find(({ id }) => id === grade.userId) })),
          }),
        ),
  ),
];

/** Values of kinds that rows have in another form, or do not have. */
const OPERANDS: readonly unknown[] = [0, -0, 2, 2n, '2', true, false, '', null, Number.NaN, Infinity, new Date(2)];
const LISTS: readonly (readonly unknown[])[] = [[], [null], [1, '2', true], [Number.NaN, -0], [new Date(1), 2n]];

/** A field with values of all kinds: compared, ordered, grouped, and passed as arguments. */
const ofValues = ({ Grade }: Given): readonly Case[] => {
  const grades = from(Grade);
  const points = arg('points');
  const filtered = (query: object, isAsked: (own: unknown) => boolean, operand: unknown): Case =>
    ofGrades(query, (all) => all.grades.filter((grade) => isAsked(grade.points)), { points: operand });
  return [
    ...OPERANDS.flatMap((operand) => [
      filtered(grades.where({ points }), (own) => isEqual(own, operand), operand),
      filtered(grades.where({ points: { not: points } }), (own) => !isEqual(own, operand), operand),
      filtered(
        grades.where({ points: { gte: points } }),
        (own) => !isNothing(own) && !isNothing(operand) && byValue(own, operand) >= 0,
        operand,
      ),
      filtered(
        grades.where({ points: { lt: points } }),
        (own) => !isNothing(own) && !isNothing(operand) && byValue(own, operand) < 0,
        operand,
      ),
      ofGrades(
        grades
          .where({ points: { lte: points } })
          .orderBy('userId')
          .limit(3),
        (all) =>
          all.grades
            .filter(({ points: own }) => !isNothing(own) && !isNothing(operand) && byValue(own, operand) <= 0)
            .sort((one, other) => compare(one.userId, other.userId) || compare(one.pk(), other.pk()))
            .slice(0, 3),
        { points: operand },
      ),
    ]),
    ...LISTS.map((list) =>
      filtered(grades.where({ points: { in: points } }), (own) => list.some((one) => isEqual(own, one)), list),
    ),
    ofGrades(grades.orderBy('points'), (all) => gradesInOrder(all, 1, 1)),
    ofGrades(grades.orderBy('points', 'desc').limit(3), (all) => gradesInOrder(all, -1, 1).slice(0, 3)),
    ofGrades(grades.orderBy('points', { nulls: 'first' }).offset(1).limit(2), (all) =>
      gradesInOrder(all, 1, -1).slice(1, 3),
    ),
    ofGrades(
      grades.orderBy('points', { direction: 'desc', nulls: 'first' }).one(),
      (all) => gradesInOrder(all, -1, -1)[0],
    ),
    ofGrades(
      grades.groupBy('userId', {
        least: min((grade) => grade.points),
        most: max((grade) => grade.points),
        total: sum(({ points: own }) => own as number),
        mean: avg(({ points: own }) => own as number),
        all: collect((grade) => grade.points),
      }),
      (all) =>
        groups(
          all.grades,
          ({ userId }) => userId,
          (userId, own) => {
            const values = own.map((grade) => grade.points);
            const known = values.filter((value) => !isNothing(value)).sort(byValue);
            const numbers = values.filter((value) => typeof value === 'number');
            const total = numbers.reduce((one, other) => one + other, 0);
            return {
              userId,
              least: known[0],
              most: known.at(-1),
              total,
              mean: numbers.length === 0 ? undefined : total / numbers.length,
              all: values,
            };
          },
        ),
    ),
    ofGrades(
      grades.groupBy('points', { grades: count() }).select(({ grades: size }) => size),
      (all) =>
        [...new Set(all.grades.map(({ points: own }) => own))]
          // Of two equal numbers, 2 is before 2n.
          .sort(
            (one, other) =>
              byValue(one, other) || compare(String(one), String(other)) || compare(typeof other, typeof one),
          )
          .map((value) => all.grades.filter(({ points: own }) => Object.is(own, value) || own === value).length),
    ),
    ofGrades(
      grades.join('same', Grade, on('points', 'points')).count(),
      (all) => all.grades.flatMap((one) => all.grades.filter((other) => isJoined(one.points, other.points))).length,
    ),
  ];
};

/** Functions that throw for some records, and arguments of other kinds. */
const unusual = ({ posts, ordered }: Given): readonly Case[] => [
  plain(
    posts.where((post) => titled(post) > 0),
    (all) => all.posts.filter((post) => titled(post) > 0),
  ),
  plain(
    posts
      .where({ isDraft: true })
      .where((post) => titled(post) > 0)
      .count(),
    (all) => all.posts.filter(({ isDraft }) => isDraft).filter((post) => titled(post) > 0).length,
  ),
  plain(posts.orderBy((post) => -titled(post)).limit(2), (all) => {
    const keys = new Map(all.posts.map((post) => [post, titled(post)]));
    return [...all.posts]
      .sort((one, other) => (keys.get(other) as number) - (keys.get(one) as number) || byId(one, other))
      .slice(0, 2);
  }),
  plain(
    ordered.limit(2).select((post) => titled(post) + post.votes),
    (all) =>
      sorted(all, byVotesDown)
        .slice(0, 2)
        .map((post) => titled(post) + post.votes),
  ),
  plain(
    posts.groupBy((post) => titled(post), { posts: count() }),
    (all) =>
      groups(
        all.posts,
        (post) => titled(post),
        (key, own) => ({ key, posts: own.length }),
      ),
  ),
  plain(posts.groupBy('isDraft', { letters: sum((post) => titled(post)) }), (all) =>
    groups(
      all.posts,
      ({ isDraft }) => isDraft,
      (isDraft, own) => ({ isDraft, letters: own.reduce((total, post) => total + titled(post), 0) }),
    ),
  ),
  plain(posts.where({ date: { gte: arg('from'), lt: arg('to') } }), (all) => dated(all, '2026-01-01', '2026-02-01'), {
    from: new Date('2026-01-01'),
    to: new Date('2026-02-01'),
  }),
  plain(
    posts.where({ date: arg('date') }).count(),
    (all) => all.posts.filter((post) => hasDate(post) && timeOf(post) === Date.parse('2026-02-01')).length,
    { date: new Date('2026-02-01') },
  ),
  plain(posts.where({ title: arg('title') }), (all) => all.posts.filter(({ title }) => title === null), {
    title: null,
  }),
  plain(ordered.after(arg('last')).limit(2), (all) => sorted(all, byVotesDown).slice(0, 2), { last: undefined }),
  plain(
    posts.orderBy('title', { nulls: 'first' }).offset(arg('first')).limit(arg('most')),
    (all) => {
      const rank = ({ title }: Post): number => (title === null ? 0 : 1);
      return [...all.posts]
        .sort(
          (one, other) => rank(one) - rank(other) || compare(one.title ?? '', other.title ?? '') || byId(one, other),
        )
        .slice(1, 4);
    },
    { first: 1, most: 3 },
  ),
  plain(
    distinct(posts.where({ votes: { gte: arg('least') } }).select(({ author }) => author)),
    (all) =>
      [...new Set(all.posts.filter(({ votes }) => votes >= 3).map(({ author }) => author))]
        .sort((one, other) => compare(textOr(one?.id), textOr(other?.id)))
        .filter((author) => author !== undefined),
    { least: 3 },
  ),
];

/** The operators, one by one. */
const basic = ({ Tag, User, posts, ordered, ofTeam, popular, perAuthor }: Given): readonly Case[] => [
  plain(posts, (all) => all.posts),
  plain(posts.where({ isDraft: false }), (all) => all.posts.filter(({ isDraft }) => !isDraft)),
  plain(ordered, (all) => [...all.posts].sort(byVotesDown)),
  plain(ordered.limit(3), (all) => [...all.posts].sort(byVotesDown).slice(0, 3)),
  plain(posts.orderBy('votes').offset(2).limit(2), (all) => [...all.posts].sort(byVotes).slice(2, 4)),
  plain(posts.orderBy((post) => post.author?.name).limit(4), (all) => [...all.posts].sort(byName).slice(0, 4)),
  plain(posts.orderBy('title').orderBy('votes', 'desc'), (all) => [...all.posts].sort(byTitleThenVotes)),
  plain(posts.orderBy('date'), (all) => [...all.posts].sort(byDate)),
  plain(posts.orderBy('date', 'desc').limit(3), (all) => [...all.posts].sort(byDateDown).slice(0, 3)),
  plain(posts.where({ date: { gt: new Date('2026-01-15') } }), (all) =>
    all.posts.filter((post) => hasDate(post) && timeOf(post) > Date.parse('2026-01-15')),
  ),
  plain(posts.groupBy('isDraft', { last: max(({ date }) => date) }), (all) =>
    groups(
      all.posts,
      ({ isDraft }) => isDraft,
      (isDraft, own) => ({ isDraft, last: own.filter(hasDate).sort(byDateDown)[0]?.date }),
    ),
  ),
  plain(ordered.one(), (all) => [...all.posts].sort(byVotesDown)[0]),
  plain(posts.where({ isDraft: true }).count(), (all) => all.posts.filter(({ isDraft }) => isDraft).length),
  plain(posts.where({ votes: 3 }).exists(), (all) => all.posts.some(({ votes }) => votes === 3)),
  ...['red', 'blue'].map((team) =>
    plain(
      ofTeam.orderBy('votes').limit(3),
      (all) =>
        all.posts
          .filter((post) => post.author?.team === team)
          .sort(byVotes)
          .slice(0, 3),
      { team },
    ),
  ),
  ...[2, 5].map((least) =>
    plain(popular, (all) => all.posts.filter(({ votes }) => votes >= least && votes < 8), { least }),
  ),
  ...['u1', 'u2', 'u3'].flatMap((id) => [
    plain(User.posts, (all) => ofAuthor(all, id), id),
    plain(
      User.posts.where({ isDraft: false }).orderBy('votes').limit(2),
      (all) =>
        ofAuthor(all, id)
          .filter(({ isDraft }) => !isDraft)
          .sort(byVotes)
          .slice(0, 2),
      id,
    ),
    plain(posts.where({ author: arg('author') }), (all) => ofAuthor(all, id), { author: id }),
    plain(
      posts.where({ author: { in: ['u1', 'u2'] } }).count(),
      (all) => ofAuthor(all, 'u1').length + ofAuthor(all, 'u2').length,
    ),
  ]),
  ...['t1', 't2'].map((id) =>
    plain(Tag.posts, (all) => all.posts.filter((post) => all.refs(post).tags.includes(id)), id),
  ),
  ...[0, 3].map((votes) =>
    plain(posts.where({ votes: arg('votes') }), (all) => all.posts.filter((post) => post.votes === votes), { votes }),
  ),
  plain(perAuthor, (all) =>
    groups(
      all.posts,
      (post) => post.author?.id ?? '',
      (key, own) => ({
        key,
        posts: own.length,
        drafts: own.filter(({ isDraft }) => isDraft).length,
        votes: own.reduce((total, { votes }) => total + votes, 0),
        mean: own.reduce((total, { votes }) => total + votes, 0) / own.length,
        least: Math.min(...own.map(({ votes }) => votes)),
        most: own
          .map(({ title }) => title)
          .filter((title) => title !== null)
          .sort(compare)
          .at(-1),
        ids: own.map(({ id }) => id),
        first: own[0]?.id,
        last: own.at(-1)?.id,
      }),
    ),
  ),
  plain(
    perAuthor
      .where({ posts: { gt: 1 } })
      .orderBy('votes', 'desc')
      .select(({ key }) => key)
      .limit(2),
    (all) =>
      groups(
        all.posts,
        (post) => post.author?.id ?? '',
        (key, own) => ({ key, own: own.length, votes: own.reduce((total, { votes }) => total + votes, 0) }),
      )
        .filter(({ own }) => own > 1)
        .sort((one, other) => other.votes - one.votes || compare(one.key, other.key))
        .map(({ key }) => key)
        .slice(0, 2),
  ),
  plain(ordered.select(({ id, author }) => ({ id, name: author?.name })).limit(3), (all) =>
    [...all.posts]
      .sort(byVotesDown)
      .slice(0, 3)
      .map(({ id, author }) => ({ id, name: author?.name })),
  ),
];

/** Every case, with queries of these classes. */
export function casesOf(model: Model): readonly Case[] {
  const given = { ...model, ...queriesOf(model) };
  return [basic, indexed, composed, related, nested, shown, ofValues, unusual].flatMap((kind) => kind(given));
}
