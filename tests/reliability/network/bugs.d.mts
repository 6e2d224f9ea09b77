import type { Bug } from '../planted/bugs.mjs';

export const bugs: readonly Bug[];
