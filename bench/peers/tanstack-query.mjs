import { QueryClient, QueryObserver, notifyManager } from '@tanstack/query-core';
import { saving } from './tanstack-query-saved.mjs';

// By default its notifications wait for a timer. Here they must be part of the measured time.
notifyManager.setScheduler((run) => run());

export const peer = {
  ...saving,
  /** Each row has a key, and each key has an observer, because the library is fastest in this way. */
  readers(rows) {
    const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, gcTime: Infinity } } });
    client.mount();
    const shown = rows.map((row, index) => {
      client.setQueryData(['row', row.id], row);
      const observer = new QueryObserver(client, { queryKey: ['row', row.id], enabled: false });
      observer.subscribe((result) => void (shown[index] = result.data));
      return observer.getCurrentResult().data;
    });
    return {
      write: (id, title) => void client.setQueryData(['row', id], (row) => ({ ...row, title })),
      seen: (index) => shown[index].title,
    };
  },

  /** The same as `readers`, because its writes are synchronous. */
  watchers(rows) {
    return peer.readers(rows);
  },

  /** One query, whose data the library compares with the former data, part by part. */
  client() {
    const client = new QueryClient({ defaultOptions: { queries: { staleTime: 0, gcTime: Infinity } } });
    client.mount();
    const queryKey = ['posts'];
    return {
      fetch: (response) => client.fetchQuery({ queryKey, queryFn: async () => response }),
      read: () => client.getQueryData(queryKey),
    };
  },
};
