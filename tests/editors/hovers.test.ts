import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

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

it('what hooks and fetches give is shown by its name', () => {
  const shown = hovers(`${MODEL}
    const list| = useSuspense(Todos.getList);
    const todo| = useSuspense(Todos.get, { id: '1' });
    const cached| = useCache(Todos.getList);
    const { data|, error } = useDLE(Todos.get, { id: '1' });
    const count| = useQuery(new Query(Todos.getList.schema, (todos|) => todos.length));
    const page| = useSuspense(getPage);
    const created| = await useController().fetch(Todos.getList.push, { title: '' });
  `);
  expect(shown).toEqual([
    'const list: List<Todo>',
    'const todo: Todo',
    'const cached: List<Todo> | undefined',
    'const data: Todo | undefined',
    'const count: number | undefined',
    '(parameter) todos: List<Todo>',
    'const page: {\n    readonly results: List<Todo>;\n    readonly next: string;\n}',
    'const created: Todo',
  ]);
});

it('members of a resource are shown by what they are made of, and not by all options of it', () => {
  const shown = hovers(`${MODEL}
    Todos.getList|;
    Todos.getList.push|;
    Todos.get|;
    Todos.partialUpdate|;
    Todos.delete|;
  `).map((text) => text.slice(text.indexOf(': Rest') + 2));
  expect(shown).toEqual([
    'RestInstance<OfList<"/todos/:id", typeof Todo, Readonly<Record<string, string | number | boolean | undefined>> | undefined, undefined, {}>>',
    expect.stringMatching(
      /^RestInstanceBase<AddGenerics<OfList<"\/todos\/:id", typeof Todo, [^{]*undefined, \{\}>, "push">>$/,
    ),
    'RestInstance<OfRecord<"GET", "/todos/:id", typeof Todo, {}>>',
    'RestInstance<OfPart<"/todos/:id", typeof Todo, {}>>',
    'RestInstance<OfDelete<"/todos/:id", typeof Todo>>',
  ]);
});

it('an endpoint with other options is shown with all of them, and without how they came together', () => {
  const [shown] = hovers(`${MODEL}
    const found| = Todos.get.extend({ searchParams: {} as { q: string } });
  `);
  expect(shown).toMatch(
    /^const found: RestInstance<\{\n {4}readonly path: "\/todos\/:id";\n {4}readonly schema: typeof Todo;/,
  );
  expect(shown).not.toMatch(/Omit|Pick|Flat/);
});
