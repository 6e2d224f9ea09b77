import type { Bug } from './store-bugs.mjs';

export const queryBugs: readonly Bug[];
