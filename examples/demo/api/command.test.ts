import { expect, test } from 'vitest';
import { DEFAULT_PORT, HELP, nodeProblem, readCommand } from './command.mjs';
import { SentenceError } from './sentence-error.mjs';

const read = (args: string[], environment: Record<string, string> = {}): ReturnType<typeof readCommand> =>
  readCommand(args, environment, '/cache');
const refused = (args: string[]): string => {
  try {
    read(args);
  } catch (error) {
    expect(error).toBeInstanceOf(SentenceError);
    return (error as Error).message;
  }
  return 'not refused';
};

test('without options, the server uses the default port or one of the next, and keeps its data', () => {
  expect(read([])).toEqual({ port: DEFAULT_PORT, tries: 20, database: '/cache/data', snapshots: '/cache/snapshots' });
});

test('the server uses a given port, or does not start', () => {
  expect(read(['--port', '8080'])).toMatchObject({ port: 8080 });
  expect(read(['--port', '8080'])).not.toHaveProperty('tries');
});

test('the number of rows may have separators', () => {
  for (const rows of ['100000', '100_000', '100,000']) expect(read(['--rows', rows])).toMatchObject({ rows: 100_000 });
});

test('the database is DATABASE_URL, unless the command line has another one', () => {
  const environment = { DATABASE_URL: 'postgres://db' };
  expect(read([], environment)).toMatchObject({ database: 'postgres://db' });
  expect(read(['--data', '/x'], environment)).toMatchObject({ database: '/x' });
  expect(read(['--memory'], environment)).toMatchObject({ database: 'memory' });
  expect(read([], { DATABASE_URL: '' })).toMatchObject({ database: '/cache/data' });
  expect(read(['--memory'], { DATABASE_URL: 'banana' })).toMatchObject({ database: 'memory' });
  for (const address of ['banana', 'http://localhost'])
    expect(() => read([], { DATABASE_URL: address })).toThrow(/^DATABASE_URL is not an address of PostgreSQL/);
});

test('the folder of a page to serve is passed on, and --help prints the help', () => {
  expect(read(['--site', 'dist'])).toMatchObject({ site: 'dist' });
  expect([read(['--help']), read(['-h'])]).toEqual(['help', 'help']);
  for (const option of ['--port', '--rows', '--data', '--memory', '--site', 'DATABASE_URL'])
    expect(HELP).toContain(option);
});

test('an unknown or invalid option is reported in one sentence', () => {
  expect(refused(['--rows', 'many'])).toBe('--rows is a whole number from 100 to 2000000, not "many".');
  expect(refused(['--rows', '-5'])).toBe("Option '--rows' argument is ambiguous. --help lists the options.");
  expect(refused(['--data', ''])).toBe('--data needs a folder.');
  expect(refused(['--rows', '5'])).toMatch(/^--rows is a whole number/);
  expect(refused(['--port', '70000'])).toMatch(/^--port is a whole number from 0 to 65535/);
  expect(refused(['--prot', '1'])).toBe("Unknown option '--prot'. --help lists the options.");
  expect(refused(['--memory', '--data', 'x'])).toMatch(/choose one of them/);
});

test('a version of Node that is too old is reported', () => {
  expect(nodeProblem('18.20.0')).toBe(
    'The demo needs Node 20.19 or newer, and this is 18.20.0. Install a newer one from nodejs.org.',
  );
  expect(nodeProblem('20.18.3')).toBeDefined();
  for (const version of ['20.19.0', '20.20.2', '22.0.0', '26.1.0']) expect(nodeProblem(version)).toBe(undefined);
});
