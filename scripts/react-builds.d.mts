export declare const otherProjects: readonly string[];
/** A number that depends only on the commit, so it is the same on every machine. */
export declare function numberOfCommit(): number;
export declare function reactBuilds(scope: 'matrix' | 'commit' | 'work'): {
  readonly emulated: readonly string[];
  readonly chromium: readonly string[];
};
