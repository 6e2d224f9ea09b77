import { createElement as h, type ReactNode } from 'react';
import { Endpoint, Entity } from '../../src/index.ts';
import { DataProvider, useSuspense } from '../../src/react.ts';
import { fromScriptJson, ServerSession } from '../../src/ssr.ts';
import { piped } from './render.ts';

class Note extends Entity {
  id = '';
  text = '';
  static override key = 'Note';
}

const getNote = new Endpoint(async ({ id }: { id: string }) => ({ id, text: id, nested: { [id]: [id] } }), {
  name: 'note',
  schema: Note,
});
const getPlain = new Endpoint(async ({ id }: { id: string }) => ({ [id]: id }), { name: 'plain' });

const tags = ['script', 'SCRIPT', 'ScRiPt', 'style', 'textarea', 'title', 'template', 'svg', 'math', 'iframe'];
const inner = ['alert(1)', '<img src=x onerror=alert(1)>', '', '//'];

/** Texts that end their element, or begin another one, unless they are escaped. */
export const breakouts: readonly string[] = [
  ...tags.flatMap((tag) => inner.map((code) => `</${tag}><${tag}>${code}`)),
  ...tags.flatMap((tag) => [`</${tag}`, `</${tag} `, `</${tag}/`, `<${tag}`, `</${tag}\n>`, `</${tag}\t>`]),
  ...['<!--', '-->', '<!--<script>', '--!>', '<![CDATA[', ']]>', '<?xml', '<!doctype html>', '</html>', '</body>'],
  ...[
    '\u2028',
    '\u2029',
    '\u2028</script>',
    '"</script>',
    "'</script>",
    '\\</script>',
    '\\u003c/script>',
    '&lt;/script&gt;',
  ],
  ...[
    '&',
    '&amp;',
    '&#60;',
    '&#x3c;script&#x3e;',
    '<',
    '>',
    '<>',
    '</',
    '<\u0000/script>',
    '\u0000',
    '\u0000a',
    '\u0000u',
  ],
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    '${alert(1)}',
    '`</script>`',
    '{{alert(1)}}',
    'javascript:alert(1)',
  ],
  ...['\ud800', '\udfff</script>', '\ufeff</script>', '</script>'.repeat(50), '<script>'.repeat(50), ' </script> '],
  ...[
    'data:text/html,<script>',
    'onload=alert(1)',
    '" onload="alert(1)',
    "' nonce='x",
    '"><script src=//x>',
    '></script>',
  ],
  ...Array.from('</script>', (_, at) => `${'</script>'.slice(0, at)}</script>`),
  ...['\r\n</script>', '\t</script>', '</script\f>', '</script\v>', '</scr\u0000ipt>', '<\u0131script>', '＜/script＞'],
  ...Array.from(
    { length: 40 },
    (_, at) => `${String.fromCharCode(at)}</script>${String.fromCharCode(0x2000 + at)}<!--`,
  ),
];

function Shown({ id }: { readonly id: string }): ReactNode {
  const note = useSuspense(getNote, { id });
  useSuspense(getPlain, { id });
  return h('b', { title: note.text }, note.text);
}

/** Returns what is wrong with a page that has a text as pk, field, name of a field, argument and plain response. */
export async function breakoutFaults(text: string): Promise<string[]> {
  const session = new ServerSession({ nonce: text, id: text });
  const { controller, rendering } = session;
  const html = (await piped(session, h(DataProvider, { controller, rendering }, h(Shown, { id: text })))).join('');
  const faults: string[] = [];
  const scripts = [...html.matchAll(/<script type="application\/json"([^>]*)>(.*?)<\/script>/gs)];
  if (scripts.length !== 1) faults.push(`has ${scripts.length} states`);
  const [[whole, attributes, json] = ['', '', '']] = scripts;
  if (/[<>&\u2028\u2029]/.test(json ?? '')) faults.push('is raw in the state');
  if ((attributes?.match(/"/g) ?? []).length !== 6) faults.push('is raw in an attribute');
  const state = JSON.stringify(fromScriptJson(json ?? ''));
  if (!state.includes(JSON.stringify(text)) && !state.includes(JSON.stringify(text).slice(1, -1)))
    faults.push('does not come back');
  const rest = html.replace(whole ?? '', '').replaceAll(/<b title="[^"<>]*">[^<>]*<\/b>/g, '');
  if (/<(?!\/?(?:script|main)\b)|<script(?!>requestAnimationFrame)/.test(rest))
    faults.push(`is raw in the page: ${rest}`);
  return faults.map((fault) => `${JSON.stringify(text)} ${fault}`);
}
