import { afterAll } from 'vitest';

const loops = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Immediate').length;

// Test files of one project share their process. Code that a file leaves running slows down later files, and keeps its memory.
afterAll(async () => {
  // Timers of simulated clocks take up to 60 turns. On a busy machine, React needs more of them to finish what it renders.
  // oxlint-disable-next-line no-await-in-loop
  for (let turn = 0; turn < 200 || (loops() > 0 && turn < 10_000); turn++)
    await new Promise((resolve) => setImmediate(resolve));
  const left = loops();
  if (left > 0) throw new Error(`The file leaves ${left} loops running: end its controllers, tabs and servers.`);
});
