import { parseArgs } from 'node:util';
import { rowOf, rows } from '../rows/index.mjs';
import { peers } from '../peers/index.mjs';

export const USAGE = `npm run bench -- [options]
  --rows S1,S5          these rows only
  --only rejoin,Relay   these columns only
  --sizes 1000,10000    these sizes only
  --rounds 3            how often each cell runs; figures are medians over the rounds
  --verbose             print the figures of each cell when it has run
  --picture             write bench/growth.svg, of the rows S7, S15 and S15M
  --write               write bench/README.md and bench/results.json; all rows and columns only`;

/** Returns the options of a run. Throws if a name does not exist. */
export function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      rows: { type: 'string' },
      only: { type: 'string' },
      sizes: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      verbose: { type: 'boolean', default: false },
      picture: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const names = values.only?.split(',') ?? Object.keys(peers);
  for (const name of names) {
    if (!(name in peers)) throw new Error(`There is no column ${name}; there are ${Object.keys(peers).join(' | ')}.`);
  }
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error(`--rounds ${values.rounds} is not a number of rounds.`);
  if (values.picture && !['S7', 'S15', 'S15M'].every((id) => values.rows?.split(',').includes(id) ?? true)) {
    throw new Error('--picture needs the rows S7, S15 and S15M.');
  }
  const whole = (values.rows ?? values.only ?? values.sizes) === undefined;
  if (values.write && !(whole && rounds >= 3)) {
    throw new Error('--write needs the whole benchmark and three rounds: the tables are of one run.');
  }
  return {
    rows: values.rows ? values.rows.split(',').map(rowOf) : rows,
    names,
    sizes: values.sizes?.split(',').map(Number),
    rounds,
    verbose: values.verbose,
    picture: values.picture,
    write: values.write,
    help: values.help,
  };
}

/** Returns all cells of one round, row by row. The order of `names` changes from round to round, so that no column always runs first. */
export function cellsOf({ rows: chosen, names, sizes }, round) {
  const cells = [];
  for (const row of chosen) {
    const columns = row.peers.filter((name) => names.includes(name));
    const turned = columns.map((_, index) => columns[(index + round) % columns.length]);
    for (const size of row.sizes.filter((each) => sizes?.includes(each) ?? true)) {
      for (const name of turned) if (row.only?.(name, size) ?? true) cells.push({ row, name, size });
    }
  }
  return cells;
}
