import { short } from '../../rows/targets.mjs';
import { FLOORS, PEERS } from '../columns.mjs';
import { ticker } from '../scenarios.mjs';

/** Formats a number with three digits and separated thousands: 0.0123, 4.56, 789, 12,300. */
const number = (value) =>
  Number(value.toPrecision(3)).toLocaleString('en-US', { maximumSignificantDigits: 3, maximumFractionDigits: 6 });

const table = (lines) => lines.map((line) => `| ${line.join(' | ')} |`).join('\n');
const heading = (names) => [
  ['', ...names],
  ['---', ...names.map(() => '---:')],
];

export function sectionOf(scenario, options, results) {
  const names = options.names.filter((name) => !scenario.except.includes(name));
  const lines = heading(names);
  const verdicts = [];
  for (const size of scenario.sizes) {
    for (const variant of results.variants(scenario.id, size)) {
      const of = (name, figure) => results.figure(scenario.id, size, variant, name, figure);
      if (names.every((name) => of(name) === undefined)) continue;
      const label = [short(size), variant].filter(Boolean).join(', ');
      lines.push([label, ...names.map((name) => timeText(name, of, results.failureOf(scenario.id, size, name)))]);
      lines.push([`${label}: rendered`, ...names.map((name) => rendersText(of(name, 'renders')))]);
      verdicts.push(...verdictsOf(scenario, label, of));
    }
  }
  return [`## ${scenario.title}`, 'Milliseconds; in brackets, times Rejoin.', table(lines), verdicts.join('\n')]
    .filter(Boolean)
    .join('\n\n');
}

function timeText(name, of, failure) {
  if (failure !== undefined) return '**failed**';
  const [ours, theirs] = [of('rejoin'), of(name)];
  if (theirs === undefined) return '–';
  const ratio = ours === undefined || name === 'rejoin' ? '' : ` (${number(theirs / ours)}×)`;
  return number(theirs) + ratio;
}

const rendersText = (renders) => (renders === undefined ? '–' : number(renders));

/** How many times slower than the floor Rejoin may be. */
const MAX_OVER_FLOOR = 1.3;

function verdictsOf({ isFloorExempt = false, most }, label, of) {
  const lines = [];
  const judge = (isReached, text) => lines.push(`- ${isReached ? 'reached' : '**missed**'}: ${text}`);
  if (most !== undefined) {
    for (const name of Object.keys(FLOORS))
      if (of(name) !== undefined) judge(of(name) <= most, `${label}, ${name} in at most ${most} ms`);
    return lines;
  }
  // In this line, the columns of Rejoin and the floor are those of the line before.
  const floors = label.endsWith('with a refetch') ? [] : Object.entries(FLOORS);
  for (const [ours, floor] of floors) {
    const ratio = of(ours) / of(floor);
    if (Number.isNaN(ratio)) continue;
    const text = `${label}, ${ours} at ${number(ratio)}× of ${floor}`;
    if (isFloorExempt) lines.push(`- ${text}`);
    else judge(ratio <= MAX_OVER_FLOOR, `${text}, at most ${MAX_OVER_FLOOR}×`);
  }
  const peers = PEERS.filter((name) => of(name) !== undefined && of('rejoin') !== undefined);
  const ahead = peers.filter((name) => of(name) < of('rejoin'));
  if (peers.length > 0)
    judge(ahead.length === 0, `${label}, ahead of every peer${ahead.length > 0 ? `, but ${ahead.join(', ')}` : ''}`);
  return lines;
}

const TICKER_FIGURES = [
  ['frames a second', 'framesPerSecond', number],
  ['slowest frame, ms', 'slowestFrame', number],
  ['long tasks', 'longTasks', number],
  ['in them, ms', 'longTaskMs', number],
  ['changes a second taken', 'changesPerSecond', number],
  ['components rendered', 'renders', number],
  ['main thread busy', 'busy', (share) => `${Math.round(share * 100)} %`],
];

export function tickerSection(options, results) {
  const [size] = ticker.sizes;
  const of = (name, figure) => results.figure(ticker.id, size, '', name, figure);
  const lines = heading(options.names);
  for (const [label, figure, text] of TICKER_FIGURES) {
    const cell = (name) => {
      if (results.failureOf(ticker.id, size, name) !== undefined) return '**failed**';
      const value = of(name, figure);
      return value === undefined ? '–' : text(value);
    };
    lines.push([label, ...options.names.map(cell)]);
  }
  const verdicts = Object.keys(FLOORS).flatMap((name) => {
    const [frames, tasks] = [of(name, 'framesPerSecond'), of(name, 'longTasks')];
    if (frames === undefined) return [];
    const isReached = frames >= 59.5 && tasks === 0;
    return [`- ${isReached ? 'reached' : '**missed**'}: ${name}, 60 frames a second and no long task`];
  });
  return [
    '## The ticker application: 5,000 tickers on one page, 1,000 changes a second',
    `Once, for ${options.seconds} seconds, fed by a worker every 4 ms, after a second and a half of the same; each ticker is a component with a hook. A long task is one of more than 50 ms.`,
    table(lines),
    verdicts.join('\n'),
    '![A page full of tickers, some of them just changed, as Rejoin showed it in that run](./tickers.png)',
  ].join('\n\n');
}
