/** Runs the benchmark of the React binding. `npm run bench:react -- --help` says how. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratch } from '../harness/scratch.mjs';
import { busyWatch, openBrowser, runCell } from './harness/browser.mjs';
import { bundlePages } from './harness/bundle.mjs';
import { cellsOf, readOptions, USAGE } from './harness/options.mjs';
import { circumstances, readme } from './harness/readme.mjs';
import { sectionOf, tickerSection } from './harness/report.mjs';
import { Results } from './harness/results.mjs';
import { ticker } from './scenarios.mjs';

const here = import.meta.dirname;
const LONGEST_CELL = 30_000;

async function runInPage(browser, file, cell, options) {
  if (cell.scenario !== ticker) return browser.inPage(file, (page) => runCell(page, cell.given, LONGEST_CELL));
  return browser.inPage(file, async (page, session) => {
    const watch = await busyWatch(session);
    await page.exposeFunction('began', watch.begin);
    const { '': figures } = await runCell(page, cell.given, LONGEST_CELL + cell.given.seconds * 1_000);
    const busy = await watch.share();
    if (options.screenshots) await page.screenshot({ path: join(options.screenshots, `${file}.png`) });
    return { '': { ...figures, busy } };
  });
}

/** One round; gives how many of its cells ran. */
async function runRound(round, files, pages, options, results) {
  // A browser of its own: what one round leaves in it is not there in the next.
  const browser = await openBrowser(pages);
  const cells = cellsOf(options, round);
  try {
    for (const [at, cell] of cells.entries()) {
      const { scenario, size, name } = cell;
      if (results.failureOf(scenario.id, size, name) !== undefined) continue;
      const from = performance.now();
      process.stderr.write(`\r${progress(round, at, cells, `${scenario.id} ${size} ${name}`)}`);
      try {
        const figures = await runInPage(browser, files[name], cell, options);
        results.add(scenario.id, size, name, figures);
        if (options.verbose) console.error(`\n${name} ${scenario.id} ${size}`, figures, seconds(from));
      } catch (error) {
        const [reason] = error.message.replace('page.evaluate: ', '').split('\n');
        results.fail(scenario.id, size, name, reason);
        console.error(`\n${name} ${scenario.id} ${size} failed: ${reason}`);
      }
    }
  } finally {
    await browser.close();
  }
  return browser.version;
}

const seconds = (from) => `${((performance.now() - from) / 1000).toFixed(1)} s`;
const progress = (round, at, cells, what) => `round ${round + 1}, ${at + 1} of ${cells.length}: ${what}`.padEnd(72);

async function runAll(options, files, pages, results) {
  const started = performance.now();
  let version = '';
  let rounds = 0;
  let longest = 0;
  while (rounds < options.rounds) {
    const from = performance.now();
    if (rounds > 0 && from - started + longest > options.minutes * 60_000) break;
    version = await runRound(rounds, files, pages, options, results);
    rounds++;
    longest = performance.now() - from;
    console.error(`\nround ${rounds} of ${options.rounds} done after ${seconds(started)}`);
  }
  if (rounds < options.rounds) console.error(`No time for more than ${rounds} of ${options.rounds} rounds.`);
  return { version, rounds };
}

const options = readOptions(process.argv.slice(2));
if (options.help) {
  console.log(USAGE);
} else {
  const pages = scratch('pages');
  if (options.screenshots) mkdirSync(options.screenshots, { recursive: true });
  const results = new Results();
  const { version, rounds } = await runAll(options, await bundlePages(options.names, pages), pages, results);
  const sections = options.scenarios.map((scenario) =>
    scenario === ticker ? tickerSection(options, results) : sectionOf(scenario, options, results),
  );
  console.log(sections.join('\n\n'));
  if (options.write) {
    const about = circumstances(options, version, ['npm run bench:react --', ...process.argv.slice(2)].join(' '));
    writeFileSync(join(here, 'README.md'), readme(about, rounds, sections));
    writeFileSync(join(here, 'results.json'), `${JSON.stringify({ ...about, rounds, cells: results }, null, 1)}\n`);
  }
  rmSync(scratch('.'), { recursive: true });
  if (results.toJSON().some((cell) => cell.failure !== undefined)) process.exitCode = 1;
}
