import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';

const src = join(import.meta.dirname, '../src');
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
const sources = files.filter((file) => !/\.test(-d)?\.tsx?$/.test(file));

/** Names that may stand twice, each with its reason. */
const TWICE: ReadonlySet<string> = new Set([
  // The public name takes either a function or options; editors show the one of the options.
  'RestInstance',
]);

function twice(names: readonly string[]): string[] {
  return names.filter((name, at) => names.indexOf(name) !== at && !TWICE.has(name));
}

describe('one name stands for one thing', () => {
  test('in the names of files', () => {
    expect(files.length).toBeGreaterThan(300);
    expect(twice(files.map((file) => basename(file)))).toEqual([]);
  });

  test('in the names of types', () => {
    const declared = /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class) ([A-Z]\w*)/gm;
    const inFile = (file: string): string[] => [
      // The overloads of one type are one type.
      ...new Set([...readFileSync(join(src, file), 'utf8').matchAll(declared)].map(([, name = '']) => name)),
    ];
    const names = sources.flatMap(inFile);
    expect(names.length).toBeGreaterThan(500);
    expect(twice(names)).toEqual([]);
  });
});

/** `class Post extends Entity { … }` at the outermost level of a file, as [name, its lines]. */
function entitiesIn(file: string): readonly (readonly [string, readonly string[]])[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^(?:export )?class (\w+) extends Entity \{\n([\s\S]*?)\n\}/gm)].map(
    ([, name = '', body = '']) => [name, body.split('\n')],
  );
}

describe('the model that tests share', () => {
  /** Files that declare a class of the model again, each with its reason. */
  const again: Readonly<Record<string, string>> = {
    'src/control/controller/controller.test.ts':
      'its records refer to nothing, so that a guess can be all that a reader sees',
    'src/control/controller/reading.test.ts':
      'its records refer to nothing, so that an answer without relations is whole',
    'src/state/denormalize/query-cell.test.ts': 'its owners are users of its own, with an index',
    'tests/editors/hovers.test.ts': 'it is the text of a file that an editor shows',
    'tests/moved/types.test-d.ts': 'its classes come from the package that the applications import',
    'tests/react/harness.tsx': 'its posts have no author, as pages show posts alone',
  };
  const root = join(import.meta.dirname, '..');
  const model = new Map(entitiesIn(join(root, 'tests/model.ts')));

  test('is declared once', () => {
    const tests = ['src', 'tests'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.tsx?$/.test(file) && !file.includes('node_modules'))
        .map((file) => `${folder}/${file.replaceAll('\\', '/')}`),
    );
    const copies = tests.filter(
      (file) =>
        file !== 'tests/model.ts' &&
        entitiesIn(join(root, file)).some(([name, lines]) => lines.every((line) => model.get(name)?.includes(line))),
    );
    expect(model.size).toBe(4);
    expect(copies).toEqual(Object.keys(again));
  });
});
