/** S9: a write of a record that the pending mutations do not change. */
import { rowAt } from '../harness/data.mjs';
import { timeSteps } from '../harness/clock.mjs';
import { expect } from '../harness/expect.mjs';
import { atMost, flat } from './targets.mjs';

const SIZES = [10_000, 100_000];
const LAYERS = 10;

export const S9 = {
  id: 'S9',
  title: `${LAYERS} pending optimistic mutations, then an unrelated write; the row written is read`,
  unit: 'ns per write and read',
  sizes: SIZES,
  peers: ['rejoin', 'data-client'],
  targets: [...SIZES.map((size) => atMost(10_000, 'ns', size)), flat(2, SIZES)],
  async measure({ peer, size }) {
    const rows = Array.from({ length: size }, (_, index) => rowAt(index));
    const guesses = Array.from({ length: LAYERS }, (_, layer) => ({ id: `r${layer * 13}`, title: `guess ${layer}` }));
    const pending = await peer.pending(rows, guesses);
    const ns = await timeSteps({
      step(turn) {
        const id = `r${500 + (turn % 20)}`;
        pending.write(id, `title ${turn}`);
        expect(pending.read(id) === `title ${turn}`, `${id} shows ${pending.read(id)}`);
      },
    });
    for (const guess of guesses) expect(pending.read(guess.id) === guess.title, `${guess.id} lost its guess`);
    // A guess stays on top of data that arrives later.
    pending.write(guesses[0].id, 'from the server');
    expect(pending.read(guesses[0].id) === guesses[0].title, 'a write below a guess is seen through it');
    return { '': ns };
  },
};
