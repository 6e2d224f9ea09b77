import { readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

interface Rule {
  readonly folder: string;
  /** Folders that it may import, then packages as `npm:name`. */
  readonly may: readonly string[];
  /** The row describes a folder that is still to come. */
  readonly planned: boolean;
}

/** The layer table: `| folder | what it is | may import |`, a planned folder in parentheses. */
const rules: readonly Rule[] = [
  ...read('ARCHITECTURE.md').matchAll(/^\| (\()?`([\w/]+)`\)? \|[^|]+\| ([^|]*)\|$/gm),
].map(([, planned, folder = '', may = '']) => ({
  folder,
  may: [...may.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word),
  planned: planned !== undefined,
}));
const names = new Set(rules.map(({ folder }) => folder));

const isSource = (file: string): boolean => /\.tsx?$/.test(file) && !/\.test(-d)?\.tsx?$/.test(file);
const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => isSource(file) && file.includes('/'));

/** state/store/layer-rows.ts → state/store; std/plain.ts → std. */
function folderOf(file: string): string {
  const [layer = '', folder = ''] = file.split('/');
  return names.has(layer) ? layer : `${layer}/${folder}`;
}

function importsOf(file: string): readonly string[] {
  const found = read(`src/${file}`).matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)['"]([^'"]+)['"]/g);
  return [...found].map(([, from = '']) =>
    from.startsWith('.') ? folderOf(posix.join(posix.dirname(file), from)) : `npm:${from}`,
  );
}

describe('the layer table of ARCHITECTURE.md', () => {
  test('is there, and so are the sources', () => {
    expect(rules.length).toBeGreaterThan(8);
    expect(files.length).toBeGreaterThan(30);
    expect(files.flatMap(importsOf).length).toBeGreaterThan(files.length);
  });

  test('has a row for every folder of src', () => {
    expect(files.filter((file) => !names.has(folderOf(file)))).toEqual([]);
  });

  test('marks exactly the folders without a file as planned', () => {
    const empty = rules.filter(({ folder }) => !files.some((file) => folderOf(file) === folder));
    expect(rules.filter(({ planned }) => planned)).toEqual(empty);
  });

  test('names only folders that have a row', () => {
    const mentioned = rules.flatMap(({ may }) => may).filter((word) => !word.startsWith('npm:'));
    expect(mentioned.filter((word) => !names.has(word))).toEqual([]);
  });

  test('has no circle', () => {
    const open = new Map(rules.map(({ folder, may }) => [folder, may.filter((word) => names.has(word))]));
    for (let closed = true; closed;) {
      closed = false;
      for (const [folder, may] of open) if (may.every((word) => !open.has(word))) closed = open.delete(folder);
    }
    expect([...open.keys()]).toEqual([]);
  });

  test.each(rules)('lets $folder import only what its row lists', ({ folder, may }) => {
    const own = files.filter((file) => folderOf(file) === folder);
    const faults = own.flatMap((file) =>
      importsOf(file)
        .filter((target) => target !== folder && !may.includes(target))
        .map((target) => `src/${file} imports ${target}`),
    );
    expect(faults).toEqual([]);
  });

  test.each(['adapters', 'control', 'define', 'state'])(
    'and the picture agree about the arrows inside of %s',
    (layer) => {
      const [, line = ''] = new RegExp(`^ ${layer} +(.+)$`, 'm').exec(read('ARCHITECTURE.md')) ?? [];
      const leadsTo = reachable(arrowsIn(line.replaceAll(/\(.*\)/g, '')));
      const inLayer = rules.filter(({ folder }) => folder.startsWith(`${layer}/`));
      const imported = inLayer.flatMap(({ folder, may }) =>
        may.filter((word) => word.startsWith(`${layer}/`)).map((word) => [folder, word].map((name) => basename(name))),
      );
      expect(imported.length).toBeGreaterThan(2);
      expect(imported.filter(([from = '', to = '']) => !leadsTo(from, to))).toEqual([]);
    },
  );

  test('lets no adapter import another, but those that bring React or a disk to other places', () => {
    const adapters = rules.filter(({ folder }) => folder.startsWith('adapters/'));
    const arrows = adapters.flatMap(({ folder, may }) =>
      may.filter((word) => word.startsWith('adapters/')).map((word) => `${folder} -> ${word}`),
    );
    expect(arrows).toEqual([
      'adapters/ssr -> adapters/react',
      'adapters/outbox -> adapters/persist',
      'adapters/testing -> adapters/react',
    ]);
  });
});

type Arrow = readonly [from: string, to: string];

/** Returns the arrows of one line of the picture, such as `a ─► { b, c ◄─ d } ─► e`. An arrow at a group leads from or to all of its names. */
function arrowsIn(line: string): readonly Arrow[] {
  const inGroups = [...line.matchAll(/\{([^}]*)\}/g)].flatMap(([, group = '']) => group.split(',').flatMap(arrowsIn));
  const namesOfGroup = (group: string): string => (group.match(/\w+/g) ?? []).join(' ');
  // Two spaces separate parts of a line without an arrow between them.
  const parts = line
    .trim()
    .replaceAll(/\{[^}]*\}/g, namesOfGroup)
    .split(/ {2,}/);
  const between = parts.flatMap((part) => {
    const [first = '', ...others] = part.split(/(─►|◄─)/);
    let left = first.match(/\w+/g) ?? [];
    return others.flatMap((arrow, at): readonly Arrow[] => {
      if (at % 2 === 1) return [];
      const right = others[at + 1]?.match(/\w+/g) ?? [];
      const [from, to] = arrow === '─►' ? [left, right] : [right, left];
      left = right;
      return from.flatMap((one) => to.map((other): Arrow => [one, other]));
    });
  });
  return [...inGroups, ...between];
}

/** Returns a function that tests whether arrows lead from one name to another. */
function reachable(arrows: readonly Arrow[]): (from: string, to: string) => boolean {
  const leadsTo = (from: string, to: string): boolean =>
    arrows.some(([start, end]) => start === from && (end === to || leadsTo(end, to)));
  return leadsTo;
}

describe('tests/README.md', () => {
  const [folderTable = ''] = read('tests/README.md').split('\n## ');
  const rows = [...folderTable.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([\w-]+)`/g)].map(([, name]) => name),
  );
  const folders = readdirSync(join(root, 'tests'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

  test('has a row for every folder of tests, and no other', () => {
    expect(new Set(rows)).toEqual(new Set(folders));
  });

  test('is right that no test of src needs React, a server or a browser', () => {
    const outside =
      /from '(react|react-dom|rejoin|msw|ws|express|json-server|playwright|vite|@testing-library|node:https?)\b/;
    const tests = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => /\.test(-d)?\.tsx?$/.test(file));
    expect(tests.filter((file) => outside.test(read(`src/${file}`)))).toEqual([]);
  });
});

describe('`Loose`, which is any,', () => {
  /** The files that use it, besides those in which types are inferred, each with its reason. */
  const used: Readonly<Record<string, string>> = {
    'control/manager/web-socket.ts':
      'the global class and those of packages give their listeners events of different types',
    'control/testing/fixture.ts': 'a fixture is of any endpoint, and functions of applications answer for it',
    'define/endpoint/batching.ts':
      'the function for many is of the application, with arguments and an answer of its own',
    'define/endpoint/options.ts': 'functions of applications, whose parameters they leave without a type',
    'define/rest/caching.ts': 'a function of the application, which gives its record a type of its own',
    'define/rest/wire-shape.ts': 'each shape reads answers of its own type',
    'define/schema/collection-members.ts': 'functions of applications merge lists, or maps, with types of their own',
    'define/schema/collection-options.ts':
      'the defaults of its parameters: options for lists of any record, in a record of any class',
    'define/schema/collection.ts': 'the defaults of its parameters: any collection is assignable to Collection',
    'define/schema/entity.ts': 'static members that applications override, and whose values they use without a cast',
    'define/schema/list-rules.ts': 'the defaults of its parameters: rules of any item',
    'define/schema/namespace.ts': 'the same defaults as those of the classes that it names',
    'define/schema/query.ts': 'the function of a Query may have any arguments behind the value',
    'define/schema/scalar.ts': 'the defaults of its parameters, and a value that the class of the record has',
    'state/query/belongs-to.ts': 'the parameter of a function without an annotation, in a class that has no type yet',
  };
  const uses = files.filter(
    (file) => /\bLoose\b/.test(read(`src/${file}`)) && !posix.basename(file).startsWith('infer-'),
  );

  test('is used only where a type cannot be known', () => {
    expect(uses.toSorted()).toEqual(Object.keys(used));
  });
});
