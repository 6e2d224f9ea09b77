import { expect, test } from 'vitest';
import { runKilledClient } from './killed-client-run.ts';
import { postgresHere } from './postgres.ts';

/** `npm run reliability -- postgres --full` makes 600. */
const EDITS = Number(process.env['EDITS'] ?? 40);
const programs = postgresHere();

// In CI, a database that could not be installed is a failure.
test.runIf(programs !== undefined || process.env['CI'] !== undefined)(
  'with a server on PostgreSQL that loses answers and is restarted, each edit of a client that is killed has one effect, in the order of its record',
  { timeout: 180_000 },
  async () => {
    const outcome = await runKilledClient(programs ?? '', EDITS, Number(process.env['SEED'] ?? 1));
    expect(outcome.wrong).toEqual([]);
    expect(outcome.lostAnswers).toBeGreaterThan(0);
  },
);
