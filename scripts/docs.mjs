// `npm run docs` builds the documents as a site into docs/.vitepress/dist, with a reference from the types and their comments, and serves
// the site. `npm run docs -- --build` only builds it.
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { examplesByName, hiddenNames } from './examples.mjs';
import { root } from './install.mjs';
import { demand, run } from './run.mjs';

const REFERENCE = `${root}docs/reference`;
/** The largest number of pages that the page of a name lists. */
const MAX_LINKS = 6;
const SITE = `${root}docs/.vitepress/dist`;

const listEntryPoints = () =>
  Object.keys(JSON.parse(readFileSync(`${root}package.json`, 'utf8')).exports)
    .filter((name) => name !== './package.json')
    .map((name) => (name === '.' ? 'index' : name.slice(2)));

/** Writes a page for each public name into docs/reference, in a folder for each entry of the package. */
function reference() {
  rmSync(REFERENCE, { recursive: true, force: true });
  run('typedoc', ['--options', 'docs/typedoc.json']);
  const entryPoints = listEntryPoints();
  const found = readdirSync(REFERENCE, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const forgotten = entryPoints.filter((entryPoint) => !found.some(({ name }) => name === entryPoint));
  if (forgotten.length > 0) throw new Error(`docs/typedoc.json has no entry point for ${forgotten.join(', ')}.`);
  // typedoc names the main entry after its file. Users know it by the name of the package.
  renameSync(`${REFERENCE}/index`, `${REFERENCE}/rejoin`);
  for (const file of markdownIn(REFERENCE)) {
    const text = readFileSync(file, 'utf8');
    const renamed = text.replaceAll(/\]\(((?:\.\.\/)*)index\//g, ']($1rejoin/').replace('[index]', '[rejoin]');
    // `Loose` is the name of `any` in the sources.
    writeFileSync(file, renamed.replaceAll(/\bLoose\b/g, 'any'));
  }
  for (const entryPoint of entryPoints) {
    const file = `${REFERENCE}/${entryPoint === 'index' ? 'rejoin' : entryPoint}/index.md`;
    const heading = entryPoint === 'index' ? '# rejoin' : `# rejoin/${entryPoint}`;
    const text = readFileSync(file, 'utf8').replace(/^# .*$/m, heading);
    writeFileSync(file, `---\npageClass: names\n---\n\n${text}`);
  }
  addExamples();
  return demand(markdownIn(REFERENCE).length, 'pages');
}

/** Adds to the page of each name an example and the pages with further examples. Throws if a name has no page. */
function addExamples() {
  const files = markdownIn(REFERENCE);
  const hidden = hiddenNames();
  for (const [entry, [example, ...others]] of examplesByName()) {
    const [entryPoint, name] = entry.split(' ');
    if (hidden.has(name)) continue;
    const folder = `${REFERENCE}/${entryPoint.replace('rejoin/', '')}/`;
    // A class can have a second page for its constructor.
    const own = files.filter((one) => one.startsWith(folder) && one.endsWith(`/${name}.md`));
    // A name that is exported from another entry, or is an older name, is a line in the list of its entry, with a link to the page.
    const isLine = own.length === 0 && readFileSync(`${folder}index.md`, 'utf8').includes(`\n### ${name}\n`);
    if (own.length === 0 && !isLine) throw new Error(`The reference has no entry for ${entry}.`);
    if (example === undefined) continue;
    const pages = new Map([example, ...others].map(({ page, title }) => [page, title]));
    const links = Array.from(pages, ([page, title]) => `- [${title}](/${page})`).slice(0, MAX_LINKS);
    const text = `\n## Example\n\n\`\`\`tsx\n${example.source}\`\`\`\n\n## In the guide\n\n${links.join('\n')}\n`;
    for (const file of own) appendFileSync(file, text);
  }
}

const markdownIn = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file}`);

/** Replaces an include by the text of the included file. */
function withIncludes(file) {
  return readFileSync(file, 'utf8').replaceAll(/<!--@include: (\S+?)(?:\{(\d+),\})?-->/g, (_, path, from = '1') =>
    readFileSync(new URL(path, pathToFileURL(file)), 'utf8')
      .split('\n')
      .slice(Number(from) - 1)
      .join('\n'),
  );
}

/** Writes two files for language models: llms.txt lists the pages, each of which is also published as Markdown, and llms-full.txt contains all of them. */
function forModels() {
  const groups = Object.entries({
    Start: /^tutorial/,
    'React guide': /^guide\//,
    Recipes: /^recipes\//,
    'How it works': /^explanation\//,
    'Coming from elsewhere': /^migration/,
    'To look up': /^(?:errors|comparison|performance|rarely-used|reliability)/,
  });
  const pages = markdownIn(`${root}docs`)
    .map((path) => ({ path, file: relative(`${root}docs`, path).replaceAll('\\', '/') }))
    .filter(({ file }) => !/^(?:reference|decisions|\.vitepress)\/|^index/.test(file))
    .toSorted((a, b) => a.file.localeCompare(b.file))
    .map(({ path, file }) => ({ file, text: withIncludes(path) }));
  const lines = groups.flatMap(([name, pattern]) => [
    `\n## ${name}\n`,
    ...pages
      .filter(({ file }) => pattern.test(file))
      .map(({ file, text }) => `- [${headingOf(text)}](/${file}): ${aboutOf(text)}`),
  ]);
  const forgotten = pages.filter(({ file }) => !groups.some(([, pattern]) => pattern.test(file)));
  if (forgotten.length > 0)
    throw new Error(`llms.txt has no place for ${forgotten.map(({ file }) => file).join(', ')}.`);
  const about = JSON.parse(readFileSync(`${root}package.json`, 'utf8')).description;
  writeFileSync(`${SITE}/llms.txt`, `# Rejoin\n\n> ${about}\n${lines.join('\n')}\n`);
  writeFileSync(`${SITE}/llms-full.txt`, pages.map(({ file, text }) => `<!-- ${file} -->\n\n${text}`).join('\n'));
  for (const { file, text } of pages) {
    mkdirSync(dirname(`${SITE}/${file}`), { recursive: true });
    writeFileSync(`${SITE}/${file}`, text);
  }
}

const headingOf = (text) => /^# (.*)$/m.exec(text)?.[1] ?? '';

/** Returns the first sentence below the heading. */
function aboutOf(text) {
  const [, paragraph = ''] = /^# .*\n+((?:[^\n#<|].*\n?)+)/m.exec(text) ?? [];
  return (
    /^.*?\.(?=\s|$)/.exec(
      paragraph
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replaceAll('\n', ' ')
        .trim(),
    )?.[0] ?? ''
  );
}

/** Throws if a link leads to a page, a file or a heading of the site that does not exist. Links to other sites are not checked. */
function demandLinks() {
  const files = readdirSync(SITE, { recursive: true }).map((file) => `/${file.replaceAll('\\', '/')}`);
  const htmlOf = (path) =>
    [path, `${path}.html`, `${path.replace(/\/$/, '')}/index.html`].find((file) => files.includes(file));
  const pages = new Map(
    files.filter((file) => file.endsWith('.html')).map((file) => [file, readFileSync(`${SITE}${file}`, 'utf8')]),
  );
  const ids = new Map(
    [...pages].map(([file, html]) => [file, new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
  );
  const dead = [...pages].flatMap(([from, html]) =>
    [...html.matchAll(/ href="([^"]*)"/g)].flatMap(([, href]) => {
      const { origin, pathname, hash } = new URL(href.replaceAll('&amp;', '&'), `http://site${from}`);
      if (origin !== 'http://site') return [];
      const to = htmlOf(decodeURIComponent(pathname));
      const anchor = decodeURIComponent(hash.slice(1));
      if (to !== undefined && (anchor === '' || !to.endsWith('.html') || ids.get(to)?.has(anchor))) return [];
      return [`${from} leads to ${href}`];
    }),
  );
  if (dead.length > 0) throw new Error(`Dead links in the site:\n${[...new Set(dead)].join('\n')}`);
}

/** Builds the site, and returns the number of its pages. */
export function docs() {
  reference();
  run('vitepress', ['build', 'docs']);
  forModels();
  demandLinks();
  return demand(readdirSync(SITE, { recursive: true }).filter((file) => file.endsWith('.html')).length, 'pages');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.log(`Built ${docs()} pages into ${relative(process.cwd(), SITE)}.`);
  // VitePress prints the URL.
  if (!process.argv.includes('--build'))
    spawn(process.execPath, [`${root}node_modules/vitepress/bin/vitepress.js`, 'preview', 'docs'], {
      cwd: root,
      stdio: 'inherit',
    });
}
