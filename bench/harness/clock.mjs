const now = () => performance.now();

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Returns the nanoseconds of one `run`, as the median of many. Each run gets an input of its own, which `prepare` makes outside of the measured time.
 * Inputs are made in groups of `batch`, so that short runs are measured together, with the cost of their garbage. An input is
 * released when it was used, so that the garbage collector does not copy it during later runs.
 */
export async function timeFresh({ prepare, run, batch = 1, warm = 350, budget = 350, least = 3 }) {
  const once = () => {
    const inputs = Array.from({ length: batch }, prepare);
    const from = now();
    for (let at = 0; at < inputs.length; at++) {
      const input = inputs[at];
      inputs[at] = undefined;
      run(input);
    }
    return now() - from;
  };
  const started = now();
  do once();
  while (now() - started < warm);
  globalThis.gc?.();
  const samples = [];
  const end = now() + budget;
  while (samples.length < least || now() < end) samples.push(once());
  return (median(samples) / batch) * 1e6;
}

/**
 * Returns the nanoseconds of one `step(turn)`, as the median over blocks of steps. `turn` always grows. Blocks are made long
 * enough for the clock; a single slow step is a block of its own.
 */
export async function timeSteps({ step, warm = 150, budget = 300, block = 4, most = 200_000 }) {
  let turn = 0;
  const run = (count) => {
    const from = now();
    for (let left = count; left > 0; left--) step(turn++);
    return now() - from;
  };
  const used = () => turn / most;
  let count = 1;
  let spent = 0;
  while (spent < warm && used() < 0.25) {
    const took = run(count);
    spent += took;
    // A step that takes so long needs no warm-up, and there is no time for a second one.
    if (turn === 1 && took > 2 * (warm + budget)) return took * 1e6;
    if (took < block) count = Math.min(count * 2, Math.max(1, most >> 6));
  }
  globalThis.gc?.();
  const samples = [];
  const end = now() + budget;
  do samples.push(run(count) / count);
  while (now() < end && used() < 1);
  return median(samples) * 1e6;
}
