import { join } from 'node:path';
import ts from 'typescript';
import { beforeAll, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const file = join(root, 'src/shown-in-an-editor.ts');

/** What an editor shows of the name before each mark of a program. Nothing of the program may be wrong. */
function hovers(program: string): string[] {
  const text = program.replaceAll('|', '');
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: unknown;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const service = ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) => {
      const found = path === file ? text : ts.sys.readFile(path);
      return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found);
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => ({ ...options, noEmit: true }),
    getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
    fileExists: (path) => path === file || ts.sys.fileExists(path),
    readFile: (path) => ts.sys.readFile(path),
  });
  expect(service.getSemanticDiagnostics(file).map(({ messageText }) => messageText)).toEqual([]);
  const marks = [...program.matchAll(/\|/g)].map(({ index }, at) => index - at - 1);
  return marks.map((at) => ts.displayPartsToString(service.getQuickInfoAtPosition(file, at)?.displayParts));
}

const MODEL = `
import { Collection, Entity, Query, resource, RestEndpoint } from './index.ts';
import { useCache, useController, useDLE, useQuery, useSuspense } from './react.ts';
class Todo extends Entity {
  id = '';
  title = '';
}
const Todos = resource({ path: '/todos/:id', schema: Todo });
const getPage = new RestEndpoint({ path: '/todos', schema: { results: new Collection([Todo]), next: '' } });
`;

// All in one program: the compiler takes seconds to begin.
let shown: Readonly<Record<string, string>>;
beforeAll(() => {
  const program = `${MODEL}
    const list| = useSuspense(Todos.getList);
    const todo| = useSuspense(Todos.get, { id: '1' });
    const cached| = useCache(Todos.getList);
    const { data| } = useDLE(Todos.get, { id: '1' });
    const count| = useQuery(new Query(Todos.getList.schema, (todos|) => todos.length));
    const page| = useSuspense(getPage);
    const created| = await useController().fetch(Todos.getList.push, { title: '' });
    const found| = Todos.get.extend({ searchParams: {} as { q: string } });
    Todos.getList|;
    Todos.getList.push|;
    Todos.get|;
    Todos.partialUpdate|;
    Todos.delete|;
  `;
  const names = Array.from(program.matchAll(/(\w+)\|/g), ([, name = '']) => name);
  const texts = hovers(program);
  shown = Object.fromEntries(names.map((name, at) => [name, texts[at] ?? '']));
}, 120_000);

it('what hooks and fetches give is shown by its name', () => {
  expect(shown).toMatchObject({
    list: 'const list: List<Todo>',
    todo: 'const todo: Todo',
    cached: 'const cached: List<Todo> | undefined',
    data: 'const data: Todo | undefined',
    count: 'const count: number | undefined',
    todos: '(parameter) todos: List<Todo>',
    page: 'const page: {\n    readonly results: List<Todo>;\n    readonly next: string;\n}',
    created: 'const created: Todo',
  });
});

it.each([
  [
    'getList',
    'RestInstance<OfList<"/todos/:id", typeof Todo, Readonly<Record<string, string | number | boolean | undefined>> | undefined, undefined, {}>>',
  ],
  ['get', 'RestInstance<OfRecord<"GET", "/todos/:id", typeof Todo, {}>>'],
  ['partialUpdate', 'RestInstance<OfPart<"/todos/:id", typeof Todo, {}>>'],
  ['delete', 'RestInstance<OfDelete<"/todos/:id", typeof Todo>>'],
])('%s of a resource is shown by what it is made of, and not by all options', (name, type) => {
  expect(shown[name]?.slice(shown[name].indexOf(': Rest') + 2)).toBe(type);
});

it('push of a list is shown by the list', () => {
  expect(shown['push']).toMatch(
    /: RestInstanceBase<AddGenerics<OfList<"\/todos\/:id", typeof Todo, [^{]*undefined, \{\}>, "push">>$/,
  );
});

it('an endpoint with other options is shown with all of them, and without how they came together', () => {
  expect(shown['found']).toMatch(
    /^const found: RestInstance<\{\n {4}readonly path: "\/todos\/:id";\n {4}readonly schema: typeof Todo;/,
  );
  expect(shown['found']).not.toMatch(/Omit|Pick|Flat/);
});
