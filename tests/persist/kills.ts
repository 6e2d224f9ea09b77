import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchOwn } from '../offline/own-chromium.ts';
import { servePage } from '../offline/page-server.ts';

/** The data that a page finds on its disk at its start. */
export interface FoundAtStart {
  /** The rounds of the rows that were restored. */
  readonly rounds: readonly number[];
  readonly count: number;
  /** The titles of the edits that wait. */
  readonly edits: readonly string[];
  /** The texts in the copy of the outbox. */
  readonly copies: string;
  readonly events: readonly string[];
}

/** The result of killing a browser in the middle of its writes. */
export interface KillsOutcome {
  readonly cycles: number;
  readonly rounds: number;
  readonly edits: number;
  /** The number of starts that found rows of two rounds, or not all rows of one round. */
  readonly torn: number;
  /** How often data that was reported as saved was missing, and the application got no event. */
  readonly silent: number;
  /** The number of missing edits that had been reported as saved. */
  readonly lostEdits: number;
  /** The number of edits that had been reported as saved, and were not in the copy. */
  readonly uncopied: number;
  /** How often the browser itself had emptied IndexedDB, and for how many of these times the application got an event. */
  readonly emptied: number;
  readonly reported: number;
  /** Other faults. */
  readonly wrong: readonly string[];
}

declare const found: () => Promise<FoundAtStart>;
declare const write: (from: number) => Promise<void>;

/** Kills a Chromium while a page of it writes rows and edits, again and again, and looks each time at what the next start finds. */
export async function runKills(cycles: number, seed: number, until = Number.POSITIVE_INFINITY): Promise<KillsOutcome> {
  const profile = mkdtempSync(join(tmpdir(), 'rejoin-killed-'));
  const outcome = {
    cycles: 0,
    rounds: 0,
    edits: 0,
    torn: 0,
    silent: 0,
    lostEdits: 0,
    uncopied: 0,
    emptied: 0,
    reported: 0,
    wrong: [] as string[],
  };
  /** The last round, and the edits, that the page has reported as saved. */
  let saved = 0;
  let edits = new Set<string>();
  let onSaved: () => void = () => {};
  const server = await servePage('tests/persist/killed-page.ts', (request, response) => {
    const [, , what, value = ''] = request.url?.split('/') ?? [];
    if (what === 'round') saved = Number(value);
    else edits.add(value);
    outcome[what === 'round' ? 'rounds' : 'edits']++;
    response.end();
    onSaved();
  });
  let state = seed;
  const draw = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
  const judge = ({ copies, count, edits: kept, events, rounds }: FoundAtStart): void => {
    const isReported = events.includes('persist lost') || events.includes('outbox lost');
    if (isReported) outcome.reported++;
    const missing = [...edits].filter((edit) => !kept.includes(edit));
    const isTorn = count > 0 && (count !== 300 || rounds.length !== 1);
    const isGone = count === 0 ? saved > 0 && !events.includes('persist lost') : (rounds[0] ?? 0) < saved;
    if (isTorn) outcome.torn++;
    if (isGone) outcome.silent++;
    outcome.lostEdits += missing.length;
    outcome.uncopied += [...edits].filter((edit) => !copies.includes(edit)).length;
    // Chromium empties IndexedDB in up to 4 of 100 kills.
    if (count === 0 && saved > 0) outcome.emptied++;
    if (isTorn || isGone || missing.length > 0)
      outcome.wrong.push(JSON.stringify({ cycle: outcome.cycles, count, rounds, saved, missing, events }));
    // The page begins by discarding them.
    edits = new Set();
  };
  try {
    for (; outcome.cycles <= cycles && Date.now() < until; outcome.cycles++) {
      /* oxlint-disable no-await-in-loop -- one browser after another */
      const { context, kill } = await launchOwn(profile);
      const page = await context.newPage();
      await page.goto(server.address);
      judge(await page.evaluate(() => found()));
      const last = saved + 1 + draw(6);
      const isWritten = new Promise<void>((resolve) => {
        onSaved = () => saved >= last && resolve();
      });
      page.evaluate((from) => write(from), saved + 1).catch(() => {});
      await isWritten;
      // During the next write.
      await new Promise((resolve) => void setTimeout(resolve, draw(12)));
      await kill();
      /* oxlint-enable no-await-in-loop */
    }
  } finally {
    await server.close();
    rmSync(profile, { recursive: true, force: true });
  }
  // More cases are not caused by the browser.
  const most = 2 + cycles / 10;
  if (outcome.emptied > most) outcome.wrong.push(`emptied ${outcome.emptied} times, which is more than ${most}`);
  // The first start finds no data.
  return { ...outcome, cycles: outcome.cycles - 1 };
}
