import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type RestServer, startRestServer } from '../../tests/endpoints/rest-server.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tsc = join(root, 'node_modules/@typescript/native/bin/tsc');
const run = promisify(execFile);

let server: RestServer;
let folder: string;
beforeAll(async () => {
  server = await startRestServer();
  folder = mkdtempSync(join(tmpdir(), 'rejoin-script-'));
  cpSync(join(inject('packed'), 'node_modules'), join(folder, 'node_modules'), { recursive: true });
  cpSync(join(root, 'examples/node-script/script.mjs'), join(folder, 'script.mjs'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server.close();
});

test('the script fetches, joins, watches and changes records with the published package alone', async () => {
  const { stdout, stderr } = await run(process.execPath, ['script.mjs', server.url], { cwd: folder });
  const [fetched, guessed, ...rest] = stdout.split(/(?<=\]\n)(?=\[)/);
  expect(stderr).toBe('');
  expect(fetched).toContain("[ 'Write', 'Ann', false ],");
  expect(fetched).toContain("[ 'Rest', 'Bob', false ]");
  // The guess equals the answer of the server, so the list changes once.
  expect(guessed).toContain("[ 'Write', 'Ann', true ],");
  expect(rest).toEqual([]);
  expect(server.asked().toSorted()).toEqual(['GET /todos', 'GET /users', 'PATCH /todos/1']);
});

test('the script compiles with the published types', async () => {
  const compilerOptions = {
    ...{ allowJs: true, checkJs: true, strict: true, noEmit: true },
    ...{ module: 'nodenext', target: 'es2022', lib: ['es2023', 'dom'], types: ['node'] },
    ...{ exactOptionalPropertyTypes: true, typeRoots: [join(root, 'node_modules/@types')] },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['script.mjs'] }));
  const compiled = await run(process.execPath, [tsc, '-p', folder], { cwd: folder });
  expect(compiled.stdout).toBe('');
  // The compiler really checks the script: a member that does not exist is an error.
  const script = readFileSync(join(folder, 'script.mjs'), 'utf8');
  writeFileSync(join(folder, 'wrong.mjs'), script.replace('user.name', 'user.nam'));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['wrong.mjs'] }));
  await expect(run(process.execPath, [tsc, '-p', folder, '--skipLibCheck'])).rejects.toMatchObject({
    stdout: expect.stringContaining("Property 'nam' does not exist on type 'User'"),
  });
});

test('the script has at most 22 lines of code', () => {
  const lines = readFileSync(join(root, 'examples/node-script/script.mjs'), 'utf8').split('\n');
  expect(lines.filter((line) => line.trim() !== '' && !line.startsWith('//')).length).toBeLessThanOrEqual(22);
});
