/** The source of each column: its file, the package whose version is printed, and the export if the file has several. */
export const peers = {
  rejoin: { file: 'rejoin.mjs' },
  'data-client': { file: 'data-client.mjs', packages: ['@data-client/normalizr', '@data-client/endpoint'] },
  'data-client core': { file: 'data-client-core.mjs', packages: ['@data-client/core'] },
  normalizr: { file: 'normalizr.mjs', packages: ['normalizr'] },
  Relay: { file: 'relay.mjs', packages: ['relay-runtime'] },
  Apollo: { file: 'apollo.mjs', packages: ['@apollo/client'], typed: true },
  'TanStack Query': { file: 'tanstack-query.mjs', packages: ['@tanstack/query-core'] },
  'TanStack DB': { file: 'tanstack-db.mjs', packages: ['@tanstack/db'], name: 'bestOrder' },
  'TanStack DB (natural)': { file: 'tanstack-db.mjs', packages: ['@tanstack/db'], name: 'naturalOrder' },
  'Redux Toolkit': { file: 'redux-toolkit.mjs', packages: ['@reduxjs/toolkit'] },
  'redux-persist': { file: 'redux-persist.mjs', packages: ['redux-persist'] },
  urql: { file: 'urql.mjs', packages: ['@urql/exchange-graphcache', '@urql/core'] },
  hand: { file: 'hand.mjs', packages: ['sorted-btree'] },
  'JSON.parse': { file: 'json-parse.mjs' },
};
