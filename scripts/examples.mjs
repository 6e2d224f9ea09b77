// Finds the public names of the package, and for each name the examples in the documents. tests/docs.test.ts compiles and runs all examples.
import { readFileSync, readdirSync } from 'node:fs';
import { root } from './install.mjs';

const pagesIn = (folder) =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.md') && !/^docs\/(?:reference|decisions|\.vitepress)\//.test(file));

/** Returns the names that can be imported from each entry point, with their declarations: `[{ entryPoint: 'rejoin/react', name: 'useSuspense', text }]`. */
export function publicNames() {
  const report = readFileSync(`${root}docs/api-report.txt`, 'utf8');
  return report
    .split(/^# /m)
    .slice(1)
    .filter((part) => !/^\S+: /.test(part))
    .flatMap((part) => {
      const [heading = '', ...names] = part.split(/^## /m);
      const entryPoint = `rejoin${heading.trim().slice(1)}`;
      return names.map((text) => ({ entryPoint, name: text.split('\n', 1)[0] ?? '', text }));
    });
}

/** Returns the public names that the reference leaves out: their comments have the tag `@hidden` of typedoc. */
export function hiddenNames() {
  const sources = readdirSync(`${root}src`, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const tagged = /@hidden \*\/\nexport (?:declare )?(?:type|interface|class|function|const) (\w+)/g;
  const names = sources.flatMap((file) => [...readFileSync(`${root}src/${file}`, 'utf8').matchAll(tagged)]);
  return new Set(names.map(([, name]) => name));
}

/** Sorts guides before pages that explain. */
const place = (page) => ['guide', 'recipes', 'tutorial'].findIndex((folder) => page.startsWith(`docs/${folder}`)) >>> 0;
const mentions = (text, name) => new RegExp(`(?<![\\w$.'])${name.replaceAll('$', '\\$')}(?![\\w$'])`).test(text);
const isType = ({ text }) => /\nexport (?:type|interface) /.test(text);

/** Returns the examples in the documents: `[{ page: 'guide/forms', title, source }]`. */
export function examples() {
  return pagesIn('docs')
    .toSorted((one, other) => place(one) - place(other) || one.localeCompare(other))
    .flatMap((page) => {
      const text = readFileSync(`${root}${page}`, 'utf8');
      const [, title = page] = /^# (.*)$/m.exec(text) ?? [];
      return [...text.matchAll(/^```tsx?(?: browser)?\n(.*?)^```$/gms)].map(([, source = '']) => ({
        page: page.slice('docs/'.length, -'.md'.length),
        title,
        source,
      }));
    })
    .filter(({ source }) => source.includes("from 'rejoin") && !source.startsWith('// peers/'));
}

/** Returns for each public name the examples that use it. A type that no example uses gets the examples of the names that are declared with it. */
export function examplesByName() {
  const names = publicNames();
  const all = examples();
  const own = (name) => all.filter(({ source }) => mentions(source, name));
  const direct = new Map(names.map(({ name }) => [name, own(name)]));
  const users = (wanted) => names.filter(({ name, text }) => name !== wanted && mentions(text, wanted));
  const found = (entry, depth) => {
    const there = direct.get(entry.name) ?? [];
    if (there.length > 0 || !isType(entry) || depth === 0) return there;
    return users(entry.name).flatMap((user) => found(user, depth - 1));
  };
  return new Map(names.map((entry) => [`${entry.entryPoint} ${entry.name}`, [...new Set(found(entry, 2))]]));
}
