import { describe } from 'vitest';
import { scenarioTable } from '../react/scenario-table.tsx';

describe('in StrictMode', () => {
  scenarioTable(true);
});
describe('as it is', () => {
  scenarioTable(false);
});
