import { expect, test } from 'vitest';
import { highlight, linesOf } from './highlight.ts';

const kindsOf = (source: string): string[] =>
  highlight(source)
    .filter(({ kind }) => kind !== '')
    .map(({ kind, text }) => `${kind} ${text}`);

test('the highlighted source has all characters of the original', () => {
  const source = `// a note\nexport const text = 'a "b"' + \`\${1}\`;\n/* more */ class A {}\n`;
  expect(
    highlight(source)
      .map(({ text }) => text)
      .join(''),
  ).toBe(source);
});

test('keywords, strings, comments, types and numbers are distinguished', () => {
  expect(kindsOf("const a = new Post('x', 4_000); // Post")).toEqual([
    'k const',
    'k new',
    't Post',
    "s 'x'",
    'n 4_000',
    'c // Post',
  ]);
});

test('text in a string or a comment has no other kind', () => {
  expect(kindsOf("'// no comment'")).toEqual(["s '// no comment'"]);
  expect(kindsOf('/* const "a" */')).toEqual(['c /* const "a" */']);
});

test('a name that only begins like a keyword is a name', () => {
  expect(kindsOf('constant, newest, $new')).toEqual([]);
});

test('each line has its indentation, and an empty line is a line', () => {
  const lines = linesOf(highlight('class A {\n\n    id = 1;\n}'));
  expect(lines.map(({ indent }) => indent)).toEqual([0, 0, 4, 0]);
  expect(lines.map(({ tokens }) => tokens.map(({ text }) => text).join(''))).toEqual([
    'class A {',
    '',
    '    id = 1;',
    '}',
  ]);
});

test('a comment over several lines is a comment on each line', () => {
  const lines = linesOf(highlight('/* a\n b */'));
  expect(lines.map(({ tokens }) => tokens[0]?.kind)).toEqual(['c', 'c']);
});
