import type { AskedQueue } from '../../src/adapters/outbox/tab-entries.ts';

/** An outbox without entries, for tests of the entries of other tabs. */
export const EMPTY_QUEUE: AskedQueue = {
  list: { has: () => false },
  known: (args) => args,
  decisions: { apply: () => {} },
  isPaused: false,
  rename: () => {},
  pause: () => {},
  endedTabs: { watch: () => {} },
};
