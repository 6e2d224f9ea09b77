/* Written in old syntax on purpose: an old Node must get as far as the sentence that says it is too old. */
import { spawnSync } from 'node:child_process';
// Not by name: an old Node would stop at a name that it does not have.
import * as fs from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** What the packages of the lock file take, in megabytes, with some room for a build. */
const NEEDED_MB = 1200;

/** Ends the process unless this Node is one that package.json names under `engines`. */
function demandNode() {
  const wanted = JSON.parse(fs.readFileSync(root + 'package.json', 'utf8')).engines.node;
  const need = wanted.replace('>=', '').split('.').map(Number);
  const have = process.versions.node.split('.').map(Number);
  if (have[0] > need[0] || (have[0] === need[0] && have[1] >= need[1])) return;
  console.error('Rejoin is developed on Node ' + wanted + ', and this is Node ' + process.versions.node + '.');
  process.exit(1);
}

/** True when node_modules is what the lock file asks for, as far as the time stamps tell. */
function installed() {
  const mark = root + 'node_modules/.package-lock.json';
  return fs.existsSync(mark) && fs.statSync(mark).mtimeMs >= fs.statSync(root + 'package-lock.json').mtimeMs;
}

/** Ends the process where the packages do not fit; npm itself would try for minutes. */
function demandSpace() {
  const disk = fs.statfsSync(root);
  const free = Math.floor((disk.bavail * disk.bsize) / 1e6);
  if (free >= NEEDED_MB) return;
  console.error(
    `Rejoin needs ${NEEDED_MB} MB for the packages it is developed with; ${root} has ${free} MB. Free some.`,
  );
  process.exit(1);
}

/** Makes a fresh clone ready to run: the right Node, and the packages of the lock file. */
export function ensureInstalled() {
  demandNode();
  if (installed()) return;
  if (!fs.existsSync(root + 'node_modules')) demandSpace();
  console.log('Installing the packages of package-lock.json …');
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (npm.status !== 0) process.exit(npm.status || 1);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) ensureInstalled();
