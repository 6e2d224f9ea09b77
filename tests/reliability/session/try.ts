import { secretsInMemory } from './heap.ts';
const t = performance.now();
console.log(await secretsInMemory((globalThis as never as { gc: () => void }).gc), performance.now() - t);
