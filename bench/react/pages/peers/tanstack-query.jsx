import { notifyManager, QueryClient, QueryClientProvider, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { flipped, patched, prepended, renamed, withAll, without } from './by-hand.js';

// Its default is a timer; this is the faster of the ways that it documents.
notifyManager.setScheduler(queueMicrotask);

function provided({ isRefetching = false } = {}) {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: Number.POSITIVE_INFINITY,
        retry: false,
        // What is written by hand keeps what has not changed; the comparison by place would only copy what has moved.
        structuralSharing: isRefetching,
      },
    },
  });
  const Provider = ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>;
  return { client, Provider, dispose: () => client.clear() };
}

const never = () => new Promise(() => {});

export const peer = {
  canRefetch: true,

  rows(rows) {
    const { client, ...made } = provided();
    const write = (row) => client.setQueryData(['row', row.id], row);
    return {
      ...made,
      load: () => rows.forEach(write),
      useRow: (id) => useQuery({ queryKey: ['row', id], queryFn: never }).data,
      write,
      writeAll: (changed) => notifyManager.batch(() => changed.forEach(write)),
    };
  },

  list(rows) {
    const { client, ...made } = provided();
    return {
      ...made,
      load: () => client.setQueryData(['rows'], rows),
      useList: () => useQuery({ queryKey: ['rows'], queryFn: never }).data,
      write: (row) => client.setQueryData(['rows'], (list) => withAll(list, [row])),
    };
  },

  suspending(server) {
    const { client: _, ...made } = provided();
    const query = { queryKey: ['issues'], queryFn: () => server.get() };
    return { ...made, useIssues: () => useSuspenseQuery(query).data };
  },

  issues(server, { isGuessing, isRefetching }) {
    const { client, ...made } = provided({ isRefetching });
    const lists = { queryKey: ['issues'] };
    const both = (change) => {
      for (const state of ['open', 'closed'])
        client.setQueryData(['issues', state], (list) => (list === undefined ? undefined : change(list, state)));
    };
    /** As its documents show a mutation, by what `useMutation` makes inside. */
    const changing = (record, change) => {
      const guessing = {
        onMutate: async () => {
          await client.cancelQueries(lists);
          const before = client.getQueriesData(lists);
          both(change(record));
          return { before };
        },
        onError: (_error, _record, context) => context?.before.forEach(([key, list]) => client.setQueryData(key, list)),
      };
      const options = {
        mutationFn: (sent) => server.change(sent),
        onSuccess: (answer) => (isRefetching ? client.invalidateQueries(lists) : both(change(answer))),
        ...(isGuessing && guessing),
      };
      return client.getMutationCache().build(client, options).execute(record);
    };
    return {
      ...made,
      useIssues: (state) => useQuery({ queryKey: ['issues', state], queryFn: () => server.get(state) }).data,
      useIssue: (id, state) =>
        useQuery({
          queryKey: ['issue', id],
          queryFn: () => server.get(id),
          // By hand: a list that has the record is where it can come from.
          initialData: () => client.getQueryData(['issues', state])?.find((issue) => issue.id === id),
        }).data,
      update: ({ record }) => changing(record, patched),
      rename: (user) => changing(user, renamed),
      unshift: (issue) => changing(issue, prepended),
      remove: (id) => changing({ id }, without),
      move: (issue) => changing(issue, flipped),
    };
  },
};
