import { concurrentTable } from './concurrent-table.tsx';

concurrentTable({
  runs: Number(process.env['REJOIN_RUNS'] ?? 60),
  cycles: Number(process.env['REJOIN_CYCLES'] ?? 100),
});
