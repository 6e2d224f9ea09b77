// Fills a database in memory, which leaves a snapshot for all tests that need such a database.
import { startApi } from '../api/start-api.ts';
import { DATA } from './data.ts';

const api = await startApi(DATA);
await api.close();
