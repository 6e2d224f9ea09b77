/**
 * Measures the first read of live queries, each in a process of its own: node bench/first-reads.mjs [--size 1000000]
 * With fields, a query reads rows and builds the records that it shows. With functions, it builds every record.
 */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { scratch } from './harness/scratch.mjs';

const options = { size: { type: 'string', default: '1000000' }, bundle: { type: 'string' }, name: { type: 'string' } };
const { values } = parseArgs({ options });

const queries = {
  'top 20 of 1 %, fields': (todos) => todos.where({ owner: 7 }).orderBy('votes', 'desc').limit(20),
  'top 20 of 1 %, functions': (todos) =>
    todos
      .where(({ owner }) => owner === 7)
      .orderBy(({ votes }) => votes, 'desc')
      .limit(20),
  'count of 1 %, fields': (todos) => todos.where({ owner: 7 }).count(),
  'count of 1 %, functions': (todos) => todos.where(({ owner }) => owner === 7).count(),
  'top 20, fields': (todos) => todos.orderBy('votes', 'desc').limit(20),
  'top 20, functions': (todos) => todos.orderBy(({ votes }) => votes, 'desc').limit(20),
};

async function heap() {
  // What the write has left over is free after a turn.
  await new Promise((resolve) => void setTimeout(resolve, 100));
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

/** Returns the processor time of the first read in seconds, and the bytes that it left on the heap for each row. */
async function measure({ Entity, Store, from }, name, size) {
  class Todo extends Entity {
    id = '';
    votes = 0;
    owner = 0;
    static key = 'Todo';
  }
  const store = new Store();
  store.write(
    [Todo],
    Array.from({ length: size }, (_, at) => ({ id: `t${at}`, votes: (at * 7919) % size, owner: at % 100 })),
  );
  const query = queries[name](from(Todo));
  const before = await heap();
  const start = process.cpuUsage();
  const view = store.query(query, []);
  const stop = view.subscribe(() => {});
  const shown = store.get(query);
  const { user, system } = process.cpuUsage(start);
  const bytes = ((await heap()) - before) / size;
  stop();
  const found = Array.isArray(shown) ? shown[0].votes : shown;
  return { seconds: (user + system) / 1e6, bytes, found };
}

if (values.name !== undefined) {
  console.log(JSON.stringify(await measure(await import(values.bundle), values.name, Number(values.size))));
} else {
  const bundle = scratch('rejoin.mjs');
  const entryPoints = [new URL('../src/index.ts', import.meta.url).pathname];
  const define = { 'process.env.NODE_ENV': '"production"' };
  await build({ entryPoints, outfile: bundle, bundle: true, minify: true, format: 'esm', platform: 'node', define });
  for (const name of Object.keys(queries)) {
    const args = ['--expose-gc', '--max-old-space-size=8192', import.meta.filename];
    const given = ['--size', values.size, '--bundle', bundle, '--name', name];
    const { seconds, bytes, found } = JSON.parse(
      execFileSync(process.execPath, [...args, ...given], { encoding: 'utf8' }),
    );
    console.log(`${name}: ${seconds.toFixed(2)} s, ${bytes.toFixed(0)} bytes for each row; found ${found}`);
  }
  rmSync(scratch('.'), { recursive: true });
}
