/**
 * Shows where a cell spends its time:
 * node bench/react/profile.mjs --scenario row-hook --size 1000 [--only rejoin] [--seconds 3] [--top 30]
 * Prints the functions with the most time of their own, then the files; with `--under NAME` only those that run below a function;
 * with `--heap` the bytes that they have allocated. With `--pages 20`, 20 fresh pages each run as many steps as in the benchmark,
 * so that the code is as cold as in the benchmark.
 */
import { parseArgs } from 'node:util';
import { openBrowser, runCell } from './harness/browser.mjs';
import { bundlePages } from './harness/bundle.mjs';

const { values } = parseArgs({
  options: {
    scenario: { type: 'string', default: 'row-hook' },
    size: { type: 'string', default: '1000' },
    only: { type: 'string', default: 'rejoin' },
    seconds: { type: 'string', default: '3' },
    top: { type: 'string', default: '30' },
    under: { type: 'string' },
    heap: { type: 'boolean', default: false },
    pages: { type: 'string' },
  },
});

/** Returns the source file of each line of an esbuild bundle. esbuild writes a comment with the file before each module. */
function filesOf(lines) {
  let file = 'bundle';
  return lines.map((line) => {
    const found = /^ *\/\/ (\S+\.(?:tsx?|m?jsx?))$/.exec(line);
    if (found) file = found[1].replace(/^(?:\.\.\/)+/, '');
    return file;
  });
}

/** Returns the nodes of the call tree that are a function of this name, or run below one. */
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

/** Returns the microseconds that each function, or each file, spent in itself. */
function selfTimes({ nodes, samples, timeDeltas }, nameOf) {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const inside = nodesUnder(nodes, values.under);
  const times = new Map();
  samples.forEach((id, index) => {
    const name = names.get(id);
    if (!inside.has(id) || /^\((?:idle|program|root)\)/.test(name)) return;
    times.set(name, (times.get(name) ?? 0) + timeDeltas[index]);
  });
  return times;
}

/** Returns the bytes that each function, or each file, has allocated in itself, including collected garbage. */
function selfBytes({ head }, nameOf) {
  const bytes = new Map();
  const ahead = [head];
  for (let node = ahead.pop(); node !== undefined; node = ahead.pop()) {
    const name = nameOf(node.callFrame);
    bytes.set(name, (bytes.get(name) ?? 0) + node.selfSize);
    ahead.push(...node.children);
  }
  return bytes;
}

function print(title, byName, top) {
  const figures = [...byName].sort((a, b) => b[1] - a[1]);
  const total = figures.reduce((sum, [, figure]) => sum + figure, 0);
  console.log(`\n${title}: ${(total / 1000).toFixed(0)} ${values.heap ? 'kB' : 'ms'}`);
  for (const [name, figure] of figures.slice(0, top)) {
    const share = ((figure / total) * 100).toFixed(1).padStart(5);
    console.log(`${share} %  ${(figure / 1000).toFixed(1).padStart(8)}  ${name}`);
  }
}

/** Starts a profile at the first measured step. Returns a function that ends it and returns the figures by the names from `nameOf`. */
async function profiling(page, session) {
  const domain = values.heap ? 'HeapProfiler' : 'Profiler';
  const collected = { includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true };
  await session.send(`${domain}.enable`);
  if (!values.heap) await session.send('Profiler.setSamplingInterval', { interval: 100 });
  await page.exposeFunction('began', () =>
    values.heap
      ? session.send('HeapProfiler.startSampling', { samplingInterval: 8_192, ...collected })
      : session.send('Profiler.start'),
  );
  return async () => {
    const { profile } = await session.send(values.heap ? 'HeapProfiler.stopSampling' : 'Profiler.stop');
    return (nameOf) => (values.heap ? selfBytes(profile, nameOf) : selfTimes(profile, nameOf));
  };
}

/** Runs the cell in a fresh page. Returns the figures of its profile by the requested names. */
const profiled = (given) => async (page, session) => {
  const stop = await profiling(page, session);
  console.log(values.only, values.scenario, values.size, await runCell(page, given, 60_000 + given.budget));
  return stop();
};

function addTo(sums, figures) {
  for (const [name, figure] of figures) sums.set(name, (sums.get(name) ?? 0) + figure);
}

const budget = Number(values.seconds) * 1_000;
const pages = Number(values.pages ?? 1);
const given = {
  scenario: values.scenario,
  size: Number(values.size),
  budget,
  most: values.pages === undefined ? 100_000 : undefined,
  seconds: budget / 1_000,
};
const scripts = await bundlePages([values.only], { minify: false });
const places = filesOf(scripts[values.only].split('\n'));
const fileOf = ({ url, lineNumber }) => (url.startsWith('http') ? places[lineNumber] : '');
const nameOf = (frame) => `${frame.functionName || '(anonymous)'}  ${fileOf(frame)}:${frame.lineNumber + 1}`;
const functions = new Map();
const files = new Map();
const browser = await openBrowser(scripts);
try {
  for (let left = pages; left > 0; left--) {
    const by = await browser.inPage(values.only, profiled(given));
    addTo(functions, by(nameOf));
    addTo(
      files,
      by((frame) => fileOf(frame) || frame.functionName),
    );
  }
} finally {
  await browser.close();
}
print('functions', functions, Number(values.top));
print('files', files, 15);
