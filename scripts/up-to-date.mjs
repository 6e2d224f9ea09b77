import { statSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './install.mjs';

/** Returns whether a file is newer than all these files and folders. Names are relative to the root. */
export function isUpToDate(built, sources) {
  const builtAt = changedAt(built);
  return builtAt > 0 && sources.every((source) => newestOf(join(root, source)) <= builtAt);
}

function changedAt(file) {
  return statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** A folder changes when one of its files is added, renamed or removed. */
function newestOf(path) {
  const status = statSync(path);
  if (!status.isDirectory()) return status.mtimeMs;
  const within = readdirSync(path).map((name) => newestOf(join(path, name)));
  return Math.max(status.mtimeMs, ...within);
}
