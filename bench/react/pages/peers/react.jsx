import { useEffect, useState } from 'react';
import { flipped, patched, prepended, renamed, withAll, without } from './by-hand.js';

/** The floor: state where it is shown, and a setter for who changes it. No cache, no sharing, no rollback. */
const Provider = ({ children }) => children;

/** State that is changed from outside, by its name. */
function named() {
  const values = new Map();
  const setters = new Map();
  return {
    values,
    use(name) {
      const [value, set] = useState(() => values.get(name));
      useEffect(() => {
        setters.set(name, set);
        return () => void setters.delete(name);
      }, [name, set]);
      return value;
    },
    set(name, value) {
      values.set(name, value);
      setters.get(name)?.(value);
    },
  };
}

export const peer = {
  rows(rows) {
    const state = named();
    for (const row of rows) state.values.set(row.id, row);
    const write = (row) => state.set(row.id, row);
    return { Provider, useRow: state.use, write, writeAll: (all) => all.forEach(write) };
  },

  list(rows) {
    const state = named();
    state.values.set('rows', rows);
    return {
      Provider,
      useList: () => state.use('rows'),
      write: (row) => state.set('rows', withAll(state.values.get('rows'), [row])),
    };
  },

  graph({ users, posts }) {
    const state = named();
    const linked = new Map(posts.map((post) => [post.id, { ...post }]));
    const link = (user) => {
      const made = { ...user, posts: [] };
      made.posts = user.posts.map((id) => ({ ...linked.get(id), author: made }));
      for (const post of made.posts) linked.set(post.id, post);
    };
    const byId = new Map(users.map((user) => [user.id, user]));
    users.forEach(link);
    const publish = () =>
      state.set(
        'posts',
        posts.map(({ id }) => linked.get(id)),
      );
    publish();
    return {
      Provider,
      usePosts: () => state.use('posts'),
      rename(id, name) {
        link({ ...byId.get(id), name });
        publish();
      },
    };
  },

  suspending(server) {
    let issues;
    let whenThere;
    const useIssues = () => {
      whenThere ??= server.get().then((answer) => (issues = answer));
      if (issues === undefined) throw whenThere;
      return issues;
    };
    return { Provider, useIssues };
  },

  issues(server, { isGuessing }) {
    const state = named();
    const both = (change) => {
      for (const name of ['open', 'closed'])
        if (state.values.has(name)) state.set(name, change(state.values.get(name), name));
    };
    const changing = async (record, change) => {
      const answer = server.change(record);
      if (isGuessing) both(change(record));
      const answered = await answer;
      both(change(answered));
    };
    return {
      Provider,
      useIssues(name) {
        const issues = state.use(name);
        useEffect(() => {
          if (issues === undefined) void server.get(name).then((answer) => state.set(name, answer));
        }, [issues, name]);
        return issues;
      },
      useIssue: (id, name) => state.values.get(name).find((issue) => issue.id === id),
      update: ({ record }) => changing(record, patched),
      rename: (user) => changing(user, renamed),
      unshift: (issue) => changing(issue, prepended),
      remove: (id) => changing({ id }, without),
      move: (issue) => changing(issue, flipped),
    };
  },
};
