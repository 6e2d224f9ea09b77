// Measures what imports add to an application: each set of size.json is bundled from dist/, minified, and compressed with brotli.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { root } from './install.mjs';
import { demand } from './run.mjs';

function compressed(source) {
  const { outputFiles } = buildSync({
    stdin: { contents: source, resolveDir: root },
    // The bundler ignores the paths in tsconfig.json, so 'rejoin' leads to dist/, as package.json says.
    tsconfigRaw: {},
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    external: ['react', 'react-dom'],
    define: { 'process.env.NODE_ENV': '"production"' },
    write: false,
  });
  return brotliCompressSync(outputFiles[0].contents).length;
}

/**
 * Measures every import set. For a set with `on`, measures what it adds to the set of that name. A set of almost no size was removed by the
 * bundler, so it counts as not measured.
 */
export function sizes() {
  const sets = JSON.parse(readFileSync(new URL('size.json', import.meta.url), 'utf8'));
  demand(sets.length, 'import sets');
  return sets.map(({ name, on, source, limit }) => {
    const below = on === undefined ? '' : sets.find((set) => set.name === on).source;
    const added = compressed(`${below};${source}`) - (on === undefined ? 0 : compressed(below));
    return { name: on === undefined ? name : `+ ${name}`, limit, bytes: demand(added, `code in "${name}"`) };
  });
}

/** Returns a sentence for each set that exceeds its limit. */
export function tooBig(measured) {
  return measured
    .filter(({ bytes, limit }) => bytes > limit)
    .map(({ name, bytes, limit }) => `"${name}" is ${bytes} B, its limit is ${limit} B.`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const measured = sizes();
  for (const { name, bytes, limit } of measured)
    console.log(
      `${name.padEnd(44)} ${(bytes / 1000).toFixed(2).padStart(6)} kB   limit ${(limit / 1000).toFixed(1)} kB`,
    );
  for (const sentence of tooBig(measured)) {
    console.error(sentence);
    process.exitCode = 1;
  }
}
