import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

const src = join(import.meta.dirname, '../src');
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
const sources = files.filter((file) => !/\.test(-d)?\.tsx?$/.test(file));

function twice(names: readonly string[]): string[] {
  return names.filter((name, at) => names.indexOf(name) !== at);
}

describe('one name has one meaning', () => {
  test('in the names of files', () => {
    expect(files.length).toBeGreaterThan(300);
    expect(twice(files.map((file) => basename(file)))).toEqual([]);
  });

  /** The names that a pattern finds. The overloads of one name in a file are one name. */
  const namesBy = (declared: RegExp): string[] =>
    sources.flatMap((file) => {
      const found = readFileSync(join(src, file), 'utf8').matchAll(declared);
      return [...new Set([...found].map(([, name = '']) => name))];
    });

  test('in the names of types', () => {
    const names = namesBy(/^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class) ([A-Z]\w*)/gm);
    expect(names.length).toBeGreaterThan(500);
    expect(twice(names)).toEqual([]);
  });

  test('in the names of exported functions', () => {
    const names = namesBy(/^export (?:async )?(?:function\*?|const) ([a-z]\w*)/gm);
    expect(names.length).toBeGreaterThan(500);
    expect(twice(names)).toEqual([]);
  });
});

/** Words in the names of files that need no row in the glossary, because they have their usual meaning. */
const PLAIN = `
  above act apply argument assert below bind browser build callable chain check compare control core deferred detail development devtools diff earlier elapsed empty environment exact fail
  fake find for guard index infer input later listener log match media memo namespace nested new node open out own pause plain present
  problem progress put queue random react reason reconnect record redirect same selection send shape shorthand sorted splice ssr stable style
  test text thrown timeout timer track wait warn zero
`;

/** Returns a word and its stems: `follow` of `followers`, `leav` of `leaving`, `lens` of `lenses`. */
function forms(word: string): readonly string[] {
  const lower = word.toLowerCase();
  const single = lower.replace(/ies$/, 'y').replace(/s$/, '');
  return [lower, single, lower.replace(/(?:es|ness)$/, ''), single.replace(/(?:ing|er|or|ed|e|al|able)$/, '')];
}

/** The cells in the first column of the glossary, without its head. */
function glossary(): readonly string[] {
  const [, table = ''] = readFileSync(join(src, '../ARCHITECTURE.md'), 'utf8').split('## Words');
  return [...table.matchAll(/^\| ([^|]+) \|/gm)].map(([, words = '']) => words).slice(2);
}

/** The first column of the glossary, and the public names: `RestEndpoint` has the words rest and endpoint. */
function knownWords(): ReadonlySet<string> {
  const rows = glossary();
  const entries = sources.filter((file) => !/[\\/]/.test(file)).map((file) => readFileSync(join(src, file), 'utf8'));
  const exported = entries.flatMap((text) =>
    [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)].map(([, names = '']) => names),
  );
  const words = [...rows, ...exported, PLAIN].flatMap((text) => text.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []);
  return new Set(words.flatMap(forms));
}

describe('each word in the name of a file of src', () => {
  const named = sources.map((file) => basename(file).replace(/\.tsx?$/, ''));
  const isAmong = (words: ReadonlySet<string>, word: string): boolean => forms(word).some((form) => words.has(form));

  test('is in the glossary, in the public API, or plain', () => {
    const known = knownWords();
    expect(known.size).toBeGreaterThan(100);
    expect(named.filter((name) => !name.split('-').every((word) => isAmong(known, word)))).toEqual([]);
  });

  test('has one row in the glossary', () => {
    const words = glossary().flatMap((cell) => cell.split(', '));
    expect(words.length).toBeGreaterThan(100);
    expect(twice(words)).toEqual([]);
  });

  test('is shown by files that exist, unless it is in many', () => {
    const [, table = ''] = readFileSync(join(src, '../ARCHITECTURE.md'), 'utf8').split('## Words');
    const rows = [...table.matchAll(/^\| .+ \| (.+) \|$/gm)].map(([, where = '']) => where).slice(2);
    expect(rows.length).toBeGreaterThan(100);
    // After its first file, a row leaves out the folder of the file before.
    const missing = rows.flatMap((where) => {
      let folder = src;
      return [...where.matchAll(/`([^`]+)`/g)].flatMap(([, path = '']) => {
        const file = path.startsWith('src/') ? join(src, '..', path) : join(path.includes('/') ? src : folder, path);
        folder = dirname(file);
        return existsSync(file) ? [] : [path];
      });
    });
    expect(missing).toEqual([]);
    expect(rows.filter((where) => !where.includes('`'))).toEqual([]);
  });

  test('is the reason for each plain word', () => {
    const used = new Set(named.flatMap((name) => name.split('-').flatMap(forms)));
    expect(
      PLAIN.trim()
        .split(/\s+/)
        .filter((word) => !isAmong(used, word)),
    ).toEqual([]);
  });
});

describe('plain English', () => {
  const root = join(src, '..');
  const documents = ['docs', 'examples/demo', 'skills', '.']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: folder !== '.', encoding: 'utf8' }).map((file) =>
        join(folder, file),
      ),
    )
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.md') && !/node_modules|CHANGELOG|docs\/reference|\.vitepress/.test(file));

  /** Words that leave open which person or thing they mean, and metaphors for stored answers and optimistic layers. */
  const vague =
    /\b(?:[Ww]hoever|[Ww]hom|[Nn]obody|[Ss]omebody|[Aa]nybody|[Ee]verybody|[Tt]hose who|[Ww]hat there is|[Aa]new|told of|tells of|says nothing|in the place of|of (?:its|their) own accord|pile|zoo|hear[sd]? (?:of|that)|(?:answers?|polls?|reads?|responses?|that) (?:have |has )?land(?:s|ed)?|now and then|if anything is)\b/;

  const isSentence = (line: string): boolean => /^\s*(?:\/\/|\/?\*)|\b(?:it|test|describe)\b.*\(/.test(line);
  const tests = ['src', 'tests', 'examples', 'bench', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
      .filter(
        (file) => /\.(?:tsx?|mjs)$/.test(file) && !/node_modules|\/(?:build|dist|\.next)\/|words\.test/.test(file),
      ),
  );

  test.each([
    ['the sources', sources.map((file) => `src/${file}`), () => true],
    ['the documents', documents, () => true],
    ['comments and the names of tests', tests, isSentence],
  ])('has no vague words in %s', (_what, all, isRead) => {
    expect(all.length).toBeGreaterThan(50);
    const lines = all.flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .filter(isRead)
        .map((line) => `${file} ${line.trim()}`),
    );
    expect(lines.filter((line) => vague.test(line))).toEqual([]);
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
    'src/define/query/compare.test.ts': 'its users have a pk and nothing else',
    'src/state/denormalize/query-cell.test.ts': 'its owners are users of its own, with an index',
    'src/state/query/live-query.test.ts': 'its posts have the fields that queries ask for',
    'src/state/query/records-cell.test.ts': 'its users have a pk and nothing else',
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
    expect(model.size).toBe(5);
    expect(copies).toEqual(Object.keys(again));
  });
});
