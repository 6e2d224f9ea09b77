import { Collection, Controller, Endpoint, Entity, GCPolicy, getDefaultManagers, Invalidate } from 'rejoin';
import { DataProvider, useCache, useDLE, useQuery, useSuspense } from 'rejoin/react';

class Row extends Entity {
  id = '';
  title = '';
  done = false;
  rank = 0;
  updatedAt = '';
  static key = 'Row';
}

class User extends Entity {
  id = '';
  login = '';
  avatarUrl = '';
  static key = 'User';
}

class Issue extends Entity {
  id = '';
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
  id = '';
  name = '';
  posts = [];
  static key = 'Author';
}

class Post extends Entity {
  id = '';
  title = '';
  author = Author.fromJS();
  static key = 'Post';
  static schema = { author: Author };
}
Author.schema = { posts: [Post] };

const issues = new Collection([Issue]);
const asked = { dataExpiryLength: Number.POSITIVE_INFINITY };
const getRows = new Endpoint(async () => [], { name: 'getRows', schema: [Row], ...asked });
const getGraph = new Endpoint(async () => ({}), {
  name: 'getGraph',
  schema: { users: [Author], posts: [Post] },
  ...asked,
});

/** A controller as a provider makes one, and a provider of it. */
function provided() {
  const controller = new Controller({ managers: getDefaultManagers(), gcPolicy: new GCPolicy() });
  const Provider = ({ children }) => <DataProvider controller={controller}>{children}</DataProvider>;
  return { controller, Provider, dispose: () => controller.dispose() };
}

export const peer = {
  rows(rows) {
    const { controller, ...made } = provided();
    const write = (row) => controller.set(Row, { id: row.id }, row);
    return {
      ...made,
      load: () => controller.setResponse(getRows, rows),
      useRow: (id) => useQuery(Row, { id }),
      write,
      writeAll: (changed) => controller.batch(() => changed.forEach(write)),
    };
  },

  list(rows) {
    const { controller, ...made } = provided();
    return {
      ...made,
      load: () => controller.setResponse(getRows, rows),
      useList: () => useCache(getRows),
      write: (row) => controller.set(Row, { id: row.id }, row),
    };
  },

  graph(records) {
    const { controller, ...made } = provided();
    return {
      ...made,
      load: () => controller.setResponse(getGraph, records),
      usePosts: () => useCache(getGraph).posts,
      rename: (id, name) => controller.set(Author, { id }, { id, name }),
    };
  },

  suspending(server) {
    const made = provided();
    const getIssues = new Endpoint(() => server.get(), { name: 'getIssues', schema: issues, ...asked });
    return { ...made, useIssues: () => useSuspense(getIssues) };
  },

  issues(server, { isGuessing }) {
    const { controller, ...made } = provided();
    const getIssues = new Endpoint(({ state }) => server.get(state), { name: 'getIssues', schema: issues, ...asked });
    const getIssue = new Endpoint(({ id }) => server.get(id), { name: 'getIssue', schema: Issue, ...asked });
    const changing = (name, schema) =>
      new Endpoint((record) => server.change(record), {
        name,
        schema,
        sideEffect: true,
        ...(isGuessing && { getOptimisticResponse: (_snapshot, record) => record }),
      });
    const update = changing('updateIssue', Issue);
    const rename = changing('renameUser', User);
    const unshift = changing('createIssue', issues.unshift);
    const remove = changing('deleteIssue', new Invalidate(Issue));
    const move = changing('moveIssue', issues.move);
    return {
      ...made,
      useIssues: (state) => useDLE(getIssues, { state }).data,
      useIssue: (id) => useDLE(getIssue, { id }).data,
      update: ({ record }) => controller.fetch(update, record),
      rename: (user) => controller.fetch(rename, user),
      unshift: (issue) => controller.fetch(unshift, issue),
      remove: (id) => controller.fetch(remove, { id }),
      move: (issue) => controller.fetch(move, issue),
    };
  },
};
