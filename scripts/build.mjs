import { readdirSync, rmSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { ensureInstalled, root } from './install.mjs';
import { demand, run } from './run.mjs';

/** Builds dist/ with plain tsc: one module and one declaration for each file of src/. Returns the number of modules. */
export function build() {
  rmSync(`${root}dist`, { recursive: true, force: true });
  run('tsc', ['-p', 'tsconfig.build.json']);
  return demand(
    readdirSync(`${root}dist`, { recursive: true }).filter((file) => file.endsWith('.js')).length,
    'modules',
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  ensureInstalled();
  try {
    console.log(`dist/: ${build()} modules`);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
