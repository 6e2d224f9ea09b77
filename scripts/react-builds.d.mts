export declare const otherProjects: readonly string[];
/** A number that is the same wherever one commit is tested. */
export declare function numberOfCommit(): number;
export declare function reactBuilds(scope: 'matrix' | 'commit' | 'work'): {
  readonly emulated: readonly string[];
  readonly chromium: readonly string[];
};
