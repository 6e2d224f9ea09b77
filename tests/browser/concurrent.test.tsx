import { concurrentTable } from '../react/concurrent-table.tsx';

concurrentTable({ runs: 20, cycles: 40 });
