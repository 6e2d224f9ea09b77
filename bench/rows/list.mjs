/** S8: one row is added to a shown list, or removed from it. */
import { rowAt } from '../harness/data.mjs';
import { timeSteps } from '../harness/clock.mjs';
import { expect } from '../harness/expect.mjs';
import { within } from './targets.mjs';

const SIZES = [100, 10_000, 100_000];

export const S8 = {
  id: 'S8',
  title: 'insert one row at the end of a list and remove one from its middle, the list read after each',
  unit: 'ns per change and read',
  sizes: SIZES,
  peers: ['rejoin', 'data-client', 'Redux Toolkit', 'hand'],
  targets: SIZES.map((size) => within(3, 'hand', size)),
  async measure({ peer, size }) {
    const rows = Array.from({ length: size }, (_, index) => rowAt(index));
    const list = await peer.list(rows.slice());
    list.read();
    const middle = size >> 1;
    let next = size;
    let gone;
    const ns = await timeSteps({
      step() {
        list.push(rowAt(next));
        const grown = list.read();
        expect(grown.length === size + 1 && grown[size].id === `r${next}`, `r${next} is not at the end`);
        gone = grown[middle].id;
        list.remove(gone, middle);
        expect(list.read().length === size, `${gone} is still there`);
        next++;
      },
      most: 20_000,
    });
    const shown = list.read();
    expect(shown[0].title === rowAt(0).title, 'the first row is another');
    expect(shown[size - 1].title === rowAt(next - 1).title, 'the last row is another');
    expect(!shown.some((row) => row.id === gone), `${gone} is still there`);
    return { '': ns / 2 };
  },
};
