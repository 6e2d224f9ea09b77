import { spawnSync } from 'node:child_process';
import { root } from './install.mjs';

/** The projects of vitest.config.ts that run the tests of React: one for each build, in an emulated page or in Chromium. */
const builds = {
  emulated: {
    // Each release and each mode runs once in an emulated page, and in the other combination in Chromium.
    always: ['dom', 'dom-18-production'],
    inTurn: ['dom-production', 'dom-18', 'dom-experimental', 'dom-experimental-production', 'dom-compiled'],
  },
  chromium: {
    always: ['browser-production', 'browser-18'],
    inTurn: ['browser', 'browser-18-production', 'browser-experimental', 'browser-experimental-production'],
  },
};

/** The other projects of vitest.config.ts. `dom-18-seeded` has the histories that `dom-18-production` leaves out. */
export const otherProjects = ['dom-18-seeded', 'unit', 'memory', 'types', 'server-18', 'consumers', 'demo'];

/**
 * Returns the builds of React in which all tests run. `matrix`: all builds. `work`: those that each commit must pass.
 * `commit`: those and one more of each kind, which depends on the commit.
 */
export function reactBuilds(scope) {
  const turn = scope === 'commit' ? numberOfCommit() : undefined;
  const chosen = ({ always, inTurn }) => {
    if (scope === 'matrix') return [...always, ...inTurn];
    return turn === undefined ? always : [...always, inTurn[turn % inTurn.length]];
  };
  return { emulated: chosen(builds.emulated), chromium: chosen(builds.chromium) };
}

/** Returns a number that depends only on the commit. */
export function numberOfCommit() {
  const { stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' });
  return Number.parseInt(stdout.slice(0, 8), 16) || 0;
}
