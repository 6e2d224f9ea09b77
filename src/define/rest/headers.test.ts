import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fileNameOf, parseContentDisposition, readFile } from './content-disposition.ts';
import { safeFileName } from './file-name.ts';
import { decodeExtended, MAX_HEADER_LENGTH } from './header-reader.ts';
import { cursorIn, linkTo, parseLinkHeader, withLink } from './link-header.ts';

describe('a Content-Disposition header', () => {
  test('has a type and parameters', () => {
    const { type, parameters } = parseContentDisposition('Attachment; FileName="a.txt"; size=5; x; =y; size=6');
    expect(type).toBe('attachment');
    expect([...parameters]).toEqual([
      ['filename', 'a.txt'],
      ['size', '5'],
      ['x', ''],
    ]);
    expect(parseContentDisposition(null)).toEqual({ type: '', parameters: new Map() });
    const spaced = parseContentDisposition(" inline ; size= 5 ; name=\"utf-8'en'x\"; filename*=UTF-8''b.txt");
    expect(spaced.type).toBe('inline');
    expect([...spaced.parameters]).toEqual([
      ['size', '5'],
      ['name', "utf-8'en'x"],
      ['filename', 'b.txt'],
    ]);
  });

  test.each([
    ['attachment; filename="report.pdf"', 'report.pdf'],
    ['attachment; filename=report.pdf', 'report.pdf'],
    ['attachment;filename=my report.pdf ; size=1', 'my report.pdf'],
    ['attachment; filename="a;b, c.txt"', 'a;b, c.txt'],
    ['attachment; filename="a\\"b\\\\c.txt"', 'c.txt'],
    ['attachment; filename="say \\"hi\\".txt"', 'say _hi_.txt'],
    ['attachment; filename="a.txt"junk; size=1', 'a.txt'],
    ['attachment; filename="unclosed.txt', 'unclosed.txt'],
    ['attachment; filename="ends with a backslash\\', 'ends with a backslash'],
    ['attachment; \t FILENAME \t=\t"a.txt"', 'a.txt'],
    ["attachment; filename=fallback.txt; filename*=UTF-8''na%C3%AFve%20file.txt", 'naïve file.txt'],
    ["attachment; filename*=utf-8'en'%e2%82%ac%20rates.csv; filename=x", '€ rates.csv'],
    ["attachment; filename*=ISO-8859-1''caf%E9.txt", 'café.txt'],
    ["attachment; filename=ok.txt; filename*=UTF-8''%ZZ", 'ok.txt'],
    ["attachment; filename=ok.txt; filename*=UTF-8''%C", 'ok.txt'],
    ["attachment; filename=ok.txt; filename*=shift_jis''x", 'ok.txt'],
    ['attachment; filename=ok.txt; filename*=nothing', 'ok.txt'],
    ["attachment; filename=ok.txt; filename*=UTF-8'x", 'ok.txt'],
    ["attachment; filename=ok.txt; filename*=UTF-8''ü", 'ok.txt'],
    ["attachment; filename*=UTF-8''it's%20mine.txt", "it's mine.txt"],
    ['attachment; filename="na\u00c3\u00afve.txt"', 'naïve.txt'],
    ['attachment; filename="caf\u00e9.txt"', 'café.txt'],
    ['attachment; filename="日本.txt"', '日本.txt'],
    ['attachment; filename="ł.txt"', 'ł.txt'],
    ['filename=no type.txt', 'no type.txt'],
    ['filename="no type.txt"', 'no type.txt'],
    ["filename*=UTF-8''no%20type.txt", 'no type.txt'],
    ['attachment', 'download'],
    ['inline; size=5', 'download'],
    ['', 'download'],
    [null, 'download'],
    [undefined, 'download'],
    ['attachment; filename=""', 'download'],
    ['attachment; filename=".."', 'download'],
    ['attachment; filename="../../etc/passwd"', 'passwd'],
    ['attachment; filename="C:\\\\Windows\\\\evil.exe"', 'evil.exe'],
    ["attachment; filename*=UTF-8''..%2f..%2fetc%2fpasswd", 'passwd'],
    ["attachment; filename*=UTF-8''a%00b%0d%0a.txt", 'ab.txt'],
    ["attachment; filename*=UTF-8''photo%E2%80%AEgpj.exe", 'photogpj.exe'],
  ])('%s names %s', (header, name) => {
    expect(fileNameOf(header)).toBe(name);
  });

  test('without a file name takes the fallback', () => {
    expect(fileNameOf(null, 'invoice.pdf')).toBe('invoice.pdf');
  });

  test('is not read if it is longer than real headers are', () => {
    const long = `attachment; filename=a.txt; x=${'y'.repeat(MAX_HEADER_LENGTH)}`;
    expect(fileNameOf(long)).toBe('download');
    expect(parseContentDisposition(long)).toEqual({ type: '', parameters: new Map() });
  });

  test('names the file that readFile() returns', async () => {
    const response = new Response('body', { headers: { 'Content-Disposition': 'attachment; filename="a.txt"' } });
    const { blob, filename } = await readFile(response);
    expect(filename).toBe('a.txt');
    expect(await blob.text()).toBe('body');
  });
});

describe('the name of a file', () => {
  test.each([
    ['a.txt', 'a.txt'],
    ['a<b>:c"|d?*.txt', 'a_b__c__d__.txt'],
    ['.htaccess', 'htaccess'],
    ['...', ''],
    [' . a . ', 'a'],
    ['dir/', ''],
    ['CON', '_CON'],
    ['con.txt', '_con.txt'],
    ['nul .txt', '_nul .txt'],
    ['COM1.log', '_COM1.log'],
    ['lpt¹', '_lpt¹'],
    ['COMX.log', 'COMX.log'],
    ['comet', 'comet'],
    ['a\u00adb\u061c\u200b\u2028\u2066\ufeff\u007f.txt', 'ab.txt'],
    ['a\ud800b', 'ab'],
    ['😀.png', '😀.png'],
    [`${'a'.repeat(300)}.tar.gz`, `${'a'.repeat(197)}.gz`],
    ['a'.repeat(300), 'a'.repeat(200)],
    [`${'a'.repeat(300)}.${'b'.repeat(30)}`, 'a'.repeat(200)],
    [`.${'a'.repeat(300)}`, 'a'.repeat(200)],
    [`${'a'.repeat(195)}😀${'b'.repeat(20)}.txt`, `${'a'.repeat(195)}.txt`],
    [`${'a'.repeat(199)}. ${'b'.repeat(50)}`, 'a'.repeat(199)],
  ])('%j is %j', (name, safe) => {
    expect(safeFileName(name)).toBe(safe);
  });

  test('is never a path, hidden, a device or too long, whatever the header has', () => {
    const text = fc.string({ unit: 'binary', maxLength: 260 });
    const odd = fc.array(fc.constantFrom('..', '/', '\\', 'con', '.', '\u202e', ' ', 'a', '%', '"', "'"), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          odd.map((parts) => parts.join('')),
        ),
        (name) => {
          const safe = safeFileName(name);
          expect(safe.length).toBeLessThanOrEqual(201);
          expect(safe).not.toMatch(/[/\\<>:"|?*\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]|^[. ]|[. ]$/u);
          expect(safeFileName(safe)).toBe(safe);
        },
      ),
      { numRuns: 3000 },
    );
  });
});

describe('a Link header', () => {
  test('has links with their relation types', () => {
    const header = '<https://api.example/posts?page=2&x=1>; rel="next", <https://api.example/posts?page=9>; rel=last';
    const links = parseLinkHeader(header);
    expect(links.map(({ url, rels }) => [url, rels])).toEqual([
      ['https://api.example/posts?page=2&x=1', ['next']],
      ['https://api.example/posts?page=9', ['last']],
    ]);
    expect(linkTo(header, 'last')).toBe('https://api.example/posts?page=9');
    expect(linkTo(header, 'prev')).toBe(undefined);
    expect(linkTo(null, 'next')).toBe(undefined);
  });

  test.each([
    ['<a,b;c>; rel="x,y;z"; title="q\\"r"', [['a,b;c', ['x,y;z'], 'q"r']]],
    ['<a>; rel="next  Last"', [['a', ['next', 'last'], undefined]]],
    ["<a>; rel=next; title=plain; title*=UTF-8''%E2%82%AC", [['a', ['next'], '€']]],
    ['<a>; rel=next; title=plain; title*=broken', [['a', ['next'], 'plain']]],
    ['<a>', [['a', [], undefined]]],
    [
      '<a>;rel=next;,<b>;;rel=prev',
      [
        ['a', ['next'], undefined],
        ['b', ['prev'], undefined],
      ],
    ],
    [
      '  , ,<a>; rel=next junk, oops; rel=next, <b>; rel=prev',
      [
        ['a', ['next', 'junk'], undefined],
        ['b', ['prev'], undefined],
      ],
    ],
    ['< a >; rel=next', [['a', ['next'], undefined]]],
    ['<a; rel=next', []],
    ['', []],
  ])('%s', (header, expected) => {
    expect(parseLinkHeader(header).map(({ url, rels, params }) => [url, rels, params.get('title')])).toEqual(expected);
  });

  test('has the cursor of the next page', () => {
    const header = '</posts?cursor=a%2Fb&limit=5#top>; rel=next, </posts>; rel=prev';
    expect(cursorIn(header, 'cursor')).toBe('a/b');
    expect(cursorIn(header, 'limit')).toBe('5');
    expect(cursorIn(header, 'page')).toBe(undefined);
    expect(cursorIn(header, 'cursor', 'prev')).toBe(undefined);
    expect(cursorIn(null, 'cursor')).toBe(undefined);
    expect(cursorIn('<?cursor=1>; rel=next', 'cursor')).toBe('1');
  });

  test('has no cursor in a path or in a fragment', () => {
    for (const url of [
      'cursor=1',
      '/posts/cursor=1',
      '/posts#cursor=1',
      '/posts#?cursor=1',
      '/posts?a=1#cursor=1',
      '#',
      '',
    ])
      expect(cursorIn(`<${url}>; rel=next`, 'cursor')).toBe(undefined);
    expect(cursorIn('</posts/a>; rel=next', 'a')).toBe(undefined);
    expect(cursorIn('</posts?a=b?c&cursor=1?2#x>; rel=next', 'cursor')).toBe('1?2');
  });

  test('is returned with a list, or with any body that has one', () => {
    const linked = new Response(null, { headers: { Link: '<a>; rel=next' } });
    expect(withLink(linked, { x: 1 })).toEqual({ link: '<a>; rel=next', results: { x: 1 } });
    expect(withLink(new Response(null), [1])).toEqual({ link: null, results: [1] });
    expect(withLink(new Response(null), { x: 1 })).toEqual({ x: 1 });
  });
});

describe('no header', () => {
  test('makes its parser throw or makes it slow', () => {
    const hostile = [
      '<',
      '>',
      ';',
      ',',
      '"',
      '\\',
      '=',
      '*',
      "'",
      '%',
      ' ',
      '\t',
      'rel',
      'filename*=',
      'UTF-8',
      'ü',
      '\u0000',
    ];
    const header = fc
      .array(fc.oneof(fc.constantFrom(...hostile), fc.string()), { maxLength: 30 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(header, (text) => {
        for (const { url } of parseLinkHeader(text)) expect(text).toContain(url);
        expect(typeof fileNameOf(text)).toBe('string');
        decodeExtended(text);
      }),
      { numRuns: 3000 },
    );
    for (const part of hostile) {
      const text = part.repeat(Math.floor(MAX_HEADER_LENGTH / part.length));
      const from = process.cpuUsage();
      parseLinkHeader(text);
      parseLinkHeader(`<a>;${text}`);
      fileNameOf(text);
      fileNameOf(`a;filename*=UTF-8''${text}`.slice(0, MAX_HEADER_LENGTH));
      expect(process.cpuUsage(from).user).toBeLessThan(1_000_000);
    }
  });
});
