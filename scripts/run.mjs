import { spawnSync } from 'node:child_process';
import { delimiter } from 'node:path';
import { root } from './install.mjs';

const path = `${root}node_modules/.bin${delimiter}${process.env['PATH'] ?? ''}`;

/** Runs a program of this project and returns its output. If it fails, throws an error with the output. */
export function run(command, args, options = {}) {
  const done = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e8,
    shell: process.platform === 'win32',
    env: { ...process.env, PATH: path, NO_COLOR: '1' },
    ...options,
  });
  if (done.error?.code === 'ENOENT') throw new Error(`${command} is not there. \`npm ci\` installs what is missing.`);
  const printed = `${done.stdout ?? ''}${done.stderr ?? ''}`;
  if (done.status !== 0) throw new Error(printed.trim() || `${command} ${args.join(' ')} ended with ${done.status}`);
  return done.stdout ?? '';
}

/** Throws if nothing was checked, because a check of nothing is a failure. */
export function demand(count, what) {
  if (!(count > 0)) throw new Error(`Nothing was checked: found no ${what}.`);
  return count;
}
