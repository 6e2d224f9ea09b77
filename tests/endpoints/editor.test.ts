import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { beforeAll, describe, expect, test } from 'vitest';

const folder = fileURLToPath(new URL('.', import.meta.url));
const file = `${folder}in-the-editor.ts`;
/** A program while it is typed. A name between stars marks a place in it, and is not part of the program. */
const typed = `
import { Controller, Entity, from, resource } from '../../src/index.ts';
class User extends Entity { id = ''; name = ''; }
class Todo extends Entity {
  id = 0; title = ''; author = User.fromJS();
  static override schema = { author: User };
}
const todos = resource({ path: '/groups/:group/todos/:id', schema: Todo, searchParams: {} as { page?: number } | undefined });
const controller = new Controller();
const /*todo*/todo = await controller.fetch(todos.get, { group: 'a', id: 1 });
const /*list*/list = await controller.fetch(todos.getList, { group: 'a', page: 2 });
todos./*member*/get;
todo./*field*/title;
todo.author./*nested*/name;
todos.get({ /*param*/ });
todos.getList.push({ group: 'a' }, { /*body*/ });
from(Todo).where({ /*condition*/titel: 'a' });
controller.set(todo, { /*change*/titel: 'a' });
`;

let service: ts.LanguageService;
let text: string;
const places = new Map<string, number>();
beforeAll(() => {
  text = typed;
  for (let found = /\/\*(\w+)\*\//.exec(text); found !== null; found = /\/\*(\w+)\*\//.exec(text)) {
    places.set(String(found[1]), found.index);
    text = text.slice(0, found.index) + text.slice(found.index + found[0].length);
  }
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(`${folder}../../tsconfig.json`, (path) => ts.sys.readFile(path)).config,
    ts.sys,
    `${folder}../..`,
  );
  service = ts.createLanguageService({
    useCaseSensitiveFileNames: () => true,
    directoryExists: (name) => ts.sys.directoryExists(name),
    getCompilationSettings: () => ({ ...options, types: [], paths: {} }),
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const content = name === file ? text : ts.sys.readFile(name);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: (all) => ts.getDefaultLibFilePath(all),
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: (name) => (name === file ? text : ts.sys.readFile(name)),
  });
});

const at = (place: string): number => places.get(place) ?? -1;
const hover = (place: string): string => {
  const info = service.getQuickInfoAtPosition(file, at(place));
  return ts.displayPartsToString(info?.displayParts);
};
const offered = (place: string): string[] =>
  (service.getCompletionsAtPosition(file, at(place), {})?.entries ?? []).map(({ name }) => name);

const lineOf = (place: number): number => text.slice(0, place).split('\n').length;
/** The text of the errors in the line of a place. */
const errors = (place: string): string =>
  service
    .getSemanticDiagnostics(file)
    .filter(({ start = 0 }) => lineOf(start) === lineOf(at(place)))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
    .join('\n');

describe('an editor', () => {
  test('shows the result of a fetch with the names in the code', () => {
    expect(hover('todo')).toBe('const todo: Todo');
    expect(hover('list')).toBe('const list: List<Todo>');
  });

  test('offers the members of a resource, and those of a record and of the record inside it', () => {
    expect(offered('member')).toEqual(
      expect.arrayContaining(['get', 'getList', 'create', 'update', 'partialUpdate', 'delete', 'extend']),
    );
    expect(offered('field')).toEqual(expect.arrayContaining(['id', 'title', 'author']));
    expect(offered('nested')).toEqual(expect.arrayContaining(['id', 'name']));
  });

  test('offers the parameters of the path, and the fields of the body', () => {
    expect(offered('param')).toEqual(expect.arrayContaining(['group', 'id']));
    expect(offered('body')).toEqual(expect.arrayContaining(['title']));
  });

  test('shows the parameters of an endpoint at its call, and not a long list of types', () => {
    const shown = hover('member');
    expect(shown).toContain('get: ');
    expect(shown.length).toBeLessThan(400);
    const call = service.getSignatureHelpItems(file, at('param'), {});
    const signature = call?.items.map(({ parameters }) =>
      parameters.map(({ displayParts }) => ts.displayPartsToString(displayParts)),
    );
    expect(JSON.stringify(signature)).toContain('group: string | number');
    expect(JSON.stringify(signature)).toContain('id: string | number');
  });

  test('shows a message with the unknown field for a wrong condition, and for a wrong change of a record', () => {
    expect(errors('condition')).toContain("'titel' does not exist in type 'FieldConditions<Todo>'");
    expect(errors('condition')).toContain("Did you mean to write 'title'?");
    expect(errors('change')).toMatch(/'titel' does not exist in type '\{ id\?: number; title\?: string;/);
  });

  test('shows a short message for a wrong call', () => {
    expect(errors('param')).toContain('missing the following properties');
    expect(errors('param')).toContain('group, id');
    expect(errors('param').length).toBeLessThan(400);
    expect(errors('body')).toBe('');
  });
});
