import { BTreeIndex, createLiveQueryCollection, eq } from '@tanstack/db';
import { synced } from './tanstack-synced.mjs';

const INDEXED = { autoIndex: 'eager', defaultIndexType: BTreeIndex };

const byVolume = ({ stats }) => stats.volume;
const joined = ({ currency, stats }) => ({ id: currency.id, name: currency.name, volume: stats.volume });

/** The query begins with the currencies, as in its documentation. */
const natural = (q, currency, stats) =>
  q
    .from({ currency })
    .join({ stats }, (row) => eq(row.currency.statsId, row.stats.id), 'inner')
    .orderBy(byVolume, 'desc')
    .limit(20)
    .select(joined);

/** The query begins with the table by which it is ordered, so that an index of this table provides the window. */
const best = (q, currency, stats) =>
  q
    .from({ stats })
    .join({ currency }, (row) => eq(row.stats.id, row.currency.statsId), 'inner')
    .orderBy(byVolume, 'desc')
    .limit(20)
    .select(joined);

async function liveTop({ currencies, stats }, order) {
  const volumes = new Map(stats.map((row) => [row.id, row]));
  const left = synced(
    'currencies',
    currencies.map((row) => ({ ...row, statsId: `${row.id}-USD` })),
    INDEXED,
  );
  const right = synced('stats', stats, INDEXED);
  const live = createLiveQueryCollection({
    startSync: true,
    query: (q) => order(q, left.collection, right.collection),
  });
  live.subscribeChanges(() => {});
  await live.preload();
  let top = live.toArray;
  return {
    update(id, volume) {
      const row = { ...volumes.get(id), volume };
      volumes.set(id, row);
      right.apply('update', [row]);
      top = live.toArray;
    },
    top: () => top.map((row) => row.id),
  };
}

export const bestOrder = { liveTop: (given) => liveTop(given, best) };
export const naturalOrder = { liveTop: (given) => liveTop(given, natural) };
