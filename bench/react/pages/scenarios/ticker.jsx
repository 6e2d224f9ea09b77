import { memo } from 'react';
import { expect, renders, settled } from '../measure.js';
import { stageOf } from '../stage.jsx';

const PER_SECOND = 1_000;
/** The feed runs for so long before anything is counted. */
const WARM_UP = 1_500;

/** The feed is a worker, which no slow page slows down: every 4 ms it posts the changes that have fallen due. */
const FEED = `
  let sent = 0;
  onmessage = ({ data: { count, perSecond } }) => {
    const began = performance.now();
    setInterval(() => {
      const due = Math.floor(((performance.now() - began) * perSecond) / 1000);
      const changes = [];
      for (; sent < due; sent++) changes.push([(sent * 2654435761) % count, 1000 + ((sent * 40503) % 99991)]);
      if (changes.length > 0) postMessage(changes);
    }, 4);
  };
`;

const symbolOf = (index) => {
  let text = '';
  for (let rest = index + 18_278; text.length < 4; rest = Math.floor(rest / 26))
    text = String.fromCharCode(65 + (rest % 26)) + text;
  return text;
};

/** In hundredths, up to 1,009.90. */
const shownAs = (rank) => (rank / 100).toFixed(2);

/** What an application with so much on one page does: parts that are not in sight are not laid out and painted. */
const STYLE = `
  body { margin: 0; font: 10px monospace; color: #112; background: #fff }
  ul { content-visibility: auto; contain-intrinsic-size: auto 128px; isolation: isolate; height: 128px; margin: 0; padding: 0 }
  li { float: left; contain: strict; width: 78px; height: 15px; margin: 1px 0 0 1px; background: #eef }
`;

/** How many tickers are one part of the page. */
const PART = 128;

/** Thousands of tickers on one page, a thousand changes a second. */
export async function ticker({ peer, size, seconds = 10 }) {
  const rows = Array.from({ length: size }, (_, index) => ({
    id: `t${index}`,
    title: symbolOf(index),
    rank: 1000 + index,
  }));
  const made = peer.rows([...rows]);
  const Ticker = memo(function Ticker({ id }) {
    renders.count++;
    const { title, rank } = made.useRow(id);
    return (
      <li id={id}>
        <b>{title}</b> <i>{shownAs(rank)}</i>
      </li>
    );
  });
  const style = document.createElement('style');
  style.textContent = STYLE;
  document.head.append(style);
  const stage = await stageOf(made);
  const parts = Array.from({ length: Math.ceil(size / PART) }, (_, at) => rows.slice(at * PART, (at + 1) * PART));
  const Tickers = () =>
    parts.map((part) => (
      <ul key={part[0].id}>
        {part.map(({ id }) => (
          <Ticker key={id} id={id} />
        ))}
      </ul>
    ));
  await stage.showNow(Tickers);
  const feed = feedInto(made, rows);
  await rested(WARM_UP);
  globalThis.gc?.();
  await globalThis.began?.();
  const figures = await watched(feed, seconds * 1_000);
  await settled();
  await rested(200);
  for (const { id, title, rank } of rows) {
    const shown = document.getElementById(id).textContent;
    expect(shown === `${title} ${shownAs(rank)}`, `ticker ${id} shows ${shown}, not ${title} ${shownAs(rank)}`);
  }
  return { '': figures };
}

const rested = (ms) => new Promise((resolve) => void setTimeout(resolve, ms));

/** Starts the feed. Gives what says how many changes it has handed over, and what ends it. */
function feedInto(made, rows) {
  const worker = new Worker(URL.createObjectURL(new Blob([FEED], { type: 'text/javascript' })));
  let taken = 0;
  let isOver = false;
  const onChanges = ({ data }) => {
    if (isOver) return;
    const changed = new Set();
    for (const [at, rank] of data) {
      rows[at] = { ...rows[at], rank };
      changed.add(at);
    }
    taken += data.length;
    void made.writeAll([...changed].map((at) => rows[at]));
  };
  worker.addEventListener('message', onChanges);
  worker.postMessage({ count: rows.length, perSecond: PER_SECOND }, []);
  return {
    taken: () => taken,
    stop() {
      isOver = true;
      worker.terminate();
    },
  };
}

/** Frames, long tasks and renders for a while. */
async function watched(feed, forMs) {
  const tasks = [];
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)));
  observer.observe({ type: 'longtask' });
  const frames = [];
  let isOver = false;
  const onFrame = (at) => {
    frames.push(at);
    if (!isOver) requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);
  renders.reset();
  const from = performance.now();
  const before = feed.taken();
  // By the clock, not by a timer that a busy page is late to run.
  while (performance.now() - from < forMs) await rested(50);
  const took = performance.now() - from;
  const taken = feed.taken() - before;
  feed.stop();
  isOver = true;
  const rendered = renders.count;
  await rested(100);
  observer.disconnect();
  const gaps = frames.slice(1).map((at, index) => at - frames[index]);
  return {
    framesPerSecond: (frames.filter((at) => at >= from && at <= from + took).length * 1_000) / took,
    slowestFrame: Math.max(...gaps),
    longTasks: tasks.length,
    longTaskMs: tasks.reduce((sum, each) => sum + each, 0),
    renders: rendered,
    changesPerSecond: (taken * 1_000) / took,
  };
}
