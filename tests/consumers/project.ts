import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';

export const root: string = fileURLToPath(new URL('../..', import.meta.url));
/** The newest TypeScript, and the oldest one that can compile the published types. */
export const tsc: string = join(root, 'node_modules/@typescript/native/bin/tsc');
export const oldestTsc: string = join(root, 'tests/consumers/node_modules/typescript/bin/tsc');

export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/** A running server: its URL and its output. */
export interface Running {
  readonly url: string;
  printed(): string;
  stop(): Promise<void>;
}

/** A project of a user in a folder of its own, with the packed package and only the packages that its package.json names. */
export interface Project {
  readonly folder: string;
  /** Runs a file with Node. Rejects with its output if it fails. */
  run(file: string, args?: readonly string[], env?: Readonly<Record<string, string>>): Promise<Printed>;
  /** Runs a file with Node until it prints a URL. */
  start(file: string, args?: readonly string[], env?: Readonly<Record<string, string>>): Promise<Running>;
  remove(): void;
}

interface Needs {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

function needsOf(folder: string): readonly string[] {
  const needs = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Needs;
  return Object.keys({ ...needs.dependencies, ...needs.devDependencies });
}

/** Copies projects/`name` into a temporary folder, and links the packages there that its package.json names. */
export function openProject(name: string, packed: string): Project {
  const folder = mkdtempSync(join(tmpdir(), `rejoin-${name}-`));
  cpSync(join(root, 'tests/consumers/projects', name), folder, { recursive: true });
  const modules = join(folder, 'node_modules');
  // The package is copied and not linked, because a module is resolved from its real folder.
  cpSync(join(packed, 'node_modules'), modules, { recursive: true });
  for (const need of needsOf(folder)) {
    if (existsSync(join(modules, need))) continue;
    mkdirSync(dirname(join(modules, need)), { recursive: true });
    symlinkSync(join(root, 'node_modules', need), join(modules, need), 'junction');
  }
  // Uses the environment of a shell, without the variables of the test runner.
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, NO_COLOR: '1' };
  return {
    folder,
    run: (file, args = [], more = {}) =>
      promisify(execFile)(process.execPath, [file, ...args], { cwd: folder, env: { ...env, ...more } }),
    start: (file, args = [], more = {}) =>
      started(spawn(process.execPath, [file, ...args], { cwd: folder, env: { ...env, ...more } })),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function started(server: ChildProcess): Promise<Running> {
  let printed = '';
  const ended = new Promise<void>((resolve) => void server.once('exit', () => resolve()));
  const stop = (): Promise<void> => {
    server.kill();
    return ended;
  };
  return new Promise((resolve, reject) => {
    const take = (text: Buffer): void => {
      printed += stripVTControlCharacters(String(text));
      const url = /http:\/\/[\w.]+:\d+/.exec(printed)?.[0];
      if (url !== undefined) resolve({ url, printed: () => printed, stop });
    };
    server.stdout?.on('data', take);
    server.stderr?.on('data', take);
    void ended.then(() => reject(new Error(`The server ended. It printed:\n${printed}`)));
  });
}

/** All files below a folder of the project, sorted. */
export function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .toSorted();
}
