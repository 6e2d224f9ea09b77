import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

/** Beside the packages that it imports. */
const OUT: string = fileURLToPath(new URL('../node_modules/.cache/rejoin-demo/program', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'rejoin-demo-'));
const WITHOUT_DATABASE = { ...process.env, DATABASE_URL: '' };

beforeAll(async () => {
  await build({
    entryPoints: [fileURLToPath(new URL('main.ts', import.meta.url))],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    outdir: OUT,
    outExtension: { '.js': '.mjs' },
    logLevel: 'error',
  });
});
afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
  rmSync(OUT, { recursive: true, force: true });
});

/** The program as `npm start` runs it. */
class Program {
  readonly child: ChildProcess;
  output = '';

  constructor(args: readonly string[], env: NodeJS.ProcessEnv = WITHOUT_DATABASE) {
    this.child = spawn(process.execPath, [join(OUT, 'main.mjs'), ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (data) => void (this.output += String(data)));
  }

  async waitForOutput(text: string): Promise<void> {
    await vi.waitUntil(() => this.output.includes(text), { timeout: 60_000, interval: 20 });
  }

  /** Its exit code, once it has ended. */
  async end(): Promise<number | null> {
    if (this.child.exitCode === null) await once(this.child, 'exit');
    return this.child.exitCode;
  }

  get url(): string {
    return /The API is at (\S+)\/api/.exec(this.output)?.[1] ?? '';
  }
}

const running: Program[] = [];
function start(...args: readonly string[]): Program {
  const program = new Program(args);
  running.push(program);
  return program;
}
afterEach(() => {
  for (const { child } of running.splice(0)) child.kill('SIGKILL');
});

/** Runs a program until it exits. Returns its exit code and output. */
async function outcome(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<readonly [number | null, string]> {
  const program = new Program(args, env);
  running.push(program);
  return [await program.end(), program.output];
}

/** No more than a sentence or two on one line, and no stack. */
const SENTENCE = /^[^\n]+\.\n$/;

describe('a start that fails', () => {
  test.each([
    ['a folder in /proc', ['--data', '/proc/x/y'], /^The folder \/proc\/x cannot be made/],
    ['a file instead of a folder', ['--data', '/dev/null/x'], /is not a folder/],
    ['a page that is not there', ['--site', '/nowhere', '--memory'], /^There is no page in \/nowhere/],
    ['an option that is not known', ['--pots', '1'], /--help lists the options/],
    ['a port that is none', ['--port', '70000'], /^--port is a whole number from 0 to 65535/],
    ['too few rows', ['--rows', '5'], /^--rows is a whole number from 100/],
  ])('%s ends in a sentence', async (_, args, sentence) => {
    const [code, output] = await outcome(args);
    expect([code, output]).toEqual([1, expect.stringMatching(SENTENCE)]);
    expect(output).toMatch(sentence);
  });

  test('a database that does not answer ends in a sentence, without the password', async () => {
    const [code, output] = await outcome([], { ...process.env, DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/demo' });
    expect([code, output]).toEqual([1, expect.stringMatching(SENTENCE)]);
    expect(output).toContain('nothing listens there');
    expect(output).not.toContain('secret');
  });

  test('a server that takes the connection and never answers ends in a sentence', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const [code, output] = await outcome([], { ...process.env, DATABASE_URL: `postgres://me@127.0.0.1:${port}/demo` });
    expect([code, output]).toEqual([1, expect.stringMatching(SENTENCE)]);
    silent.close();
  });

  test('--help prints the help', async () => {
    const [code, output] = await outcome(['--help']);
    expect(code).toBe(0);
    for (const option of ['--port', '--rows', '--data', '--memory', '--site', 'DATABASE_URL'])
      expect(output).toContain(option);
  });
});

describe('a start', () => {
  const site = join(scratch, 'site');
  mkdirSync(site);
  writeFileSync(join(site, 'index.html'), '<h1>Demo</h1>');
  // It takes seconds to generate the data, so tests that do not check the generation use the data of the first one.
  const data = join(scratch, 'data', 'several', 'folders', 'down');

  test('prints its progress and its address, and writes all data before it ends', async () => {
    const program = start('--port', '0', '--rows', '100', '--data', data, '--site', site);
    await program.waitForOutput('Ctrl-C stops it');
    expect(program.output).toContain('100 rows of data: 100 %');
    expect(program.output).toContain('The demo is at http://127.0.0.1:');
    expect((await fetch(`${program.url}/api/health`)).status).toBe(200);
    await fetch(`${program.url}/api/posts/1/votes`, { method: 'POST' });
    const { votes } = (await (await fetch(`${program.url}/api/posts/1`)).json()) as { votes: number };
    program.child.kill('SIGINT');
    expect(await program.end()).toBe(0);
    expect(program.output).toMatch(/Stopped\.\n$/);
    expect(existsSync(join(data, 'lock'))).toBe(false);

    const again = start('--port', '0', '--data', data, '--site', site);
    await again.waitForOutput('Ctrl-C stops it');
    expect(again.output).not.toContain('rows of data');
    expect(await (await fetch(`${again.url}/api/posts/1`)).json()).toMatchObject({ votes });
    again.child.kill('SIGTERM');
    expect(await again.end()).toBe(0);
  });

  test('one Ctrl-C that arrives twice counts once', async () => {
    const program = start('--port', '0', '--memory', '--rows', '100');
    await program.waitForOutput('Ctrl-C stops it');
    // Two signals of one kind at one moment are one for the system; npm passes on what the terminal has sent already.
    program.child.kill('SIGINT');
    program.child.kill('SIGTERM');
    expect(await program.end()).toBe(0);
    expect(program.output).toMatch(/Stopped\.\n$/);
  });

  test('with the data of a running server prints the address of that server', async () => {
    const first = start('--port', '0', '--rows', '100', '--data', data);
    await first.waitForOutput('Ctrl-C stops it');
    const [code, output] = await outcome(['--port', '0', '--data', data]);
    expect([code, output]).toEqual([
      1,
      `The demo is running already, at ${first.url}. Open that, or start a second one with --memory.\n`,
    ]);
  });
});
