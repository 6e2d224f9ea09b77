import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Bundles the rows of the scoreboard into one file that runs without the test runner. `fault` puts a mistake into the sources of the
 * bundle: `{ file, from, to }`, where `from` must occur in the file exactly once.
 */
export async function bundleRows(outfile, fault) {
  let planted = 0;
  const plant = {
    name: 'plant',
    setup(builder) {
      builder.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        if (fault === undefined || !path.replaceAll('\\', '/').endsWith(`/src/${fault.file}`))
          return { contents: text, loader: 'ts' };
        const parts = text.split(fault.from);
        if (parts.length !== 2) throw new Error(`${fault.file} has ${parts.length - 1} times: ${fault.from}`);
        planted++;
        return { contents: parts.join(fault.to), loader: 'ts' };
      });
    },
  };
  await build({
    absWorkingDir: root,
    entryPoints: ['tests/reliability/run-row.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    alias: { rejoin: './src/index.ts', 'rejoin/outbox': './src/outbox.ts', 'rejoin/persist': './src/persist.ts' },
    logLevel: 'silent',
    plugins: [plant],
  });
  if (fault !== undefined && planted !== 1) throw new Error(`${fault.file} is not part of the bundle.`);
  return outfile;
}
