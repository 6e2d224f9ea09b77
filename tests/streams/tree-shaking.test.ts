import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const rejoin = fileURLToPath(new URL('../../src/index.ts', import.meta.url));

/** Returns the files of managers, and the packages, in the bundle of an application that imports these names of `rejoin`. */
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

test('a bundle with a controller alone contains no managers', async () => {
  expect(await comesWith('Controller')).toEqual([]);
});

test('a bundle with the default managers contains polling and the network, and no other managers', async () => {
  expect(await comesWith('Controller, getDefaultManagers')).toEqual(DEFAULTS);
});

test('a bundle with a WebSocket stream does not contain the parser of events', async () => {
  const files = await comesWith('StreamManager, webSocket');
  expect(files).toContain('web-socket');
  expect(files.filter((file) => /event|devtools|refetch|missing|batching/.test(file))).toEqual([]);
});

test('a bundle with server-sent events contains the parser of events', async () => {
  expect(await comesWith('serverSentEvents')).toContain('eventsource-parser/dist/index.js');
});
