import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const rejoin = fileURLToPath(new URL('../../src/index.ts', import.meta.url));

/** The files of managers, and the packages, that come with the names of `rejoin` that an application imports. */
async function comesWith(names: string): Promise<string[]> {
  const { metafile } = await build({
    stdin: { contents: `export { ${names} } from 'rejoin'`, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    alias: { rejoin },
    bundle: true,
    format: 'esm',
    metafile: true,
    write: false,
  });
  const [output] = Object.values(metafile.outputs);
  return Object.entries(output?.inputs ?? {})
    .filter(([file, { bytesInOutput }]) => bytesInOutput > 0 && /manager\/|batching|node_modules/.test(file))
    .map(([file]) => file.replace(/.*(manager|endpoint|node_modules)\//, '').replace('.ts', ''))
    .toSorted();
}

const DEFAULTS = ['default-managers', 'polling-subscription', 'presence', 'subscription-manager'];

test('a controller alone comes without managers', async () => {
  expect(await comesWith('Controller')).toEqual([]);
});

test('the default managers bring polling, besides the network of every controller, and no others', async () => {
  expect(await comesWith('Controller, getDefaultManagers')).toEqual(DEFAULTS);
});

test('a stream over WebSockets comes without the parser of events', async () => {
  const files = await comesWith('StreamManager, webSocket');
  expect(files).toContain('web-socket');
  expect(files.filter((file) => /event|devtools|refetch|missing|batching/.test(file))).toEqual([]);
});

test('the parser comes with server-sent events', async () => {
  expect(await comesWith('serverSentEvents')).toContain('eventsource-parser/dist/index.js');
});
