import { concurrentTable } from './concurrent-table.tsx';

concurrentTable({
  runs: Number(process.env['REJOIN_RUNS'] ?? 25),
  cycles: Number(process.env['REJOIN_CYCLES'] ?? 40),
});
