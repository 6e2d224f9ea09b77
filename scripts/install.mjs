/* Written in old syntax on purpose, so that an old Node runs it and prints that it is too old. */
import { spawnSync } from 'node:child_process';
// The module is imported as a whole, because an old Node fails at an imported name that it does not have.
import * as fs from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** The sets of packages that can be installed: the disk space in megabytes, with room for a build, the options of npm, and the packages of the set. */
const SETS = {
  everything: { needsMB: 1200, npm: [], has: (path, { optional }) => path !== '' && !optional },
  demo: {
    needsMB: 600,
    npm: ['--workspace=examples/demo', '--omit=dev'],
    has: (path) => path === 'node_modules/vite' || path === 'node_modules/hono',
  },
};

/** Ends the process unless this Node is one that package.json names under `engines`. */
export function demandNode() {
  const wanted = JSON.parse(fs.readFileSync(root + 'package.json', 'utf8')).engines.node;
  const need = wanted.replace('>=', '').split('.').map(Number);
  const have = process.versions.node.split('.').map(Number);
  if (have[0] > need[0] || (have[0] === need[0] && have[1] >= need[1])) return;
  console.error('Rejoin is developed on Node ' + wanted + ', and this is Node ' + process.versions.node + '.');
  process.exit(1);
}

/** Returns the packages that a lock file names, and none if there is no such file. */
function packagesOf(file) {
  return fs.existsSync(root + file) ? JSON.parse(fs.readFileSync(root + file, 'utf8')).packages || {} : {};
}

/** Returns whether node_modules has all packages of a set, and each installed package has the version of the lock file. */
function installed(has) {
  const there = packagesOf('node_modules/.package-lock.json');
  const due = packagesOf('package-lock.json');
  return (
    Object.keys(due).every((path) => path in there || !has(path, due[path])) &&
    Object.keys(there).every((path) => path in due && there[path].version === due[path].version)
  );
}

/** Ends the process if the packages do not fit on the disk. npm would notice it only after minutes. */
function demandSpace(needsMB) {
  const disk = fs.statfsSync(root);
  const free = Math.floor((disk.bavail * disk.bsize) / 1e6);
  if (free >= needsMB) return;
  console.error(`Rejoin needs ${needsMB} MB for the packages it is developed with; ${root} has ${free} MB. Free some.`);
  process.exit(1);
}

/** Prepares a fresh clone: checks the version of Node, and installs the packages of the lock file, or only those for the demo. */
export function ensureInstalled(set = 'everything') {
  demandNode();
  const { needsMB, npm, has } = SETS[set];
  if (installed(has)) return;
  if (!fs.existsSync(root + 'node_modules')) demandSpace(needsMB);
  console.log('Installing the packages of package-lock.json …');
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'].concat(npm);
  const done = spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (done.status !== 0) process.exit(done.status || 1);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) ensureInstalled();
