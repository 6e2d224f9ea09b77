/* Written in old syntax on purpose: an old Node must get as far as the sentence that says it is too old. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Ends the process unless this Node is one that package.json names under `engines`. */
function demandNode() {
  const wanted = JSON.parse(readFileSync(root + 'package.json', 'utf8')).engines.node;
  const need = wanted.replace('>=', '').split('.').map(Number);
  const have = process.versions.node.split('.').map(Number);
  if (have[0] > need[0] || (have[0] === need[0] && have[1] >= need[1])) return;
  console.error('Rejoin is developed on Node ' + wanted + ', and this is Node ' + process.versions.node + '.');
  process.exit(1);
}

/** True when node_modules is what the lock file asks for, as far as the time stamps tell. */
function installed() {
  const mark = root + 'node_modules/.package-lock.json';
  return existsSync(mark) && statSync(mark).mtimeMs >= statSync(root + 'package-lock.json').mtimeMs;
}

/** Makes a fresh clone ready to run: the right Node, and the packages of the lock file. */
export function ensureInstalled() {
  demandNode();
  if (installed()) return;
  console.log('Installing the packages of package-lock.json …');
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (npm.status !== 0) process.exit(npm.status || 1);
}
