const LONGEST = 200;
const LONGEST_READ = 65_536;
const LONGEST_EXTENSION = 20;
/** What Windows takes for devices, whatever the extension. */
const DEVICES: ReadonlySet<string> = new Set(['con', 'prn', 'aux', 'nul', 'conin$', 'conout$', 'clock$']);
/** What stands for something else in the paths of some system. */
const MEANINGFUL = '<>:"|?*';

/** A name that can be given to a file on any system; '' where nothing is left of it. */
export function safeFileName(name: string): string {
  // Nothing that is meant well is longer.
  const shortest = name.length - LONGEST_READ - 1;
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\'), shortest) + 1);
  let text = '';
  for (const char of last) {
    const code = Number(char.codePointAt(0));
    if (!isHidden(code)) text += MEANINGFUL.includes(char) ? '_' : char;
  }
  const trimmed = shortened(withoutEnds(text));
  return isDevice(trimmed) ? `_${trimmed}` : trimmed;
}

/** Control characters, those that change the direction of reading, those without a width, and halves of pairs. */
function isHidden(code: number): boolean {
  return (
    code < 32 ||
    (code >= 0x7f && code <= 0x9f) ||
    code === 0xad ||
    code === 0x061c ||
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x2028 && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x206f) ||
    (code >= 0xd800 && code <= 0xdfff) ||
    code === 0xfeff
  );
}

/** Dots and spaces at the ends are lost on some systems; in front, a dot hides the file on others. */
function withoutEnds(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isDotOrSpace(text.charCodeAt(start))) start++;
  while (end > start && isDotOrSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isDotOrSpace(code: number): boolean {
  return code === 46 || code === 32 || code === 0xa0;
}

/** Cuts the middle, so that the extension stays. */
function shortened(text: string): string {
  if (text.length <= LONGEST) return text;
  const dot = text.lastIndexOf('.');
  const extension = dot > 0 && text.length - dot <= LONGEST_EXTENSION ? text.slice(dot) : '';
  let end = LONGEST - extension.length;
  // Not through the middle of a pair.
  if (isHighSurrogate(text.charCodeAt(end - 1))) end--;
  return withoutEnds(text.slice(0, end)) + extension;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isDevice(name: string): boolean {
  const dot = name.indexOf('.');
  const base = (dot < 0 ? name : name.slice(0, dot)).trim().toLowerCase();
  const isNumbered = base.length === 4 && (base.startsWith('com') || base.startsWith('lpt'));
  return DEVICES.has(base) || (isNumbered && '0123456789¹²³'.includes(base.charAt(3)));
}
