import util from 'node:util';
import { addressOf } from './database/address.ts';
import { DEFAULT_ROWS, LEAST_ROWS, MOST_ROWS } from './database/seed.ts';
import { SentenceError } from './sentence-error.ts';
import type { StartApiOptions } from './start-api.ts';

export const DEFAULT_PORT = 4600;
/** How many ports after the default one are tried, if no port was given. */
const MORE_PORTS = 20;

export const HELP = `The Rejoin demo: a REST API with made-up data, for this machine only, and a page beside it.

  --port N      the port; by default ${DEFAULT_PORT}, or the next free one
  --rows N      how much data there is: users, posts, comments and todos together (${LEAST_ROWS} to ${MOST_ROWS.toLocaleString('en')}; by default ${DEFAULT_ROWS.toLocaleString('en')})
  --data FOLDER where the embedded Postgres keeps its data
  --memory      keep nothing
  --site FOLDER a built web page to serve beside the API
  --check       start nothing: only say whether these options and the port can be used
  --help        this text

  DATABASE_URL  a PostgreSQL server to use in place of the embedded one: postgres://user:password@host:5432/name
`;

type Environment = Readonly<Record<string, string | undefined>>;

function numberFrom(name: string, text: string, least: number, most: number): number {
  const value = /^[\d_,]+$/.test(text) ? Number(text.replaceAll(/[_,]/g, '')) : Number.NaN;
  if (!(value >= least && value <= most))
    throw new SentenceError(`--${name} is a whole number from ${least} to ${most}, not "${text}".`);
  return value;
}

function parse(args: readonly string[]) {
  try {
    return util.parseArgs({
      args: [...args],
      options: {
        port: { type: 'string' },
        rows: { type: 'string' },
        data: { type: 'string' },
        memory: { type: 'boolean' },
        site: { type: 'string' },
        check: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new SentenceError(`${(error as Error).message.split(/\.\s/)[0]}. --help lists the options.`);
  }
}

export interface Command extends StartApiOptions {
  /** Only check whether the other options can be used. */
  readonly check?: true;
}

/** The parsed command line; `help` for `--help`. */
export function readCommand(args: readonly string[], environment: Environment, cache: string): Command | 'help' {
  const { port, rows, data, memory = false, site, check = false, help = false } = parse(args);
  if (help) return 'help';
  const address = environment['DATABASE_URL'] || undefined;
  if (address !== undefined && data === undefined && !memory) addressOf(address);
  if (data === '') throw new SentenceError('--data wants a folder.');
  if (memory && data !== undefined)
    throw new SentenceError('--memory keeps nothing, --data says where to keep it: choose one of them.');
  return {
    ...(port === undefined ? { port: DEFAULT_PORT, tries: MORE_PORTS } : { port: numberFrom('port', port, 0, 65_535) }),
    ...(rows !== undefined && { rows: numberFrom('rows', rows, LEAST_ROWS, MOST_ROWS) }),
    ...(site !== undefined && { site }),
    ...(check && { check }),
    database: memory ? 'memory' : (data ?? address ?? `${cache}/data`),
    snapshots: `${cache}/snapshots`,
  };
}

/** Why this Node cannot run the demo, in a sentence; `undefined` if it can. */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 20 || (major === 20 && minor >= 19)
    ? undefined
    : `The demo needs Node 20.19 or newer, and this is ${version}. Install a newer one from nodejs.org.`;
}
