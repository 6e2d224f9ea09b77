import { runKills } from '../persist/kills.ts';
import { runOfflineHistories } from './histories.ts';
import { runKilledClient } from './killed-client-run.ts';
import { postgresHere } from './postgres.ts';
import { runRealTabs } from './real-tabs.ts';

interface RowOutcome {
  readonly reached: string;
  readonly wrong: readonly string[];
}

const rows: Readonly<Record<string, (runs: number, seed: number) => Promise<RowOutcome>>> = {
  R10: async (cycles, seed) => {
    const outcome = await runKills(cycles, seed);
    const { edits, emptied, lostEdits, rounds, silent, reported, torn, uncopied } = outcome;
    const reached =
      `${outcome.cycles} cycles, ${rounds} rounds of 300 rows and ${edits} edits saved: ${torn} torn, ` +
      `${silent} silent losses, ${lostEdits} edits lost, ${uncopied} saved without a copy; ${emptied} times the browser had emptied everything, ${reported} of them reported`;
    const wrong = silent + lostEdits > 0 ? [`${silent} silent losses, ${lostEdits} edits lost`] : [];
    return { reached, wrong: [...outcome.wrong, ...wrong] };
  },
  offline: async (runs, seed) => {
    const { edits, histories, logouts, wrong } = await runOfflineHistories(runs, seed);
    const reached = `${histories} histories, ${edits} edits, ${logouts} logouts: ${wrong === undefined ? 0 : 1} wrong`;
    return { reached, wrong: wrong === undefined ? [] : [wrong] };
  },
  postgres: async (edits, seed) => {
    const programs = postgresHere();
    if (programs === undefined)
      return { reached: 'not run', wrong: ['There is no PostgreSQL: apt-get install postgresql'] };
    const { kills, lostAnswers, restarts, saved, wrong } = await runKilledClient(programs, edits, seed);
    const reached =
      `${edits} edits, ${saved} reported as saved, ${kills} kills of the client, ${restarts} of the server and its database, ` +
      `${lostAnswers} answers lost: ${wrong.length} wrong`;
    return { reached, wrong };
  },
  R12: async (edits, seed) => {
    const { faults, kills, saved, wrong, ...outcome } = await runRealTabs(edits, edits / 10, seed);
    const reached =
      `3 tabs, ${outcome.edits} edits, ${saved} reported as saved, ${kills} kills, ${faults} requests or answers lost: ` +
      `${wrong.length} wrong`;
    return { reached, wrong };
  },
};

const [name = '', runs = '1', seed = '1'] = process.argv.slice(2);
console.log(JSON.stringify(await rows[name]?.(Number(runs), Number(seed))));
