import { createAsyncStoragePersister } from '@tanstack/query-async-storage-persister';
import { QueryClient } from '@tanstack/query-core';
import { persistQueryClientRestore, persistQueryClientSubscribe } from '@tanstack/query-persist-client-core';

const queryKey = ['rows'];

function start(storage) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, gcTime: Infinity } } });
  return { queryClient, persister: createAsyncStoragePersister({ storage, throttleTime: 1 }), maxAge: Infinity };
}

export const saving = {
  async saved(rows, disk) {
    const options = start(disk);
    const { queryClient } = options;
    const end = persistQueryClientSubscribe(options);
    queryClient.setQueryData(queryKey, rows);
    await disk.next();
    return {
      async change(id, title) {
        const isWritten = disk.next();
        queryClient.setQueryData(queryKey, (all) => all.map((row) => (row.id === id ? { ...row, title } : row)));
        await isWritten;
      },
      end,
    };
  },

  async restored(disk) {
    const options = start(disk);
    await persistQueryClientRestore(options);
    const rows = options.queryClient.getQueryData(queryKey);
    return { read: (id) => rows.find((row) => row.id === id)?.title };
  },
};
