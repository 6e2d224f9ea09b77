import { afterAll } from 'vitest';

// Test files of one project share their process. What one of them leaves running slows down those after it, and keeps its memory.
afterAll(async () => {
  // oxlint-disable-next-line no-await-in-loop -- Timers of simulated clocks take up to 60 turns.
  for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
  const left = process.getActiveResourcesInfo().filter((kind) => kind === 'Immediate');
  if (left.length > 0)
    throw new Error(`The file leaves ${left.length} loops running: end its controllers, tabs and servers.`);
});
