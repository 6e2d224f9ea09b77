import { join } from 'node:path';
import ts from 'typescript';
import { beforeAll, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const file = join(root, 'src/shown-in-an-editor.ts');
const wrongFile = join(root, 'src/wrong-in-an-editor.ts');

/** The text that an editor shows for the name before each mark of a program, and its errors in another one. The first program must compile. */
function shownBy(program: string, wrong: string): { readonly hovers: string[]; readonly errors: string[] } {
  const texts = new Map([
    [file, program.replaceAll('|', '')],
    [wrongFile, wrong],
  ]);
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: unknown;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const service = ts.createLanguageService({
    getScriptFileNames: () => [...texts.keys()],
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) => {
      const found = texts.get(path) ?? ts.sys.readFile(path);
      return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found);
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => ({ ...options, noEmit: true }),
    getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
    fileExists: (path) => texts.has(path) || ts.sys.fileExists(path),
    readFile: (path) => ts.sys.readFile(path),
  });
  expect(service.getSemanticDiagnostics(file).map(({ messageText }) => messageText)).toEqual([]);
  const marks = [...program.matchAll(/\|/g)].map(({ index }, at) => index - at - 1);
  return {
    hovers: marks.map((at) => ts.displayPartsToString(service.getQuickInfoAtPosition(file, at)?.displayParts)),
    errors: service
      .getSemanticDiagnostics(wrongFile)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
  };
}

const MODEL = `
import { arg, collect, Collection, count as counted, Entity, from, hasMany, on, Query, resource, RestEndpoint } from './index.ts';
import { useCache, useController, useDLE, useQuery, useSuspense } from './react.ts';
class Todo extends Entity {
  id = '';
  title = '';
  userId = '';
}
class User extends Entity {
  id = '';
  name = '';
  static todos = hasMany(Todo, 'userId');
}
const Todos = resource({ path: '/todos/:id', schema: Todo });
const getPage = new RestEndpoint({ path: '/todos', schema: { results: new Collection([Todo]), next: '' } });
`;

// All names are in one program, because the compiler takes seconds to start.
let shown: Readonly<Record<string, string>>;
let errors: readonly string[];
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
    const made| = Todos.get.extend({
      getOptimisticResponse: (_snap, { id }) => ({ id }),
      process: (value): { own: true } => value,
    });
    const owned| = useQuery(User.todos, 'u');
    const named| = useQuery(from(Todo).where({ title: arg('title') }), { title: '' });
    const pairs| = useQuery(from(Todo).join('user', User, on('userId', 'id')));
    const owners| = useQuery(from(User).with({ todos: User.todos.limit(3), number: User.todos.count() }));
    const groups| = useQuery(from(Todo).groupBy('userId', { number: counted(), titles: collect((todo) => todo.title) }));
    Todos.extend('vote', { path: '/todos/:id/vote', method: 'POST' }).vote|;
    Todos.getList|;
    Todos.getList.push|;
    Todos.get|;
    Todos.partialUpdate|;
    Todos.delete|;
  `;
  const names = Array.from(program.matchAll(/(\w+)\|/g), ([, name = '']) => name);
  const wrong = `${MODEL}
    from(Todo).orderBy('titel');
    from(Todo).join('user', User, on('user', 'id'));
    from(Todo).join('user', User, on('userId', 'uid'));
    hasMany(Todo, 'user');
    from(Todo).join('user', User, on(() => true, 'id'));
  `;
  const { hovers: texts, errors: messages } = shownBy(program, wrong);
  errors = messages;
  shown = Object.fromEntries(names.map((name, at) => [name, texts[at] ?? '']));
});

it('results of hooks and fetches are shown by the name of their class', () => {
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

it('results of relations, queries with arguments and joins are shown by the name of their class', () => {
  expect(shown).toMatchObject({
    owned: 'const owned: List<Todo> | undefined',
    named: 'const named: List<Todo> | undefined',
    pairs: 'const pairs: List<Todo & {\n    readonly user: User;\n}> | undefined',
  });
});

it('records with relations, and groups, are shown with their fields', () => {
  expect(shown).toMatchObject({
    owners:
      'const owners: List<User & {\n    readonly todos: List<Todo>;\n    readonly number: number;\n}> | undefined',
    groups:
      'const groups: List<{\n    readonly userId: string;\n    readonly number: number;\n    readonly titles: readonly string[];\n}> | undefined',
  });
});

it.each([
  ['getList', 'RestEndpointInstance<OfList<"/todos/:id", typeof Todo, AnySearch | undefined, undefined, {}>>'],
  [
    'push',
    'RestInstanceBase<AddGenerics<OfList<"/todos/:id", typeof Todo, AnySearch | undefined, undefined, {}>, "push">>',
  ],
  ['get', 'RestEndpointInstance<OfRecord<"GET", "/todos/:id", typeof Todo, {}>>'],
  ['partialUpdate', 'RestEndpointInstance<OfPart<"/todos/:id", typeof Todo, {}>>'],
  ['delete', 'RestEndpointInstance<OfDelete<"/todos/:id", typeof Todo>>'],
])('%s of a resource is shown by its own options, and not by all options of the resource', (name, type) => {
  expect(shown[name]).toBe(`(property) ${name}: ${type}`);
});

it('an extended endpoint is shown with all its options, and without the types that combine them', () => {
  const [path, schema] = ['readonly path: "/todos/:id";', 'readonly schema: typeof Todo;'];
  const process = 'readonly process: (...args: Loose) => {\n        own: true;\n    };';
  const search = 'readonly searchParams: {\n        q: string;\n    };';
  expect(shown['found']).toBe(
    `const found: RestEndpointInstance<{\n    ${[schema, path, search].join('\n    ')}\n    readonly method: "GET";\n}>`,
  );
  expect(shown['made']).toBe(
    `const made: RestEndpointInstance<{\n    ${[schema, path, process].join('\n    ')}\n    readonly method: "GET";\n}>`,
  );
  expect(shown['vote']).toBe(
    '(property) vote: RestEndpointInstance<{\n    readonly schema: typeof Todo;\n    readonly path: "/todos/:id/vote";\n    readonly method: "POST";\n}>',
  );
});

it('the error about a wrong field names the field and the fields that there are', () => {
  const expected = [
    ['titel', 'id', 'title', 'userId'],
    ['user', 'id', 'title', 'userId'],
    ['uid', 'id', 'name'],
    ['user', 'id', 'title', 'userId'],
  ];
  for (const [at, [wrong, ...fields]] of expected.entries()) {
    expect(errors[at]).toContain(`'"${wrong}"' is not assignable to`);
    for (const field of fields) expect(errors[at]).toContain(`"${field}"`);
  }
  expect(errors[4]).toContain('Their values are never equal: they are of different kinds.');
  expect(errors).toHaveLength(5);
});
