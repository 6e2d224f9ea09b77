import { checkOrder, SIZES } from '../ordering/exhaustive/check.ts';
import { checkRandom } from '../ordering/exhaustive/random.ts';
import { describeFailure, NOT_YET, runPrograms } from '../grammar/run.ts';
import { everyday, optimistic } from '../oracle/history.ts';
import { runIdentity } from '../oracle/identity.ts';
import { nextTurn } from '../next-turn.ts';
import { describe, runHistories } from '../oracle/run.ts';
import { runLenses } from '../oracle/lenses.ts';
import { runWide } from '../oracle/wide.ts';
import { runHistory } from '../outbox/histories.ts';
import { runQueries } from '../queries/run.ts';
import { attack } from './hostile/attack.ts';
import { generatedPayloads, writtenPayloads } from './hostile/payload-list.ts';
import { measureDepth, measureSize } from './million.ts';
import { crowd, type Profile, storm } from './network/run.ts';
import { type Runs, runSeeds } from './network/seeds.ts';
import { showScreen } from './requests/screens.ts';
import { secretsInMemory } from './session/heap.ts';
import { changing } from './session/scan.ts';
import { stillReferenced } from './soak/let-go.ts';
import { soak } from './soak/soak.ts';
import { checkTexts } from './texts/check-texts.ts';
import { checkFileNames } from './urls/check-file-names.ts';
import { checkLinks } from './urls/check-links.ts';
import { checkUrls } from './urls/check-urls.ts';

/** The result of one row of the scoreboard. */
export interface RowOutcome {
  readonly reached: string;
  readonly isReached: boolean;
  readonly wrong?: string | undefined;
}

type RunRow = (runs: number, seed: number, until: number) => RowOutcome | Promise<RowOutcome>;

function histories(profile: typeof everyday): RunRow {
  return async (runs, seed, until) => {
    const outcome = await runHistories({ seed, runs, profile, until });
    const { failure } = outcome;
    return {
      reached: `${outcome.runs} sequences, ${outcome.steps} steps, ${failure === undefined ? 0 : 1} divergence`,
      isReached: failure === undefined,
      wrong: failure && describe(failure),
    };
  };
}

/** Long lists and lenses: one sequence for every hundred histories, and no more than a quarter of the time. */
async function runWides(runs: number, seed: number, until: number): Promise<string | undefined> {
  const enough = Date.now() + (until - Date.now()) / 4;
  for (let run = 0; run < runs && Date.now() < enough; run++) {
    const wrong = runWide(seed + run, 60) ?? runLenses(seed + run, 40);
    if (wrong !== undefined) return wrong;
    await nextTurn(); // oxlint-disable-line no-await-in-loop -- one after another
  }
  return undefined;
}

function worlds(profile: Profile, least: (runs: Runs) => boolean): RunRow {
  return async (runs, seed, until) => {
    const outcome = await runSeeds({ profile, seed, runs, until });
    const { failure, events, faults, kinds } = outcome;
    return {
      reached: `${outcome.runs} seeds, ${events} events, ${faults} faults of ${kinds} kinds, ${failure === undefined ? 0 : 1} violation`,
      isReached: failure === undefined && least(outcome),
      wrong: failure,
    };
  };
}

/** The function that `node --expose-gc` adds. */
function gc(): void {
  const { gc: collect } = globalThis as { readonly gc?: () => void };
  if (collect === undefined) throw new Error('Run this row with --expose-gc.');
  collect();
}

const rows: Readonly<Record<string, RunRow>> = {
  outbox: async (runs, seed, until) => {
    let run = 0;
    let wrong: readonly string[] = [];
    for (; run < runs && wrong.length === 0 && Date.now() < until; run++) wrong = await runHistory(seed + run); // oxlint-disable-line no-await-in-loop -- one after another
    return { reached: `${run} histories, ${wrong.length} wrong`, isReached: wrong.length === 0, wrong: wrong[0] };
  },
  grammar: async (runs, seed, until) => {
    const outcome = await runPrograms({ seed, runs, until, without: NOT_YET });
    const { failure } = outcome;
    return {
      reached: `${outcome.runs} programs, ${outcome.steps} steps, ${failure === undefined ? 0 : 1} broken laws`,
      isReached: failure === undefined,
      wrong: failure && describeFailure(failure),
    };
  },
  R1: async (runs, seed, until) => {
    const wrong = await runWides(Math.ceil(runs / 100), seed, until);
    if (wrong !== undefined) return { reached: 'fails with long lists or lenses', isReached: false, wrong };
    return histories(everyday)(runs, seed, until);
  },
  R2: histories(optimistic),
  R3: worlds(crowd, () => true),
  R4: worlds(storm, ({ runs, faults, kinds }) => kinds === 16 && faults >= 80 * runs),
  R13: async (hours) => {
    const { polls, mounts, growth, left } = await soak(hours, Math.round((hours / 24) * 100_000), gc);
    const held = await stillReferenced(gc);
    const remains = Object.entries(left).filter(([, count]) => count !== 0);
    const leftovers = remains.length === 0 ? 'nothing' : remains.map(([name, count]) => `${count} ${name}`).join(', ');
    return {
      reached:
        `${hours} h, ${polls} polls, ${mounts} mounts: heap ${(growth / 2 ** 20).toFixed(2)} MB more, ` +
        `${leftovers} left, ${8 - held.length} of 8 objects freed`,
      isReached: growth <= 2 ** 20 && remains.length === 0 && held.length === 0,
      wrong: held.length === 0 ? undefined : `still held: ${held.join(', ')}`,
    };
  },
  R14: async (runs, seed, until) => {
    let sent = 0;
    const over: string[] = [];
    for (let at = seed; at < seed + runs && Date.now() <= until; at++) {
      // oxlint-disable-next-line no-await-in-loop -- one screen after another
      for (const budget of await showScreen(at)) {
        sent += budget.sent;
        if (budget.uncaused > 0 || budget.burst > 3) over.push(`SEED=${at} ${JSON.stringify(budget)}`);
      }
    }
    return {
      reached: `${runs} screens, ${sent} requests, ${over.length} without a cause`,
      isReached: over.length === 0,
      wrong: over.length === 0 ? undefined : over.slice(0, 10).join('\n'),
    };
  },
  R17: async (runs, seed, until) => {
    const outcome = await worlds(changing, () => true)(runs, seed, until);
    const { left, came } = await secretsInMemory(gc);
    return {
      ...outcome,
      reached: `${outcome.reached}; in a heap dump ${left} of the old user, ${came} of the new`,
      isReached: outcome.isReached && left === 0 && came > 0,
    };
  },
  R6: (runs, seed, until) => {
    const written = writtenPayloads();
    const payloads = [...written, ...generatedPayloads(seed, Math.max(0, runs - written.length))];
    const findings: string[] = [];
    let done = 0;
    for (const payload of payloads) {
      if (Date.now() > until) break;
      try {
        attack(payload);
      } catch (error) {
        findings.push(String(error));
      }
      done++;
    }
    return {
      reached: `${done} payloads (${written.length} written), ${findings.length} findings`,
      isReached: findings.length === 0,
      wrong: findings.length === 0 ? undefined : findings.slice(0, 10).join('\n'),
    };
  },
  R7: (runs, seed) => {
    const urls = checkUrls(seed, runs);
    const names = checkFileNames();
    const links = checkLinks(seed, 200);
    const wrong = [...urls.wrong, ...names.wrong, ...links.wrong];
    return {
      reached:
        `${urls.built} addresses right, ${urls.refused} refused with a typed error; ${names.checked} file names, ` +
        `${links.checked} Link headers; ${wrong.length} wrong`,
      isReached: wrong.length === 0,
      wrong: wrong.length === 0 ? undefined : wrong.slice(0, 10).join('\n'),
    };
  },
  R8: async (length) => {
    const { checked, slowest, slowestMs, growth, wrong } = await checkTexts(() => true, length);
    return {
      reached:
        `${checked} texts, ${wrong.length} too slow; the slowest ${slowestMs.toFixed(0)} ms (${slowest}), ` +
        `at most ${growth.toFixed(1)} times for twice the length`,
      isReached: wrong.length === 0,
      wrong: wrong.length === 0 ? undefined : wrong.slice(0, 10).join('\n'),
    };
  },
  R9: (runs) => {
    const size = measureSize(runs);
    const linked = [200, 100_000].map(measureDepth);
    const isRight = size.isRight && linked[0] === 200 && linked[1] === 100_000;
    return {
      reached:
        `${size.rows} rows: write ${size.writeMs} ms, first read ${size.readMs} ms, heap ${size.heapMb} MB, ` +
        `process ${size.rssMb} MB; ${linked.join(' and ')} records deep, all linked`,
      isReached: isRight && size.writeMs <= 1000 && size.readMs <= 2000 && size.rssMb <= 600,
      wrong: isRight ? undefined : 'what was read is not what was written',
    };
  },
  R20: async (share, seed, until) => {
    let pairs = 0;
    let orders = 0;
    for (const size of SIZES) {
      // oxlint-disable-next-line no-await-in-loop -- one size after another
      const checked = await checkOrder({ ...size, every: Math.max(1, Math.floor(size.every / share)) }, until);
      pairs += checked.pairs;
      orders += checked.histories;
      if (checked.wrong !== undefined)
        return { reached: `wrong after ${pairs} pairs`, isReached: false, wrong: checked.wrong };
    }
    const random = Math.ceil(share * 625);
    const wrong = await checkRandom(seed, random, until);
    return {
      reached: `${orders} orders, ${pairs} pairs of an order and a plan, ${random} random histories, ${wrong === undefined ? 0 : 1} wrong`,
      isReached: wrong === undefined,
      wrong,
    };
  },
  queries: async (runs, seed, until) => {
    const { failure, runs: done } = await runQueries(seed, runs, until);
    return {
      reached: `${done} histories, ${failure === undefined ? 0 : 1} difference`,
      isReached: failure === undefined,
      wrong: failure,
    };
  },
  R18: (runs, seed) => {
    const wrong = runIdentity(seed, runs);
    return {
      reached: `${runs} writes, ${wrong === undefined ? 'every' : 'not every'} identity right`,
      isReached: wrong === undefined,
      wrong,
    };
  },
};

const [name = '', runs = '1000', seed = '1', ms = 'Infinity'] = process.argv.slice(2);
const run = rows[name];
if (run === undefined) throw new Error(`There is no row ${name}; there are ${Object.keys(rows).join(', ')}.`);
console.log(JSON.stringify(await run(Number(runs), Number(seed), Date.now() + Number(ms))));
