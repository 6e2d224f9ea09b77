import { readdirSync, rmSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { root } from './install.mjs';
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

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(`dist/: ${build()} modules`);
