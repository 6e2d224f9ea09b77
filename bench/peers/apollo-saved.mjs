import { gql, InMemoryCache } from '@apollo/client';
import { CachePersistor } from 'apollo3-cache-persist';

const fragment = gql`
  fragment Title on Row {
    title
  }
`;

const start = (storage) => {
  const cache = new InMemoryCache();
  return { cache, persistor: new CachePersistor({ cache, storage, maxSize: false, debounce: 1 }) };
};

export const saving = {
  async saved(rows, disk) {
    const { cache, persistor } = start(disk);
    cache.restore(Object.fromEntries(rows.map((row) => [`Row:${row.id}`, { __typename: 'Row', ...row }])));
    await persistor.persist();
    return {
      async change(id, title) {
        const isWritten = disk.next();
        cache.writeFragment({ id: `Row:${id}`, fragment, data: { __typename: 'Row', title } });
        await isWritten;
      },
      end: () => persistor.pause(),
    };
  },

  async restored(disk) {
    const { cache, persistor } = start(disk);
    await persistor.restore();
    return { read: (id) => cache.readFragment({ id: `Row:${id}`, fragment })?.title };
  },
};
