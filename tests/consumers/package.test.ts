import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { filesBelow } from './project.ts';

const packed = inject('packed');
const folder = join(packed, 'node_modules/rejoin');
const files = filesBelow(folder);
const read = (file: string): string => readFileSync(join(folder, file), 'utf8');

interface Manifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly publishConfig: { readonly access: string; readonly provenance: boolean };
}
const manifest = JSON.parse(read('package.json')) as Manifest;

/** Every kind of file that may be in the package, and its purpose. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/^package\.json$/, 'npm'],
  [/^(README|CHANGELOG)\.md$/, 'what it is, and what is new'],
  [/^LICENSE$/, 'the terms'],
  [/^docs\/errors\.md$/, 'every error message names it'],
  [/^skills\/rejoin\/SKILL\.md$/, 'how to use it, for coding agents'],
  [/^dist\/[\w/-]+\.js$/, 'the modules'],
  [/^dist\/[\w/-]+\.d\.ts$/, 'their types'],
  [/^dist\/[\w/-]+\.(js|d\.ts)\.map$/, 'source maps, by which debuggers and editors find the sources'],
  [/^src\/[\w/-]+\.tsx?$/, 'the sources'],
];

describe('the package, as npm would publish it', () => {
  test('has only files of the listed kinds, and some of each kind', () => {
    expect(files.filter((file) => !reasons.some(([kind]) => kind.test(file)))).toEqual([]);
    expect(reasons.filter(([kind]) => !files.some((file) => kind.test(file)))).toEqual([]);
  });

  test('has no test and no helper for tests of its own', () => {
    expect(files.filter((file) => /\.test(-d)?\.|__|fixtures?\//.test(file))).toEqual([]);
  });

  test('has a module, its types and both maps for each source, and none without a source', () => {
    const sources = files.filter((file) => file.startsWith('src/')).map((file) => file.replace(/\.tsx?$/, ''));
    expect(sources.length).toBeGreaterThan(100);
    const built = sources.map((source) => source.replace('src/', 'dist/'));
    const ends = ['.d.ts', '.d.ts.map', '.js', '.js.map'];
    const expected = built.flatMap((module) => ends.map((end) => `${module}${end}`));
    expect(files.filter((file) => file.startsWith('dist/'))).toEqual(expected.toSorted());
  });

  test('has source maps that the files name, and that lead to sources in the package', () => {
    for (const file of files.filter((name) => name.endsWith('.map'))) {
      const { sources, sourceRoot = '' } = JSON.parse(read(file)) as { sources: string[]; sourceRoot?: string };
      const shipped = sources.map((source) => posix.join(dirname(file), sourceRoot, source));
      expect(shipped.map((source) => (files.includes(source) ? source : `${file} leads to ${source}`))).toEqual(
        shipped,
      );
      expect(shipped).toHaveLength(1);
      expect(read(file.slice(0, -'.map'.length))).toContain(`//# sourceMappingURL=${posix.basename(file)}`);
    }
  });

  test('has every file that its exports name', () => {
    const named = Object.values(manifest.exports).flatMap((target) =>
      typeof target === 'string' ? [target] : [target.types, target.default],
    );
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((file) => !existsSync(join(folder, file)))).toEqual([]);
  });

  test('contains no path of the machine on which it was built', () => {
    const places = [process.cwd(), packed, process.env['HOME'] ?? packed];
    expect(files.filter((file) => places.some((place) => read(file).includes(`${place}/`)))).toEqual([]);
  });

  test('has a skill of at most 200 lines, with a name and a description', () => {
    const skill = read('skills/rejoin/SKILL.md');
    expect(skill).toMatch(/^---\nname: rejoin\ndescription: \S.{40,1000}\n---\n\n# /);
    expect(skill.split('\n').length - 1).toBeLessThanOrEqual(200);
  });

  test('is public, and says where it was built', () => {
    expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true });
  });

  test('is at most 1.85 megabytes to download', () => {
    expect(statSync(join(packed, `rejoin-${manifest.version}.tgz`)).size).toBeLessThan(1_850_000);
  });
});
