/** S18: rows that are saved on a disk: the cost of saving a changed row, and of the next start. */
import { rowAt } from '../harness/data.mjs';
import { median } from '../harness/clock.mjs';
import { expect } from '../harness/expect.mjs';
import { TextDisk } from '../harness/text-disk.mjs';
import { atMost } from './targets.mjs';

const SIZES = [1_000, 10_000, 100_000];
const CHANGES = 9;
const STARTS = 5;

/** Returns the processor time of the process, in milliseconds. */
function used() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function spent(run) {
  const before = used();
  await run();
  return used() - before;
}

/** Returns the longest time for which nothing else could run. */
async function longestTask(run) {
  let [longest, last, isOver] = [0, used(), false];
  const look = () => {
    const now = used();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(look);
  };
  look();
  await run();
  isOver = true;
  return Math.max(longest, used() - last);
}

async function restored(peer, disk, size) {
  const { read } = await peer.restored(disk);
  for (const index of [0, size >> 1, size - 1]) {
    const { id } = rowAt(index);
    expect(typeof read(id) === 'string', `${id} is not there`);
  }
  return read;
}

export const S18 = {
  id: 'S18',
  title: 'rows on a disk: one changed row is saved, and the next start reads all',
  unit: 'ms of the processor; KB written',
  sizes: SIZES,
  peers: ['rejoin', 'TanStack Query', 'Apollo', 'redux-persist', 'urql'],
  targets: [
    ...SIZES.map((size) => atMost(1, 'ms', size, 'save')),
    atMost(100, 'ms', 10_000, 'start'),
    atMost(50, 'ms', 100_000, 'longest task of a start'),
  ],
  async measure({ peer, size }) {
    const disk = new TextDisk();
    const rows = Array.from({ length: size }, (_, index) => rowAt(index));
    const saved = await peer.saved(rows, disk);
    const times = [];
    const bytes = [];
    for (let turn = 0; turn < CHANGES; turn++) {
      const { id } = rowAt((turn * 7919) % size);
      disk.written = 0;
      times.push(await spent(() => saved.change(id, `title ${turn}`)));
      bytes.push(disk.written / 1000);
    }
    saved.end();
    const starts = [];
    let read;
    for (let turn = 0; turn < STARTS; turn++)
      starts.push(await spent(async () => (read = await restored(peer, disk, size))));
    const last = rowAt(((CHANGES - 1) * 7919) % size).id;
    expect(read(last) === `title ${CHANGES - 1}`, `${last} was not saved`);
    const longest = [];
    for (let turn = 0; turn < STARTS; turn++) longest.push(await longestTask(() => restored(peer, disk, size)));
    return {
      save: median(times),
      'KB written': median(bytes),
      start: median(starts),
      'longest task of a start': median(longest),
    };
  },
};
