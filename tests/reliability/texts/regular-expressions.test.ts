import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const src = fileURLToPath(new URL('../../../src', import.meta.url));

/**
 * Every regular expression in the sources, with the text that it reads. Text of servers and other users is read by hand-written
 * scanners, whose time is proportional to the length of any text.
 */
const ALLOWED: Readonly<Record<string, string>> = {
  'adapters/ssr/script-json.ts: /[<>&\\u2028\\u2029]/g': 'JSON that was just written; one character at a time',
  'adapters/ssr/state-script.ts: /[&<>"\']/g': 'an attribute that is about to be written; one character at a time',
  'adapters/tabs/unknown-lists.ts: /%(?:25|3B|3D)/g': 'the name of a table; three characters at a time',
  'control/controller/pks-in-text.ts: /^\\w{21}$/': 'twenty-one characters of a text',
  'control/view/inferred.ts: /[^\\w:]/': 'the path of an endpoint; one character at a time',
  'define/schema/own-pk.ts: /^temp:\\w{21}:/': 'the first twenty-seven characters of a text',
  'define/schema/argument-names.ts: /^[_$]?(?:sort|order(?:$|ing|[[.]|[_-]?(?:by|dir|field|column|asc$|desc$)))/i':
    'the name of an argument; no repetition',
  'define/schema/argument-names.ts: /^[_$]?(?:include|includes|fields|expand|embed|select|populate)(?:\\[|$)/i':
    'the name of an argument; no repetition',
  'define/schema/argument-names.ts: /^(?:[_$]?(?:limit|size|take|top|per_?page|page_?size|page_?limit)|page\\[(?:size|limit)\\])$/i':
    'the name of an argument; no repetition',
  'define/schema/argument-names.ts: /^(?:[_$]?(?:page|offset|skip|cursor|page_?number|page_?token|start_?cursor|end_?cursor)|page\\[[a-z]+\\])$/i':
    'the name of an argument; one character at a time',
  'define/schema/argument-names.ts: /^[_$]?(?:p|start|offset|skip|page(?:_?(?:no|num|number|index))?)$|^page\\[(?:number|offset)\\]$/i':
    'the name of an argument; no repetition',
  'define/schema/argument-names.ts: /^[_$]?(?:filters?|where)$/i': 'the name of an argument; no repetition',
  'define/schema/argument-names.ts: /page|number/i': 'the name of an argument; no repetition',
  'define/schema/check-class.ts: /ids?$/i': 'the name of a field of a class; no repetition',
  'define/schema/collection-key.ts: /[,|]/': 'the value of an argument; one character at a time',
  'define/schema/list-table.ts: /[%;=]/g': 'the name of a table; one character at a time',
  'define/schema/list-order.ts: /[^A-Za-z0-9_]/': 'the value of an argument; one character at a time',
  'define/schema/list-related.ts: /id\\]?$/i': 'the name of an argument; no repetition',
  'define/rest/created-record.ts: /^(content-|idempotency-key$|if-)/i': 'the name of a header that was sent',
  'define/rest/error-reasons.ts: /^_[a-z]/': 'the name of a field; two characters',
  'define/rest/error-reasons.ts: /[./[\\]]/': 'the path of a field; one character at a time',
  'define/rest/error-reasons.ts: /^(#|\\$?$)/': 'a step of such a path; no repetition',
  'define/rest/network-error.ts: /^[^<{[].{0,299}$/': 'the body of an error; at most 300 characters',
  'define/rest/outcomes.ts: /\\b[1-5]\\d\\d\\b/': 'a status in words; three characters at a time',
  'define/rest/rest-endpoint.ts: /\\?| \\[/': 'a request key; the first of two short texts',
  'define/rest/path-template.ts: /[\\w$\\u0080-\\uffff]/': 'the path of an endpoint; one character at a time',
  'define/rest/retryable.ts: /[^\\s,]/': 'a header that is about to be sent; one character at a time',
  'define/wire/odata.ts: /^[\\da-f]+$/i': 'a part of a pk; one character at a time',
  'define/wire/odata.ts: /^\\d+$/': 'a pk; one character at a time',
  'state/normalize/trail.ts: /^\\./': 'a path that this file has just put together',
  'std/call-hook.ts: /read[- ]?only|not extensible|delete property/i':
    'an error of the engine; words without anything that repeats',
  'std/data-error.ts: /[\\\\?#"<> \\t\\n\\r]/': 'a message; one character at a time',
  'std/args-key.ts: /["\\\\\\u0000-\\u001f\\ud800-\\udfff]/': 'any text of arguments; one character at a time',
};

interface Found {
  readonly where: string;
  readonly source: string;
}

/** Literals, and calls that make an expression of text: `new RegExp(…)`, and `match`, `matchAll` and `search`, which do so silently. */
function expressionsIn(file: string, text: string): Found[] {
  const found: Found[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push({ where: `${file}: ${node.text}`, source: node.text });
    else if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && isMaker(node.expression, node.arguments ?? []))
      found.push({ where: `${file}: ${node.getText()}`, source: '' });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return found;
}

function isMaker(called: ts.Expression, args: readonly ts.Expression[]): boolean {
  if (ts.isIdentifier(called)) return called.text === 'RegExp';
  const [first] = args;
  const isSilent = ts.isPropertyAccessExpression(called) && ['match', 'matchAll', 'search'].includes(called.name.text);
  return isSilent && first !== undefined && ts.isStringLiteralLike(first);
}

/** Returns whether its time is proportional to the length of the text: it is tried at one place only, or repeats nothing. */
function isLinear(source: string): boolean {
  const body = source.slice(1, source.lastIndexOf('/')).replaceAll(/\\p\{\w+\}|\[(?:\\.|[^\]\\])*\]/g, 'p');
  const repeats = Array.from(body).filter((char) => '*+{'.includes(char)).length;
  return repeats === 0 || (body.startsWith('^') && repeats === 1);
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.tsx?$/.test(file) && !/\.test(-d)?\.tsx?$/.test(file));
const found = files.flatMap((file) => expressionsIn(file, readFileSync(join(src, file), 'utf8')));

test('no regular expression reads text of servers or other users, except the listed ones', () => {
  expect(files.length).toBeGreaterThan(100);
  expect(found.map(({ where }) => where).toSorted()).toEqual(Object.keys(ALLOWED).toSorted());
  expect(found.filter(({ source }) => !isLinear(source))).toEqual([]);
});

test('the search for regular expressions finds every way to create one', () => {
  const sample = `
    const a = /a+b/g; const b = new RegExp('x'); const c = RegExp(text);
    text.match('(a+)+$'); text.search(\`x\`); text.replace('x', ''); list.match(pattern); a / b / c; // /not one/
  `;
  expect(expressionsIn('sample.ts', sample).map(({ where }) => where)).toEqual([
    'sample.ts: /a+b/g',
    "sample.ts: new RegExp('x')",
    'sample.ts: RegExp(text)',
    "sample.ts: text.match('(a+)+$')",
    'sample.ts: text.search(`x`)',
  ]);
  expect(['/^a+$/', '/a.b/', '/^(a+)+$/', '/a*b/'].map(isLinear)).toEqual([true, true, false, false]);
});
