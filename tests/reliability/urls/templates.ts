import type { Random } from '../../oracle/random.ts';

/** A part of a template. The check never parses a template. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'param' | 'wildcard'; readonly name: string }
  | { readonly kind: 'group'; readonly parts: readonly Part[] };

export const PREFIXES: readonly string[] = [
  '',
  '/api',
  'https://api.example',
  'https://api.example/v1',
  'http://localhost:8080/a/b',
  'http://127.0.0.1:3000',
  'http://[::1]:8080/x',
  'https://xn--bcher-kva.example/%7Euser',
  'https://api.example/v1;rev=2',
];
/** Names that need no quotes, and names that need quotes. */
const NAMES = [
  'id',
  'userId',
  'a1',
  '_x',
  '$y',
  'größe',
  '日本',
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
];
const QUOTED = ['two words', 'a-b', 'a.b', '%', '}', ':', '*', 'a/b', "it's"];
const TEXTS = [
  'posts',
  'v1',
  'a-b',
  'a.b',
  'x~y',
  '...',
  "it's",
  'a@b',
  'a=b',
  'a,b;c',
  '!',
  'ä',
  '😀',
  'a%20b',
  '$',
  '+',
];
/** Characters that a template must escape to contain them. */
const ESCAPED = ['a:b', '(x)', '{x}', '*'];
/** Texts that would lead to a parent folder, or end the path, if they were not checked. */
const DANGEROUS = ['.', '..', '%2e', '%2E.', '.%2e'];

/** Draws a template of an application. Some are wrong. */
export function drawParts(random: Random): readonly Part[] {
  const parts: Part[] = [];
  const used = new Set<string>();
  const segments = 1 + random.below(5);
  for (let at = 0; at < segments; at++) {
    const segment: Part[] = [{ kind: 'text', text: '/' }, ...drawSegment(random, used)];
    if (random.chance(0.15)) parts.push({ kind: 'group', parts: segment });
    else parts.push(...segment);
  }
  if (random.chance(0.1)) parts.push({ kind: 'text', text: '/' });
  return joined(parts);
}

function drawSegment(random: Random, used: Set<string>): Part[] {
  const kind = random.weighted({ text: 4, param: 5, mixed: 2, wildcard: 1, escaped: 1, dangerous: 0.2 });
  switch (kind) {
    case 'text':
      return [{ kind: 'text', text: random.pick(TEXTS) }];
    case 'escaped':
      return [{ kind: 'text', text: random.pick(ESCAPED) }];
    case 'dangerous':
      return [{ kind: 'text', text: random.pick(DANGEROUS) }];
    case 'param':
    case 'wildcard':
      return [{ kind, name: drawName(random, used) }];
    default:
      // A letter before and after a name separates it from the next part.
      return [
        { kind: 'text', text: random.pick(['v', '@', '-', 'a.']) },
        { kind: 'param', name: drawName(random, used) },
        { kind: 'text', text: random.pick(['.json', '-x', ',', '~', '!']) },
      ];
  }
}

function drawName(random: Random, used: Set<string>): string {
  const name = random.chance(0.2) ? random.pick(QUOTED) : random.pick(NAMES);
  if (used.has(name)) return drawName(random, used);
  used.add(name);
  return name;
}

function joined(parts: readonly Part[]): readonly Part[] {
  const all: Part[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (part.kind === 'text' && last?.kind === 'text')
      all[all.length - 1] = { kind: 'text', text: last.text + part.text };
    else all.push(part.kind === 'group' ? { kind: 'group', parts: joined(part.parts) } : part);
  }
  return all;
}

/** Returns the template as an application would write it. */
export function written(parts: readonly Part[]): string {
  return parts
    .map((part) => {
      switch (part.kind) {
        case 'text':
          return part.text.replaceAll(/[\\{}():*]/g, '\\$&');
        case 'group':
          return `{${written(part.parts)}}`;
        default:
          return (part.kind === 'param' ? ':' : '*') + (NAMES.includes(part.name) ? part.name : `"${part.name}"`);
      }
    })
    .join('');
}

/** Returns all parameters of a template. */
export function paramsIn(parts: readonly Part[]): readonly Extract<Part, { readonly name: string }>[] {
  return parts.flatMap((part) => {
    if (part.kind === 'group') return paramsIn(part.parts);
    return part.kind === 'text' ? [] : [part];
  });
}
