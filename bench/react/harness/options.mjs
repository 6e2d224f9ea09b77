import { parseArgs } from 'node:util';
import { columns } from '../columns.mjs';
import { scenarios, ticker } from '../scenarios.mjs';

export const USAGE = `npm run bench:react -- [options]
  --only rejoin,SWR        these columns only: ${Object.keys(columns).join(', ')}
  --scenario row,ticker    only scenarios that begin with one of these: ${scenarios.map(({ id }) => id).join(', ')}, ticker
  --sizes 1000             these sizes only
  --rounds 3               how often each cell runs; figures are medians over the rounds
  --minutes 7.5            the longest time; no round begins that would end later
  --seconds 10             the number of seconds for which the ticker application runs
  --quick                  few steps and small sizes, to test the benchmark; do not use its figures
  --screenshots DIR        write a picture of each ticker application
  --verbose                print the figures of each cell when it has run
  --write                  write bench/react/README.md and results.jsonl; with --scenario, only the tables of these scenarios`;

const NUMBERS = ['rounds', 'minutes', 'seconds'];

/** Returns the options of a run. Throws if a name does not exist. */
export function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      scenario: { type: 'string' },
      sizes: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      minutes: { type: 'string', default: '7.5' },
      seconds: { type: 'string', default: '10' },
      quick: { type: 'boolean', default: false },
      screenshots: { type: 'string' },
      verbose: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const numbers = Object.fromEntries(NUMBERS.map((name) => [name, positive(name, values[name])]));
  const isWhole = (values.only ?? values.scenario ?? values.sizes) === undefined && !values.quick;
  const isOne = values.scenario !== undefined && (values.only ?? values.sizes) === undefined && !values.quick;
  if (values.write && !isOne && !(isWhole && numbers.rounds >= 3 && numbers.seconds >= 10)) {
    throw new Error(
      '--write needs the whole benchmark, three rounds and ten seconds, or whole scenarios: each table is of one run.',
    );
  }
  return {
    ...values,
    ...numbers,
    isWhole,
    names: columnsCalled(values.only?.split(',') ?? Object.keys(columns)),
    scenarios: scenariosFrom(values.scenario?.split(',') ?? ['']),
    sizes: values.sizes?.split(',').map(Number),
  };
}

function columnsCalled(names) {
  for (const name of names) {
    if (!(name in columns))
      throw new Error(`There is no column ${name}; there are ${Object.keys(columns).join(' | ')}.`);
  }
  return names;
}

function scenariosFrom(beginnings) {
  const chosen = [...scenarios, ticker].filter(({ id }) => beginnings.some((each) => id.startsWith(each)));
  if (chosen.length === 0) throw new Error(`No scenario begins with ${beginnings.join(' or ')}.`);
  return chosen;
}

function positive(name, text) {
  const number = Number(text);
  if (!(number > 0)) throw new Error(`--${name} ${text} is not a number above zero.`);
  return number;
}

const QUICK = { warm: 1, least: 2, most: 2, budget: 50 };

/** Returns all cells of one round, scenario by scenario. The order of the columns changes from round to round, so that none always runs first. */
export function cellsOf(options, round) {
  const { names } = options;
  const turned = names.map((_, index) => names[(index + round) % names.length]);
  return options.scenarios.flatMap((scenario) => {
    if (scenario === ticker && round > 0) return [];
    const taking = turned.filter((name) => !scenario.except.includes(name));
    return sizesOf(scenario, options).flatMap((size) =>
      taking.map((name) => ({ scenario, size, name, given: givenTo(scenario, size, options) })),
    );
  });
}

function sizesOf({ sizes }, { sizes: wanted, quick }) {
  return quick ? sizes.slice(0, 1) : sizes.filter((size) => wanted?.includes(size) ?? true);
}

function givenTo(scenario, size, { quick, seconds }) {
  const given = { scenario: scenario.id, size };
  if (scenario === ticker) return { ...given, seconds };
  return quick ? { ...given, ...QUICK, size: Math.min(size, 1_000) } : given;
}
