import useSWR, { SWRConfig, useSWRConfig } from 'swr';
import { flipped, patched, prepended, renamed, withAll, without } from './by-hand.js';

const keep = { revalidate: false };

/** Its provider with a cache of its own, whose `mutate` is there once it is mounted. */
function provided(entries) {
  const cache = new Map(entries);
  const made = { cache, mutate: undefined };
  const config = {
    provider: () => cache,
    revalidateOnFocus: false,
    revalidateOnReconnect: false,
    revalidateIfStale: false,
    dedupingInterval: 0,
  };
  function Found() {
    made.mutate = useSWRConfig().mutate;
    return null;
  }
  made.Provider = ({ children }) => (
    <SWRConfig value={config}>
      <Found />
      {children}
    </SWRConfig>
  );
  return made;
}

const never = () => new Promise(() => {});

export const peer = {
  canRefetch: true,

  rows(rows) {
    const made = provided(rows.map((row) => [row.id, { data: row }]));
    const write = (row) => made.mutate(row.id, row, keep);
    return {
      Provider: made.Provider,
      useRow: (id) => useSWR(id, never).data,
      write,
      writeAll: (changed) => changed.forEach(write),
    };
  },

  list(rows) {
    const made = provided([['rows', { data: rows }]]);
    return {
      Provider: made.Provider,
      useList: () => useSWR('rows', never).data,
      write: (row) => made.mutate('rows', (list) => withAll(list, [row]), keep),
    };
  },

  suspending(server) {
    const { Provider } = provided([]);
    return { Provider, useIssues: () => useSWR('issues', () => server.get(), { suspense: true }).data };
  },

  issues(server, { isGuessing, isRefetching }) {
    const made = provided([]);
    const changing = async (record, change) => {
      const answer = server.change(record);
      const states = ['open', 'closed'].filter((state) => made.cache.has(state));
      if (isRefetching) {
        await answer;
        return Promise.all(states.map((state) => made.mutate(state)));
      }
      return Promise.all(
        states.map((state) =>
          made.mutate(state, answer, {
            ...keep,
            populateCache: (answered, list) => change(answered)(list, state),
            rollbackOnError: true,
            ...(isGuessing && { optimisticData: (list) => change(record)(list, state) }),
          }),
        ),
      );
    };
    return {
      Provider: made.Provider,
      useIssues: (state) => useSWR(state, () => server.get(state)).data,
      useIssue: (id, state) =>
        useSWR(`issue/${id}`, () => server.get(id), {
          // By hand: a list that has the record is where it can come from.
          fallbackData: made.cache.get(state)?.data.find((issue) => issue.id === id),
          revalidateOnMount: false,
        }).data,
      update: ({ record }) => changing(record, patched),
      rename: (user) => changing(user, renamed),
      unshift: (issue) => changing(issue, prepended),
      remove: (id) => changing({ id }, without),
      move: (issue) => changing(issue, flipped),
    };
  },
};
