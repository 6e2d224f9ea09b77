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
