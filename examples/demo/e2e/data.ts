import type { StartApiOptions } from '../api/start-api.ts';
import { SNAPSHOTS } from '../api/testing.ts';

/** The data of each test file. */
export const DATA: StartApiOptions = { database: 'memory', rows: 400, snapshots: SNAPSHOTS };
