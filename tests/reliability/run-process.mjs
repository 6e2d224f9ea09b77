import { spawn } from 'node:child_process';

/** Runs one row of the scoreboard in a process of its own. A process that crashes or never ends has missed its figure. */
export function runRow(bundle, name, { runs, seed = 1, ms = Number.POSITIVE_INFINITY, flags = [] }) {
  return new Promise((resolve) => {
    const start = performance.now();
    const child = spawn(process.execPath, [...flags, bundle, name, String(runs), String(seed), String(ms)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const text = { out: '', error: '' };
    child.stdout.on('data', (piece) => (text.out += piece));
    child.stderr.on('data', (piece) => (text.error += piece));
    const timer = Number.isFinite(ms) ? setTimeout(() => child.kill('SIGKILL'), ms + 30_000) : undefined;
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      const seconds = (performance.now() - start) / 1000;
      const outcome =
        code === 0
          ? JSON.parse(text.out)
          : { reached: `died (${signal ?? code})`, isReached: false, wrong: text.error.slice(-2000) };
      resolve({ ...outcome, seconds });
    });
  });
}
