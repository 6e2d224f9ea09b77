import { fileNameOf } from '../../../src/index.ts';

/** Names that are valid on every system. In every legal encoding, they must be read unchanged. */
const NAMES: readonly string[] = [
  'report.pdf',
  'my report.pdf',
  'a;b.txt',
  'a,b.txt',
  'a=b.txt',
  "it's mine.txt",
  '100%.txt',
  '%41.txt',
  'a+b.txt',
  'a&b#c.txt',
  '(1) copy.txt',
  '[x]{y}.txt',
  'naïve.txt',
  'Übergröße.tar.gz',
  '日本語.txt',
  'файл.docx',
  'ملف.pdf',
  '😀.png',
  '👩‍🚀.png'.replace('\u200d', ''),
  'e\u0301.txt',
  'no extension',
  'a.b.c.d',
  'x'.repeat(200),
  'UTF-8.txt',
  'filename.txt',
  'filename*.txt'.replace('*', ''),
  '-rf.txt',
  '~home.txt',
  '$(id).txt',
  '`id`.txt',
];
/** Characters that mean a folder or another name, or that are invisible. */
const HOSTILE: readonly string[] = [
  '..',
  '.',
  '...',
  '../x.txt',
  '../../../../etc/passwd',
  '..\\..\\Windows\\win.ini',
  '/etc/passwd',
  'C:\\Windows\\evil.exe',
  'C:evil.exe',
  '\\\\server\\share\\x',
  'a/b/c.txt',
  'a/',
  '.htaccess',
  '.ssh/authorized_keys',
  'con',
  'CON.txt',
  'aux.tar.gz',
  'NUL',
  'com1',
  'LPT9.log',
  'com¹.txt',
  'conin$',
  'x\u0000.txt',
  'x.txt\u0000.exe',
  'a\r\nSet-Cookie: x=1.txt',
  'a\nb.txt',
  '\u001b[2J.txt',
  'photo\u202egpj.exe',
  '\u2066x\u2069.txt',
  'a\u200bb.txt',
  '\ufeffx.txt',
  'soft\u00adhyphen.txt',
  'x.txt.',
  'x.txt ',
  ' x.txt',
  'x.txt....   ',
  '<script>.html',
  'a"b.txt',
  'a\\"b.txt',
  'a|b.txt',
  'a?b*.txt',
  'x:stream.txt',
  'x.txt::$DATA',
  'a'.repeat(5000),
  `${'a'.repeat(5000)}.pdf`,
  `a.${'b'.repeat(5000)}`,
  '.'.repeat(5000),
  '/'.repeat(5000),
  '\ud800.txt',
  'a\udc00b.txt',
  `${'😀'.repeat(150)}.png`,
  '%2e%2e%2fx',
  '%00.txt',
  "UTF-8''x.txt",
  '=?utf-8?B?Li4v?=',
];

interface FileNamesOutcome {
  readonly checked: number;
  readonly wrong: readonly string[];
}

/** Encodes each name in every way that a header allows, and checks the parsed name. */
export function checkFileNames(): FileNamesOutcome {
  const wrong: string[] = [];
  let checked = 0;
  for (const name of NAMES) {
    for (const header of encodingsOf(name)) {
      checked++;
      const read = fileNameOf(header);
      if (read !== name) wrong.push(`${header} is read as ${read}`);
    }
  }
  for (const name of HOSTILE) {
    for (const header of [...encodingsOf(name), `attachment; filename=${name}`, name]) {
      checked++;
      const fault = faultOf(fileNameOf(header));
      if (fault !== undefined) wrong.push(`${JSON.stringify(header)} gives a name that ${fault}`);
    }
  }
  return { checked, wrong };
}

function encodingsOf(name: string): string[] {
  const quoted = `"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  const ways = [`attachment; filename=${quoted}`, `inline;FILENAME = ${quoted} ; size=5`];
  const extended = extendedOf(name);
  if (extended === undefined) return ways;
  ways.push(`attachment; filename*=UTF-8''${extended}`, `attachment; filename*=utf-8'en'${extended}; filename="x.txt"`);
  // The name as a server without encodings writes it: each byte is read as a character.
  const bytes = new TextEncoder().encode(quoted);
  ways.push(`attachment; filename=${Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')}`);
  return ways;
}

function extendedOf(name: string): string | undefined {
  try {
    return encodeURIComponent(name).replaceAll("'", '%27');
  } catch {
    return undefined;
  }
}

function faultOf(name: string): string | undefined {
  if (name === '') return 'is empty';
  if (name.length > 201) return 'is too long';
  if (/[/\\<>:"|?*]/.test(name)) return 'means something to a file system';
  if (/\p{Cc}|\p{Cf}|\p{Cs}|[\u2028\u2029]/u.test(name)) return 'has a character that is not shown';
  if (/^[. ]|[. ]$/.test(name)) return 'begins or ends with a dot or a space';
  if (/^(con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|$)/i.test(name)) return 'is a device';
  return undefined;
}
