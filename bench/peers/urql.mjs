import { createClient, gql } from '@urql/core';
import { offlineExchange } from '@urql/exchange-graphcache';
import { filter, map, pipe } from 'wonka';

const all = gql`
  {
    rows {
      id
      title
      done
      rank
      updatedAt
    }
  }
`;
const one = gql`
  query ($id: ID!) {
    row(id: $id) {
      id
      title
    }
  }
`;
const update = gql`
  mutation ($id: ID!, $title: String!) {
    update(id: $id, title: $title) {
      id
      title
    }
  }
`;

/** Writes each entry as one text, because its own storage keeps each entry as one record. */
const storageOf = (disk) => ({
  readData: async () => Object.fromEntries(Array.from(disk.texts, ([key, text]) => [key, JSON.parse(text)])),
  async writeData(changes) {
    for (const [key, value] of Object.entries(changes))
      await (value === undefined ? disk.removeItem(key) : disk.setItem(key, JSON.stringify(value)));
  },
});

async function start(disk, rows) {
  const answer = ({ kind, variables: { id, title } = {} }) =>
    kind === 'mutation'
      ? { __typename: 'Mutation', update: { __typename: 'Row', id, title } }
      : { __typename: 'Query', rows: rows?.map((row) => ({ __typename: 'Row', ...row })) ?? [] };
  const server = () => (operations) =>
    pipe(
      operations,
      filter(({ kind }) => kind !== 'teardown'),
      map((operation) => ({ operation, data: answer(operation), stale: false, hasNext: false })),
    );
  const storage = storageOf(disk);
  const isRestored = new Promise((resolve) => {
    const { readData } = storage;
    storage.readData = () => readData().finally(() => setTimeout(resolve, 0));
  });
  const resolvers = { Query: { row: (_parent, { id }) => ({ __typename: 'Row', id }) } };
  const client = createClient({
    url: 'http://127.0.0.1/graphql',
    preferGetMethod: false,
    exchanges: [offlineExchange({ storage, resolvers }), server],
  });
  await isRestored;
  return client;
}

export const peer = {
  async saved(rows, disk) {
    const client = await start(disk, rows);
    const isWritten = disk.next();
    await client.query(all, {}).toPromise();
    await isWritten;
    await new Promise((resolve) => setTimeout(resolve, 50));
    return {
      async change(id, title) {
        const isSaved = disk.next();
        await client.mutation(update, { id, title }).toPromise();
        await isSaved;
      },
      end() {},
    };
  },

  async restored(disk) {
    const client = await start(disk);
    return { read: (id) => client.readQuery(one, { id })?.data?.row?.title };
  },
};
