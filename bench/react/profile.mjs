/**
 * Where a cell spends its time:
 * node bench/react/profile.mjs --scenario row-hook --size 1000 [--only rejoin] [--seconds 3] [--top 30]
 * Prints the functions with the most time of their own, then the files; with `--under NAME` only what runs below a function.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { scratch } from '../harness/scratch.mjs';
import { busyWatch, openBrowser, runCell } from './harness/browser.mjs';
import { bundlePages } from './harness/bundle.mjs';

const { values } = parseArgs({
  options: {
    scenario: { type: 'string', default: 'row-hook' },
    size: { type: 'string', default: '1000' },
    only: { type: 'string', default: 'rejoin' },
    seconds: { type: 'string', default: '3' },
    top: { type: 'string', default: '30' },
    under: { type: 'string' },
  },
});

/** The source file of each line of an esbuild bundle: it heads each module with a comment. */
function filesOf(lines) {
  let file = 'bundle';
  return lines.map((line) => {
    const found = /^ *\/\/ (\S+\.(?:tsx?|m?jsx?))$/.exec(line);
    if (found) file = found[1].replace(/^(?:\.\.\/)+/, '');
    return file;
  });
}

/** Which nodes of the tree of calls are, or run below, a function of this name. */
function nodesUnder(nodes, name) {
  const children = new Map(nodes.map(({ id, children: below = [] }) => [id, below]));
  const inside = new Set();
  const add = (id) => {
    if (inside.has(id)) return;
    inside.add(id);
    children.get(id).forEach(add);
  };
  for (const { id, callFrame } of nodes) if (name === undefined || callFrame.functionName === name) add(id);
  return inside;
}

/** Microseconds that each function, or each file, spent in itself. */
function selfTimes({ nodes, samples, timeDeltas }, nameOf) {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const inside = nodesUnder(nodes, values.under);
  const times = new Map();
  samples.forEach((id, index) => {
    const name = names.get(id);
    if (!inside.has(id) || /^\((?:idle|program|root)\)/.test(name)) return;
    times.set(name, (times.get(name) ?? 0) + timeDeltas[index]);
  });
  return [...times].sort((a, b) => b[1] - a[1]);
}

function print(title, times, top) {
  const total = times.reduce((sum, [, time]) => sum + time, 0);
  console.log(`\n${title}: ${(total / 1000).toFixed(0)} ms`);
  for (const [name, time] of times.slice(0, top)) {
    console.log(`${((time / total) * 100).toFixed(1).padStart(5)} %  ${(time / 1000).toFixed(1).padStart(8)} ms  ${name}`);
  }
}

const pages = scratch('profiled');
const files = await bundlePages([values.only], pages, { minify: false });
const browser = await openBrowser(pages);
try {
  await browser.inPage(files[values.only], async (page, session) => {
    const budget = Number(values.seconds) * 1_000;
    const watch = await busyWatch(session);
    await page.exposeFunction('began', watch.begin);
    await session.send('Profiler.enable');
    await session.send('Profiler.setSamplingInterval', { interval: 100 });
    await session.send('Profiler.start');
    const given = { scenario: values.scenario, size: Number(values.size), budget, most: 100_000, seconds: budget / 1_000 };
    const figures = await runCell(page, given, 60_000 + budget);
    const { profile } = await session.send('Profiler.stop');
    const places = filesOf(readFileSync(join(pages, files[values.only]), 'utf8').split('\n'));
    const fileOf = ({ url, lineNumber }) => (url.startsWith('http') ? places[lineNumber] : '');
    const nameOf = (frame) => `${frame.functionName || '(anonymous)'}  ${fileOf(frame)}:${frame.lineNumber + 1}`;
    console.log(values.only, values.scenario, values.size, figures);
    print('functions', selfTimes(profile, nameOf), Number(values.top));
    print('files', selfTimes(profile, (frame) => fileOf(frame) || frame.functionName), 15);
  });
} finally {
  await browser.close();
  rmSync(scratch('.'), { recursive: true });
}
