import type { Bug } from './store-bugs.mjs';

export const controllerBugs: readonly Bug[];
