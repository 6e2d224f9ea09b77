import type { Random } from '../oracle/random.ts';

/** Draws random data of the shapes that an API could send. */
export type Draw = (random: Random, depth?: number) => unknown;

const id = (random: Random): unknown => {
  const drawn = 1 + random.below(3);
  return random.chance(0.8) ? String(drawn) : drawn;
};
const word = (random: Random): string => (random.chance(0.06) ? 'bad' : random.pick(['a', 'b', 'c', '']));
const some = (random: Random, probability: number, name: string, draw: () => unknown): object =>
  random.chance(probability) ? { [name]: draw() } : {};
const list = (random: Random, draw: Draw, depth: number): unknown[] =>
  Array.from({ length: random.below(4) }, () => draw(random, depth));
/** A record, or only its pk. */
const nested = (random: Random, draw: Draw, depth: number): unknown =>
  depth <= 0 || random.chance(0.3) ? String(1 + random.below(3)) : draw(random, depth - 1);

const tag: Draw = (random) => ({
  id: id(random),
  ...some(random, 0.8, 'label', () => random.pick(['x', 'y', 'z'])),
});

const user: Draw = (random, depth = 2) => {
  const own = id(random);
  return userOf(own, random, depth);
};

const userOf = (own: unknown, random: Random, depth: number): object => ({
  id: own,
  ...some(random, 0.8, 'name', () => word(random)),
  ...some(random, 0.2, 'email', () => `${String(own)}@q`),
  ...some(random, 0.3, 'best', () => nested(random, user, depth)),
  ...some(random, 0.2, 'friends', () => list(random, (each, deep) => nested(each, user, deep ?? 0), depth - 1)),
  ...some(random, 0.2, 'posts', () => list(random, (each, deep) => nested(each, post, deep ?? 0), depth - 1)),
});

const userDetail: Draw = (random, depth = 2) => ({
  ...(user(random, depth) as object),
  ...some(random, 0.5, 'team', () => nested(random, team, depth)),
  ...some(random, 0.5, 'tags', () => ({ one: tag(random), ...some(random, 0.5, 'two', () => tag(random)) })),
});

const team: Draw = (random, depth = 1) => ({
  id: id(random),
  ...some(random, 0.7, 'title', () => word(random)),
  ...some(random, 0.5, 'lead', () => nested(random, user, depth)),
  ...some(random, 0.4, 'members', () => list(random, user, depth - 1)),
});

const comment: Draw = (random, depth = 1) => ({
  id: id(random),
  ...some(random, 0.8, 'text', () => word(random)),
  ...some(random, 0.5, 'author', () => nested(random, user, depth)),
  ...some(random, 0.4, 'post', () => nested(random, post, depth)),
});

const post: Draw = (random, depth = 2) => ({
  id: id(random),
  ...some(random, 0.8, 'title', () => word(random)),
  ...some(random, 0.6, 'author', () => nested(random, user, depth)),
  ...some(random, 0.3, 'authorId', () => String(1 + random.below(3))),
  ...some(random, 0.4, 'comments', () => list(random, comment, depth - 1)),
  ...some(random, 0.5, 'meta', () => ({
    ...some(random, 0.7, 'pinned', () => nested(random, comment, depth)),
    ...some(random, 0.7, 'by', () => nested(random, user, depth)),
    ...some(random, 0.3, 'media', () => medium(random, depth - 1)),
  })),
  ...some(random, 0.2, 'tags', () => list(random, tag, 0)),
  ...some(random, 0.2, 'at', () => random.pick(['2020-01-01', '2021-01-01', 'no date'])),
});

const note: Draw = (random, depth = 1) => ({
  slug: random.pick(['n1', 'n2']),
  ...some(random, 0.6, 'lang', () => random.pick(['en', 'de', 'xx', 'gone'])),
  ...some(random, 0.6, 'lines', () => list(random, word, 0)),
  ...some(random, 0.4, 'owner', () =>
    random.chance(0.5) ? user(random, depth - 1) : { title: 'a', ...(team(random, 0) as object) },
  ),
});

const medium: Draw = (random, depth = 1) =>
  random.chance(0.5)
    ? { type: 'photo', id: id(random), ...some(random, 0.5, 'by', () => nested(random, user, depth)) }
    : { type: 'video', id: id(random), ...some(random, 0.5, 'cover', () => ({ type: 'photo', id: id(random) })) };

const many =
  (draw: Draw): Draw =>
  (random, depth = 2) =>
    list(random, draw, depth);
const byName =
  (draw: Draw): Draw =>
  (random, depth = 2) =>
    Object.fromEntries(list(random, draw, depth).map((each, at) => [`k${at}`, each]));

export const draws = {
  tag,
  user,
  userDetail,
  team,
  comment,
  post,
  note,
  medium,
  users: many(user),
  userDetails: many(userDetail),
  posts: many(post),
  media: many(medium),
  notesByName: byName(note),
  usersByName: byName(user),
  feed: ((random) => ({ posts: list(random, post, 1), top: user(random, 1), total: random.below(3) })) as Draw,
  userPk: ((random) => String(1 + random.below(3))) as Draw,
  mediumRef: ((random) => ({ type: random.pick(['photo', 'video']), id: String(1 + random.below(3)) })) as Draw,
  plain: ((random) => ({ text: word(random), list: [random.below(3)] })) as Draw,
};
