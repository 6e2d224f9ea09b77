import { postAt, shapeOf } from './data.mjs';

export function expect(condition, what) {
  if (!condition) throw new Error(`wrong answer: ${what}`);
}

/**
 * Compares the data that a library has read with the data that was sent: every post by its ids, and some posts by all fields.
 * `titles` and `names` have the values that were written afterwards, by id.
 */
export function expectPosts(list, entities, { titles = {}, names = {} } = {}) {
  const shape = shapeOf(entities);
  expect(Array.isArray(list), 'the list is not an array');
  expect(list.length === shape.posts, `${list.length} posts instead of ${shape.posts}`);
  const everyFieldOf = new Set([0, 1, shape.posts >> 1, shape.posts - 1]);
  list.forEach((post, index) => {
    const sent = postAt(index, shape);
    expect(post.id === sent.id, `post ${index} is ${post.id}`);
    expect(post.title === (titles[sent.id] ?? sent.title), `title of ${sent.id} is ${post.title}`);
    expectUser(post.author, sent.author, names);
    expect(post.comments.length === 5, `${post.comments.length} comments in ${sent.id}`);
    sent.comments.forEach((comment, at) => {
      expect(post.comments[at].id === comment.id, `comment ${at} of ${sent.id}`);
      expect(post.comments[at].commenter.id === comment.commenter.id, `commenter ${at} of ${sent.id}`);
    });
    if (everyFieldOf.has(index)) expectEveryField(post, sent, names);
  });
}

function expectEveryField(post, sent, names) {
  expect(post.body === sent.body && post.createdAt === sent.createdAt, `fields of ${sent.id}`);
  sent.comments.forEach((comment, at) => {
    const got = post.comments[at];
    for (const field of ['content', 'createdAt', 'likes'])
      expect(got[field] === comment[field], `${field} of ${comment.id}`);
    expectUser(got.commenter, comment.commenter, names);
  });
}

function expectUser(got, sent, names) {
  expect(got.id === sent.id, `${got.id} instead of ${sent.id}`);
  expect(got.name === (names[sent.id] ?? sent.name), `name of ${sent.id} is ${got.name}`);
  expect(got.email === sent.email, `email of ${sent.id} is ${got.email}`);
}

/** One record must be one object, whatever path leads to it. */
export function expectShared(list, entities) {
  const users = new Map();
  for (const post of list) {
    for (const user of [post.author, ...post.comments.map((comment) => comment.commenter)]) {
      expect((users.get(user.id) ?? user) === user, `two objects for ${user.id}`);
      users.set(user.id, user);
    }
  }
  expect(users.size === shapeOf(entities).users, `${users.size} users`);
}
