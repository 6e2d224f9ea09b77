const MAX_LENGTH = 200;
const MAX_READ_LENGTH = 65_536;
const MAX_EXTENSION_LENGTH = 20;
/** Names that Windows reserves for devices, with any extension. */
const DEVICES: ReadonlySet<string> = new Set(['con', 'prn', 'aux', 'nul', 'conin$', 'conout$', 'clock$']);
/** Characters with a special meaning in the paths of some operating system. */
const SPECIAL_CHARACTERS = '<>:"|?*';

/** Returns a name that is safe for a file on any operating system. '' if no character is left. */
export function safeFileName(name: string): string {
  // Longer names are cut before they are read, so that no header takes long.
  const shortest = name.length - MAX_READ_LENGTH - 1;
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\'), shortest) + 1);
  let text = '';
  for (const char of last) {
    const code = Number(char.codePointAt(0));
    if (!isHidden(code)) text += SPECIAL_CHARACTERS.includes(char) ? '_' : char;
  }
  const trimmed = shortened(withoutEnds(text));
  return isDevice(trimmed) ? `_${trimmed}` : trimmed;
}

/**
 * Returns true for control characters, characters that change the reading direction, characters without a width, and half surrogate pairs.
 */
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

/** Removes dots and spaces at both ends. Some systems drop them at the end; on others, a leading dot hides the file. */
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

/** Shortens the name before its extension. */
function shortened(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const dot = text.lastIndexOf('.');
  const extension = dot > 0 && text.length - dot <= MAX_EXTENSION_LENGTH ? text.slice(dot) : '';
  let end = MAX_LENGTH - extension.length;
  // Keeps a surrogate pair whole.
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
