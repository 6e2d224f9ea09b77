import { spawnSync } from 'node:child_process';
import { root } from './install.mjs';

/** The projects of vitest.config.ts that run the tests of React: one for each build, in an emulated page or in Chromium. */
const builds = {
  emulated: {
    // Both releases and both modes, in an emulated page one way round and in Chromium the other.
    always: ['dom', 'dom-18-production'],
    inTurn: ['dom-production', 'dom-18', 'dom-experimental', 'dom-experimental-production', 'dom-compiled'],
  },
  chromium: {
    always: ['browser-production', 'browser-18'],
    inTurn: ['browser', 'browser-18-production', 'browser-experimental', 'browser-experimental-production'],
  },
};

/** The other projects of vitest.config.ts. */
export const otherProjects = ['unit', 'property', 'types', 'server-18', 'consumers', 'demo'];

/**
 * The builds of React that a run of all tests has: `matrix`, every one; `work`, those that each commit has to pass;
 * `commit`, those and one more of each kind, another from commit to commit.
 */
export function reactBuilds(scope) {
  const turn = scope === 'commit' ? numberOfCommit() : undefined;
  const chosen = ({ always, inTurn }) => {
    if (scope === 'matrix') return [...always, ...inTurn];
    return turn === undefined ? always : [...always, inTurn[turn % inTurn.length]];
  };
  return { emulated: chosen(builds.emulated), chromium: chosen(builds.chromium) };
}

/** A number that is the same wherever one commit is tested. */
export function numberOfCommit() {
  const { stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' });
  return Number.parseInt(stdout.slice(0, 8), 16) || 0;
}
