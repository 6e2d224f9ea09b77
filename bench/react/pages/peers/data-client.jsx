import { CacheProvider, useCache, useController, useDLE, useSuspense } from '@data-client/react';
import { Endpoint, Entity as Base, schema } from '@data-client/rest';

class Entity extends Base {
  id = '';
  pk() {
    return this.id;
  }
}

class Row extends Entity {
  title = '';
  done = false;
  rank = 0;
  updatedAt = '';
  static key = 'Row';
}

class User extends Entity {
  login = '';
  avatarUrl = '';
  static key = 'User';
}

class Issue extends Entity {
  title = '';
  body = '';
  state = '';
  comments = 0;
  createdAt = '';
  user = User.fromJS();
  static key = 'Issue';
  static schema = { user: User };
}

class Author extends Entity {
  name = '';
  posts = [];
  static key = 'Author';
}

class Post extends Entity {
  title = '';
  author = Author.fromJS();
  static key = 'Post';
  static schema = { author: Author };
}
Author.schema = { posts: [Post] };

const issues = new schema.Collection([Issue]);
const asked = { dataExpiryLength: Number.POSITIVE_INFINITY };
const endpoint = (name, of, options) => new Endpoint(async () => undefined, { name, schema: of, ...asked, ...options });
const getRows = endpoint('getRows', [Row]);
const getRow = endpoint('getRow', Row);
const getGraph = endpoint('getGraph', { users: [Author], posts: [Post] });
const getAuthor = endpoint('getAuthor', Author);

/** Its provider, whose controller is there once it is mounted. */
function provided() {
  const made = { controller: undefined };
  function Found() {
    made.controller = useController();
    return null;
  }
  made.Provider = ({ children }) => (
    <CacheProvider devButton={null}>
      <Found />
      {children}
    </CacheProvider>
  );
  return made;
}

export const peer = {
  rows(rows) {
    const made = provided();
    const write = (row) => made.controller.setResponse(getRow, { id: row.id }, row);
    return {
      Provider: made.Provider,
      load: () => made.controller.setResponse(getRows, rows),
      useRow: (id) => useCache(getRow, { id }),
      write,
      // One response is far better here than many: each copies the tables.
      writeAll: (changed) => made.controller.setResponse(getRows, changed),
    };
  },

  list(rows) {
    const made = provided();
    return {
      Provider: made.Provider,
      load: () => made.controller.setResponse(getRows, rows),
      useList: () => useCache(getRows),
      write: (row) => made.controller.setResponse(getRow, { id: row.id }, row),
    };
  },

  graph(records) {
    const made = provided();
    return {
      Provider: made.Provider,
      load: () => made.controller.setResponse(getGraph, records),
      usePosts: () => useCache(getGraph).posts,
      rename: (id, name) => made.controller.setResponse(getAuthor, { id }, { id, name }),
    };
  },

  suspending(server) {
    const made = provided();
    const getIssues = endpoint('getIssues', issues, { fetch: () => server.get() });
    return { Provider: made.Provider, useIssues: () => useSuspense(getIssues) };
  },

  issues(server, { isGuessing, isMoving }) {
    const made = provided();
    // Without a `move`, lists that a record moves between are not Collections but arrays with an `update` by hand.
    const getIssues = endpoint('getIssues', issues, { fetch: ({ state }) => server.get(state) });
    const getMoving = endpoint('getMoving', [Issue], { fetch: ({ state }) => server.get(state) });
    const getIssue = endpoint('getIssue', Issue, { fetch: ({ id }) => server.get(id) });
    const changing = (name, of, options) =>
      endpoint(name, of, {
        fetch: (record) => server.change(record),
        sideEffect: true,
        ...(isGuessing && { getOptimisticResponse: (_snapshot, record) => record }),
        ...options,
      });
    const update = changing('updateIssue', Issue);
    const rename = changing('renameUser', User);
    const unshift = changing('createIssue', issues.unshift);
    const remove = changing('deleteIssue', new schema.Invalidate(Issue));
    const move = changing('moveIssue', Issue, {
      update: (moved) => ({
        [getMoving.key({ state: 'open' })]: (ids) => ids.filter((id) => id !== moved),
        [getMoving.key({ state: 'closed' })]: (ids) => (ids.includes(moved) ? ids : [...ids, moved]),
      }),
    });
    return {
      Provider: made.Provider,
      useIssues: (state) => useDLE(isMoving ? getMoving : getIssues, { state }).data,
      useIssue: (id) => useDLE(getIssue, { id }).data,
      update: ({ record }) => made.controller.fetch(update, record),
      rename: (user) => made.controller.fetch(rename, user),
      unshift: (issue) => made.controller.fetch(unshift, issue),
      remove: (id) => made.controller.fetch(remove, { id }),
      move: (issue) => made.controller.fetch(move, issue),
    };
  },
};
