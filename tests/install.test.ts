import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rejoin-clone-'));
  for (const part of ['package.json', 'package-lock.json', 'scripts', 'examples/demo/api'])
    cpSync(join(root, part), join(folder, part), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a script in a clone without installed packages. The code `machine` simulates the machine. */
function run(
  script: string,
  machine: string,
  ...options: readonly string[]
): { readonly status: number | null; readonly printed: string } {
  const preload = join(folder, 'machine.cjs');
  writeFileSync(preload, machine);
  const args = ['--require', preload, join(folder, 'scripts', `${script}.mjs`), ...options];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: folder },
  });
  return { status, printed: `${stdout}${stderr}` };
}

describe.each(['start', 'test', 'check', 'build', 'install'])('scripts/%s.mjs in a fresh clone', (script) => {
  test.each(['18.20.8', '20.18.3'])('says in a sentence that Node %s is too old', (version) => {
    const machine = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
    expect(run(script, machine)).toEqual({
      status: 1,
      printed: `Rejoin is developed on Node >=20.19, and this is Node ${version}.\n`,
    });
  });

  test('says in a sentence that the packages do not fit on the disk', () => {
    const { status, printed } = run(script, `require('node:fs').statfsSync = () => ({ bavail: 9000, bsize: 1000 })`);
    expect(status).toBe(1);
    expect(printed).toMatch(
      /^Rejoin needs \d+ MB for the packages it is developed with; \S+ has 9 MB\. Free some\.\n$/,
    );
  });
});

describe('npm start in a fresh clone', () => {
  test.each([
    ['an unknown option', ['--prot', '1'], "Unknown option '--prot'. --help lists the options.\n"],
    ['too few rows', ['--rows', '5'], '--rows is a whole number from 100 to 2000000, not "5".\n'],
  ])('reports %s before it installs anything', (_, options, printed) => {
    expect(run('start', '', ...options)).toEqual({ status: 1, printed });
  });

  test('reports that its port is taken before it installs anything', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    expect(run('start', '', '--port', String(port))).toEqual({
      status: 1,
      printed: `Port ${port} is taken. Stop what runs there, or choose another with --port.\n`,
    });
    other.close();
  });

  test('prints its options before it installs anything', () => {
    const { status, printed } = run('start', '', '--help');
    expect(status).toBe(0);
    expect(printed).toMatch(/^The Rejoin demo: [^]*--help {8}this text/);
    expect(printed).not.toContain('Installing');
  });

  test('installs what the demo needs if its options are right', () => {
    expect(run('start', '', '--port', '0').printed).toMatch(/^Installing the packages of package-lock.json/);
  });
});

test('what the README offers installs what is missing', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Readonly<Record<string, string>>;
  };
  const offered = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/npm (?:run )?(\w+)/g)];
  const names = new Set(offered.map(([, name = '']) => name).filter((name) => name in scripts));
  expect([...names].toSorted()).toEqual(['docs', 'start', 'test', 'tour']);
  for (const name of names) {
    const first = scripts[`pre${name}`] ?? scripts[name] ?? '';
    expect(['node scripts/install.mjs', 'node scripts/start.mjs', 'node scripts/test.mjs']).toContain(first);
  }
});

type Packages = Readonly<Record<string, { readonly version?: string }>>;

const { packages: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Packages;
};

/** npm lists the packages of node_modules in a lock file inside of that folder. */
function install(packages: Packages): void {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages }));
}

test.each([
  ['an older version of a package', { ...locked, 'node_modules/vitest': { version: '0.0.1' } }],
  ['a package that the lock file has no more', { ...locked, 'node_modules/gone': {} }],
  ['only what the demo needs', { 'node_modules/vite': locked['node_modules/vite'] ?? {} }],
])('%s makes it install again', (_, packages) => {
  install(packages);
  expect(run('build', '').printed).toMatch(/^Installing the packages of package-lock.json/);
});

test('a program that is not installed is named', () => {
  install(locked);
  expect(run('build', '')).toEqual({ status: 1, printed: 'tsc is not there. `npm ci` installs what is missing.\n' });
});
