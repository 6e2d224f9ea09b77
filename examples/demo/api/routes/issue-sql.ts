const personOf = (id: string): string =>
  `(select json_build_object('id', u.id::text, 'name', u.name) from person u where u.id = ${id})`;

const COMMENT_COUNT = '(select count(*)::int from issue_comment c where c.issue_id = i.id)';

export const ISSUE_JSON = `json_build_object('id', i.id::text, 'title', i.title, 'body', i.body, 'state', i.state,
  'priority', i.priority, 'kind', i.kind, 'author', ${personOf('i.author_id')}, 'assignee', ${personOf('i.assignee_id')},
  'comments', ${COMMENT_COUNT}, 'createdAt', iso(i.created_at), 'updatedAt', iso(i.updated_at))`;

/** A comment with its issue, because the number of comments of the issue has changed. */
export const ISSUE_COMMENT_JSON = `(select json_build_object('id', k.id::text, 'body', k.body, 'createdAt', iso(k.created_at),
  'author', ${personOf('k.author_id')}, 'issue', json_build_object('id', i.id::text, 'comments', ${COMMENT_COUNT}))
  from issue i where i.id = k.issue_id)`;

export const ACTIVITY_JSON = `json_build_object('id', a.id::text, 'at', iso(a.at), 'action', a.action, 'detail', a.detail,
  'person', ${personOf('a.person_id')},
  'issue', (select json_build_object('id', i.id::text, 'title', i.title) from issue i where i.id = a.issue_id))`;
