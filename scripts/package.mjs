// Looks at the package as npm would publish it: packs it, unpacks it, and asks publint, attw and Node about it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demand, run } from './run.mjs';

/** Runs `use` in a folder of its own, with the packed tarball and the same package installed under node_modules. */
function withPacked(use) {
  const folder = mkdtempSync(join(tmpdir(), 'rejoin-'));
  try {
    const [packed] = JSON.parse(run('npm', ['pack', '--json', '--loglevel=error', '--pack-destination', folder]));
    const installed = join(folder, 'node_modules/rejoin');
    mkdirSync(installed, { recursive: true });
    run('tar', ['-xzf', packed.filename, '-C', installed, '--strip-components=1'], { cwd: folder });
    return use({ folder, tarball: join(folder, packed.filename), files: packed.files.map(({ path }) => path) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Throws when the package is not what it should be; gives back what was looked at, in a few words. */
export function checkPackage() {
  return withPacked(({ folder, tarball, files }) => {
    const modules = demand(files.filter((path) => path.startsWith('dist/') && path.endsWith('.js')).length, 'modules');
    const tests = files.filter((path) => /\.test(-d)?\./.test(path));
    if (tests.length > 0) throw new Error(`Tests are in the package: ${tests.join(', ')}`);
    run('publint', ['run', tarball, '--strict']);
    run('attw', [tarball, '--profile', 'esm-only']);
    writeFileSync(
      join(folder, 'use.mjs'),
      `import * as door from 'rejoin'; process.stdout.write(String(Object.keys(door).length));`,
    );
    const names = demand(Number(run('node', ['use.mjs'], { cwd: folder })), 'names');
    return `${modules} modules in ${files.length} files, ${names} names importable`;
  });
}
