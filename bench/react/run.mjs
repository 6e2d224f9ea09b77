/** Runs the benchmark of the React binding. `npm run bench:react -- --help` prints its options. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { busyWatch, openBrowser, runCell } from './harness/browser.mjs';
import { bundlePages } from './harness/bundle.mjs';
import { cellsOf, readOptions, USAGE } from './harness/options.mjs';
import { circumstances, readme } from './harness/readme.mjs';
import { sectionOf, tickerSection } from './harness/report.mjs';
import { Results } from './harness/results.mjs';
import { ticker } from './scenarios.mjs';

const here = import.meta.dirname;
const LONGEST_CELL = 30_000;

async function runInPage(browser, cell, options) {
  if (cell.scenario !== ticker) return browser.inPage(cell.name, (page) => runCell(page, cell.given, LONGEST_CELL));
  return browser.inPage(cell.name, async (page, session) => {
    const watch = await busyWatch(session);
    await page.exposeFunction('began', watch.begin);
    const { '': figures } = await runCell(page, cell.given, LONGEST_CELL + cell.given.seconds * 1_000);
    const busy = await watch.share();
    if (options.screenshots) await page.screenshot({ path: join(options.screenshots, `${cell.name}.png`) });
    if (options.write && cell.name === 'rejoin') await page.screenshot({ path: join(here, 'tickers.png') });
    return { '': { ...figures, busy } };
  });
}

/** Runs one round. Returns the version of the browser, and the time of the cells that every round has. */
async function runRound(round, scripts, options, results) {
  // Each round has a browser of its own, so that no state of one round is left in the next.
  const browser = await openBrowser(scripts);
  const cells = cellsOf(options, round);
  let repeated = 0;
  try {
    for (const [at, cell] of cells.entries()) {
      const { scenario, size, name } = cell;
      if (results.failureOf(scenario.id, size, name) !== undefined) continue;
      const from = performance.now();
      process.stderr.write(`\r${progress(round, at, cells, `${scenario.id} ${size} ${name}`)}`);
      try {
        const figures = await runInPage(browser, cell, options);
        results.add(scenario.id, size, name, figures);
        if (options.verbose) console.error(`\n${name} ${scenario.id} ${size}`, figures, seconds(from));
      } catch (error) {
        const [reason] = error.message.replace('page.evaluate: ', '').split('\n');
        results.fail(scenario.id, size, name, reason);
        console.error(`\n${name} ${scenario.id} ${size} failed: ${reason}`);
      }
      if (scenario !== ticker) repeated += performance.now() - from;
    }
  } finally {
    await browser.close();
  }
  return { version: browser.version, repeated };
}

const seconds = (from) => `${((performance.now() - from) / 1000).toFixed(1)} s`;
const progress = (round, at, cells, what) => `round ${round + 1}, ${at + 1} of ${cells.length}: ${what}`.padEnd(72);

async function runAll(options, scripts, results) {
  const started = performance.now();
  let last = { version: '', repeated: 0 };
  let rounds = 0;
  while (rounds < options.rounds) {
    if (rounds > 0 && performance.now() - started + last.repeated > options.minutes * 60_000) break;
    last = await runRound(rounds, scripts, options, results);
    rounds++;
    console.error(`\nround ${rounds} of ${options.rounds} done after ${seconds(started)}`);
  }
  if (rounds < options.rounds) console.error(`No time for more than ${rounds} of ${options.rounds} rounds.`);
  return { version: last.version, rounds };
}

const titleOf = (section) => section.split('\n', 1)[0];

/** Replaces the tables of the README that have the same title, or adds the tables before the tickers. */
function replaceSections(sections, rounds) {
  const file = join(here, 'README.md');
  const [head, ...rest] = readFileSync(file, 'utf8')
    .trimEnd()
    .split(/^(?=## )/m);
  for (const section of sections) {
    const date = new Date().toISOString().slice(0, 10);
    const text = `${section}\n\nMeasured by itself on ${date}, in ${rounds} ${rounds === 1 ? 'round' : 'rounds'}.\n\n`;
    const at = rest.findIndex((each) => titleOf(each) === titleOf(section));
    if (at >= 0) rest[at] = text;
    else rest.splice(-1, 0, text);
  }
  writeFileSync(file, `${[head, ...rest].join('').trimEnd()}\n`);
}

/** Returns the options; `undefined` if they are wrong, after printing the reason. */
function optionsGiven() {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 2;
    return undefined;
  }
}

const options = optionsGiven();
if (options?.help) {
  console.log(USAGE);
} else if (options !== undefined) {
  if (options.screenshots) mkdirSync(options.screenshots, { recursive: true });
  const results = new Results();
  const { version, rounds } = await runAll(options, await bundlePages(options.names), results);
  const sections = options.scenarios.map((scenario) =>
    scenario === ticker ? tickerSection(options, results) : sectionOf(scenario, options, results),
  );
  console.log(sections.join('\n\n'));
  if (options.write && !options.isWhole) {
    replaceSections(sections, rounds);
  } else if (options.write) {
    const about = circumstances(options, version, ['npm run bench:react --', ...process.argv.slice(2)].join(' '));
    writeFileSync(join(here, 'README.md'), readme(about, rounds, sections));
    const lines = [{ ...about, rounds }, ...results.toJSON()].map((line) => JSON.stringify(line));
    writeFileSync(join(here, 'results.jsonl'), `${lines.join('\n')}\n`);
  }
  if (results.toJSON().some((cell) => cell.failure !== undefined)) process.exitCode = 1;
}
