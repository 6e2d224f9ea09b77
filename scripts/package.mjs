// Checks the package that npm would publish: packs and installs it, and runs publint, attw and Node on it.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './install.mjs';
import { demand, run } from './run.mjs';

/** Packs the package in folder `from` as npm would publish it, and installs it in `folder` without a request to a registry. */
export function installPacked(folder, from = root) {
  const args = ['pack', '--json', '--loglevel=error', '--ignore-scripts', '--pack-destination', folder];
  const [packed] = JSON.parse(run('npm', args, { cwd: from }));
  const installed = join(folder, 'node_modules/rejoin');
  mkdirSync(installed, { recursive: true });
  run('tar', ['-xzf', packed.filename, '-C', installed, '--strip-components=1'], { cwd: folder });
  // Links only the packages that package.json names as dependencies.
  const { dependencies = {} } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies))
    cpSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true });
  return { tarball: join(folder, packed.filename), files: packed.files.map(({ path }) => path) };
}

/** Calls `use` with a new folder that has the tarball, and the installed package under node_modules. */
function withPacked(use) {
  const folder = mkdtempSync(join(tmpdir(), 'rejoin-'));
  try {
    return use({ folder, ...installPacked(folder) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Checks the package. Throws if something is wrong; otherwise returns a summary of what was checked. */
export function checkPackage() {
  return withPacked(({ folder, tarball, files }) => {
    const modules = demand(files.filter((path) => path.startsWith('dist/') && path.endsWith('.js')).length, 'modules');
    const tests = files.filter((path) => /\.test(-d)?\./.test(path));
    if (tests.length > 0) throw new Error(`Tests are in the package: ${tests.join(', ')}`);
    run('publint', ['run', tarball, '--strict']);
    run('attw', [tarball, '--profile', 'esm-only']);
    writeFileSync(
      join(folder, 'use.mjs'),
      `import * as entryPoint from 'rejoin'; process.stdout.write(String(Object.keys(entryPoint).length));`,
    );
    const names = demand(Number(run('node', ['use.mjs'], { cwd: folder })), 'names');
    return `${modules} modules in ${files.length} files, ${names} names importable`;
  });
}
