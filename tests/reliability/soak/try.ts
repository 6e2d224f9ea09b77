import { soak } from './soak.ts';
import { stillHeld } from './let-go.ts';
const t = performance.now();
const gc = (globalThis as never as { gc: () => void }).gc;
console.log(await stillHeld(gc));
console.log(await soak(Number(process.argv[2]), Number(process.argv[3]), gc), performance.now() - t);
