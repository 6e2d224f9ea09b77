/** SQL that builds the JSON of posts and comments: one query for a list with all nested records. */
export const USER_JSON = `json_build_object('id', u.id::text, 'name', u.name, 'username', u.username, 'createdAt', iso(u.created_at))`;

const userRef = (id: string): string =>
  `(select json_build_object('id', u.id::text, 'name', u.name) from person u where u.id = ${id})`;

export const COMMENT_JSON = `json_build_object('id', c.id::text, 'content', c.content, 'createdAt', iso(c.created_at),
  'commenter', ${userRef('c.commenter_id')})`;

const listOf = (json: string, rest: string): string => `coalesce((select json_agg(${json}) from ${rest}), '[]'::json)`;

export const POST_JSON = `json_build_object('id', p.id::text, 'title', p.title, 'body', p.body, 'votes', p.votes,
  'createdAt', iso(p.created_at),
  'author', ${userRef('p.author_id')},
  'tags', ${listOf(`json_build_object('id', t.id::text, 'name', t.name) order by t.id`, 'post_tag pt join tag t on t.id = pt.tag_id where pt.post_id = p.id')},
  'comments', ${listOf(`${COMMENT_JSON} order by c.id`, 'comment c where c.post_id = p.id')})`;

export const FLAT_POST_JSON = `json_build_object('id', p.id::text, 'title', p.title, 'body', p.body, 'votes', p.votes,
  'createdAt', iso(p.created_at), 'authorId', p.author_id::text,
  'tagIds', ${listOf('pt.tag_id::text order by pt.tag_id', 'post_tag pt where pt.post_id = p.id')},
  'commentIds', ${listOf('c.id::text order by c.id', 'comment c where c.post_id = p.id')})`;

export const FLAT_COMMENT_JSON = `json_build_object('id', c.id::text, 'content', c.content, 'createdAt', iso(c.created_at),
  'postId', c.post_id::text, 'commenterId', c.commenter_id::text)`;

export const TODO_JSON = `json_build_object('id', d.id, 'userId', d.user_id, 'title', d.title, 'completed', d.completed)`;
