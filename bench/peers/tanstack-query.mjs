import { QueryClient, QueryObserver, notifyManager } from '@tanstack/query-core';
import { saving } from './tanstack-query-saved.mjs';

// Its notifications wait for a timer otherwise; here they have to be inside what is timed.
notifyManager.setScheduler((run) => run());

export const peer = {
  ...saving,
  /** A key for each row, and an observer for each key: the arrangement in which it is fastest. */
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

  /** As `readers`; its writes are synchronous. */
  watchers(rows) {
    return peer.readers(rows);
  },

  /** One query, whose data it compares with what was there, part by part. */
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
