import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes a folder for temporary files. Each process that calls this at top level has a folder of its own. */
export const scratch = (name) => join(tmpdir(), 'rejoin-bench', `${process.pid}`, name);
