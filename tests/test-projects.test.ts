import { describe, expect, test } from 'vitest';
import { otherProjects, reactBuilds } from '../scripts/react-builds.mjs';
import config from '../vitest.config.ts';

interface Project {
  readonly test: { readonly name: string };
}

describe('the projects that npm test chooses', () => {
  test('are all projects of the configuration, in the matrix', () => {
    const { emulated, chromium } = reactBuilds('matrix');
    const projects = (config.test?.projects ?? []) as readonly Project[];
    const there = projects.map((project) => project.test.name);

    // Without a Chromium, the configuration has no project that needs one.
    const due = [...otherProjects, ...emulated, ...chromium.filter((name) => there.includes(name))];
    expect(there.toSorted()).toEqual(due.toSorted());
  });

  test('have both releases and both modes in every run', () => {
    const { emulated, chromium } = reactBuilds('work');
    const names = [...emulated, ...chromium];
    for (const is of [/18/, /^[^8]+$/, /production/, /^(?!.*production)/])
      expect(names.some((name) => is.test(name))).toBe(true);
  });

  test('have one more build of each kind in CI', () => {
    const work = reactBuilds('work');
    const commit = reactBuilds('commit');
    expect(commit.emulated.slice(0, -1)).toEqual(work.emulated);
    expect(commit.chromium.slice(0, -1)).toEqual(work.chromium);
    expect(reactBuilds('matrix').emulated).toContain(commit.emulated.at(-1));
  });
});
