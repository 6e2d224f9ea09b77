import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for what a run makes on the way; each process that calls this at top level has its own. */
export const scratch = (name) => join(tmpdir(), 'rejoin-bench', `${process.pid}`, name);
