// @ts-check
// The command line of `npm start`. JavaScript, because it is read before anything is installed.
import util from 'node:util';
import { addressOf, DEFAULT_ROWS, MIN_ROWS, MAX_ROWS } from './database/options.mjs';
import { SentenceError } from './sentence-error.mjs';

export const DEFAULT_PORT = 4600;
/** How many ports after the default one are tried, if no port was given. */
const MORE_PORTS = 20;

export const HELP = `The Rejoin demo: a REST API with made-up data, for this machine only, and a page beside it.

  --port N      the port; by default ${DEFAULT_PORT}, or the next free one
  --rows N      how much data there is: users, posts, comments and todos together (${MIN_ROWS} to ${MAX_ROWS.toLocaleString('en')}; by default ${DEFAULT_ROWS.toLocaleString('en')})
  --data FOLDER where the embedded Postgres keeps its data
  --memory      keep nothing
  --site FOLDER a built web page to serve beside the API
  --help        this text

  DATABASE_URL  a PostgreSQL server to use in place of the embedded one: postgres://user:password@host:5432/name
`;

/**
 * @param {string} name
 * @param {string} text
 * @param {number} least
 * @param {number} most
 */
function numberFrom(name, text, least, most) {
  const value = /^[\d_,]+$/.test(text) ? Number(text.replaceAll(/[_,]/g, '')) : Number.NaN;
  if (!(value >= least && value <= most))
    throw new SentenceError(`--${name} is a whole number from ${least} to ${most}, not "${text}".`);
  return value;
}

/** @param {readonly string[]} args */
function parse(args) {
  try {
    return util.parseArgs({
      args: [...args],
      options: {
        port: { type: 'string' },
        rows: { type: 'string' },
        data: { type: 'string' },
        memory: { type: 'boolean' },
        site: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new SentenceError(`${/** @type {Error} */ (error).message.split(/\.\s/)[0]}. --help lists the options.`);
  }
}

/**
 * Returns the parsed command line; `help` for `--help`. Throws if an option cannot be used.
 *
 * @param {readonly string[]} args
 * @param {Readonly<Record<string, string | undefined>>} environment
 * @param {string} cache
 * @returns {import('./start-api.ts').StartApiOptions | 'help'}
 */
export function readCommand(args, environment, cache) {
  const { port, rows, data, memory = false, site, help = false } = parse(args);
  if (help) return 'help';
  const address = environment['DATABASE_URL'] || undefined;
  if (address !== undefined && data === undefined && !memory) addressOf(address);
  if (data === '') throw new SentenceError('--data needs a folder.');
  if (memory && data !== undefined)
    throw new SentenceError('--memory keeps nothing, --data says where to keep it: choose one of them.');
  return {
    ...(port === undefined ? { port: DEFAULT_PORT, tries: MORE_PORTS } : { port: numberFrom('port', port, 0, 65_535) }),
    ...(rows !== undefined && { rows: numberFrom('rows', rows, MIN_ROWS, MAX_ROWS) }),
    ...(site !== undefined && { site }),
    database: memory ? 'memory' : (data ?? address ?? `${cache}/data`),
    snapshots: `${cache}/snapshots`,
  };
}

/**
 * Returns why this version of Node cannot run the demo, in a sentence; `undefined` if it can.
 *
 * @param {string} version
 */
export function nodeProblem(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 20 || (major === 20 && minor >= 19)
    ? undefined
    : `The demo needs Node 20.19 or newer, and this is ${version}. Install a newer one from nodejs.org.`;
}
