export declare const otherProjects: readonly string[];
export declare function reactBuilds(scope: 'matrix' | 'commit' | 'work'): {
  readonly emulated: readonly string[];
  readonly chromium: readonly string[];
};
