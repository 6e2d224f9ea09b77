// The public API as text: every name that an entry of package.json exports, with its declaration. `npm run api` writes
// it to docs/api-report.txt, and tests/api.test.ts fails while the file differs from the sources.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { root } from './install.mjs';

const REPORT = join(root, 'docs/api-report.txt');
/** Sorts by code units, because the report must not depend on the language of the machine. */
const byText = (one, other) => (one < other ? -1 : Number(one > other));
const printer = ts.createPrinter({ removeComments: true });
const modules = new Map();

/** The declarations of one source file, as an application sees them, with their imports and exports by name. */
function moduleOf(file) {
  const known = modules.get(file);
  if (known) return known;
  const compilerOptions = { stripInternal: true, target: ts.ScriptTarget.ES2022, isolatedDeclarations: true };
  const { outputText } = ts.transpileDeclaration(readFileSync(file, 'utf8'), { fileName: file, compilerOptions });
  const source = ts.createSourceFile(file, outputText, ts.ScriptTarget.ES2022, true);
  const module = { source, declared: new Map(), imported: new Map(), exported: new Map() };
  modules.set(file, module);
  for (const statement of source.statements) enter(module, file, statement);
  return module;
}

function enter(module, file, statement) {
  const from = statement.moduleSpecifier?.text;
  const target = from?.startsWith('.') ? join(dirname(file), from) : undefined;
  if (ts.isImportDeclaration(statement)) {
    const bindings = statement.importClause?.namedBindings;
    if (bindings && target) enterBindings(module.imported, bindings, target);
  } else if (ts.isExportDeclaration(statement)) {
    if (statement.exportClause) enterBindings(module.exported, statement.exportClause, target ?? file);
    else throw new Error(`${relative(root, file)} has an \`export *\`. List the names.`);
  } else {
    const nodes = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement];
    for (const name of nodes.flatMap((node) => node.name?.text ?? [])) {
      module.declared.set(name, [...(module.declared.get(name) ?? []), statement]);
      if (ts.getModifiers(statement)?.some((word) => word.kind === ts.SyntaxKind.ExportKeyword))
        module.exported.set(name, { file, name });
    }
  }
}

function enterBindings(map, bindings, file) {
  if (!bindings.elements) map.set(bindings.name.text, { file, name: '*' });
  for (const { name, propertyName } of bindings.elements ?? [])
    map.set(name.text, { file, name: (propertyName ?? name).text });
}

/** Where `name`, as written in `file`, is declared; undefined for names of the language and of other packages. */
function origin(file, name) {
  const { declared, imported, exported } = moduleOf(file);
  if (name === '*' || declared.has(name)) return { file, name };
  const next = imported.get(name) ?? exported.get(name);
  return next && origin(next.file, next.name);
}

const idOf = ({ file, name }) => `${relative(join(root, 'src'), file)}#${name}`;

/** Prints one declaration and queues the declarations that it mentions. */
function print(place, mentioned) {
  const { source, declared, exported } = moduleOf(place.file);
  if (place.name === '*') {
    for (const name of exported.keys()) mentioned.push(origin(place.file, name));
    return [...exported.keys()]
      .toSorted(byText)
      .map((name) => `  ${name}: ${idOf(origin(place.file, name))}`)
      .join('\n');
  }
  const visit = (node) => {
    const found = ts.isIdentifier(node) ? origin(place.file, node.text) : undefined;
    if (found) mentioned.push(found);
    ts.forEachChild(node, visit);
  };
  const statements = declared.get(place.name);
  statements.forEach(visit);
  return statements.map((node) => printer.printNode(ts.EmitHint.Unspecified, node, source)).join('\n');
}

/** Returns the report of one entry point, e.g. '.' → src/index.ts. */
function reportOf(name, entry) {
  const { exported } = moduleOf(entry);
  const mentioned = [];
  const seen = new Set();
  const lines = [`# ${name}`];
  for (const word of [...exported.keys()].toSorted(byText)) {
    const place = origin(entry, word);
    if (!place) throw new Error(`${relative(root, entry)} exports ${word}, which is declared nowhere.`);
    seen.add(idOf(place));
    lines.push('', `## ${word}`, print(place, mentioned));
  }
  const inner = [];
  for (let place = mentioned.pop(); place; place = mentioned.pop()) {
    if (seen.has(idOf(place))) continue;
    seen.add(idOf(place));
    inner.push(`\n## ${idOf(place)}\n${print(place, mentioned)}`);
  }
  if (inner.length > 0)
    lines.push('', `# ${name}: reached through the names above, not importable`, ...inner.toSorted(byText));
  return `${lines.join('\n')}\n`;
}

/** Returns the whole report of the present sources. */
export function report() {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const entryPoints = Object.entries(exports).filter(([, target]) => typeof target === 'object');
  if (entryPoints.length === 0) throw new Error('package.json exports no entry point.');
  return entryPoints
    .map(([name, { types }]) => reportOf(name, join(root, types.replace('dist', 'src').replace('.d.ts', '.ts'))))
    .join('\n');
}

/** Returns the report that was last written. */
export function written() {
  return readFileSync(REPORT, 'utf8');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (process.argv.includes('--write')) writeFileSync(REPORT, report());
  else process.stdout.write(report());
}
