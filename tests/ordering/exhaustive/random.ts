import { Random } from '../../oracle/random.ts';
import { describePair } from './check.ts';
import type { History, Step } from './histories.ts';
import { EACH } from './plans.ts';
import { World } from './world.ts';

/** Tests histories of two to six mutations and up to two reads. Returns the fault of the first one that fails. */
export async function checkRandom(seed: number, runs: number, until = Infinity): Promise<string | undefined> {
  for (let at = seed; at < seed + runs && Date.now() < until; at++) {
    const chance = new Random(at);
    const mutations = Array.from({ length: 2 + chance.below(5) }, () => chance.pick(EACH));
    const kinds = mutations.map(({ kind }) => kind);
    // The records of the bulk edit would depend on the screen.
    if (kinds.includes('delete') && kinds.includes('bulk')) continue;
    const plan = { mutations, hasGuess: chance.chance(0.5), isShown: chance.chance(0.7) };
    const history = draw(chance, mutations.length, chance.below(3));
    // oxlint-disable-next-line no-await-in-loop -- one after another
    const wrong = await new World(plan).run(history);
    if (wrong !== undefined) return `SEED=${at} ${describePair(wrong, plan, history)}`;
  }
  return undefined;
}

function draw(chance: Random, mutations: number, reads: number): History {
  const steps: Step[] = [];
  const queues = [
    Array.from({ length: mutations }, (_, at) => at),
    Array.from({ length: reads }, (_, at) => mutations + at),
  ];
  let open: number[] = [];
  let unhandled: number[] = [];
  while (queues.some(({ length }) => length > 0) || open.length > 0) {
    const queue = chance.pick(queues.filter(({ length }) => length > 0).concat(open.length === 0 ? [] : [[]]));
    const send = queue.shift();
    if (send !== undefined) {
      steps.push({ send });
      open.push(send);
      unhandled.push(send);
      continue;
    }
    if (open.length === 0) continue;
    const answer = chance.pick(open);
    const handled: number[] = [];
    while (unhandled.includes(answer)) {
      const next = chance.pick(unhandled);
      unhandled = unhandled.filter((one) => one !== next);
      handled.push(next);
    }
    steps.push({ answer, handled });
    open = open.filter((one) => one !== answer);
  }
  return steps;
}
