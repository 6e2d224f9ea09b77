// `npm run docs`: the documents as a static site in docs/.vitepress/dist, with a reference made of the types and their comments.
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { root } from './install.mjs';
import { demand, run } from './run.mjs';

const REFERENCE = `${root}docs/reference`;
const SITE = `${root}docs/.vitepress/dist`;

/** One page for each door of the package, in docs/reference. */
function reference() {
  rmSync(REFERENCE, { recursive: true, force: true });
  const doors = Object.keys(JSON.parse(readFileSync(`${root}package.json`, 'utf8')).exports)
    .filter((name) => name !== './package.json')
    .map((name) => (name === '.' ? 'index' : name.slice(2)));
  const options = [
    '--plugin',
    'typedoc-plugin-markdown',
    '--readme',
    'none',
    '--out',
    REFERENCE,
    '--logLevel',
    'Error',
  ];
  const flags = ['--skipErrorChecking', '--excludePrivate', '--excludeInternal', '--disableSources'];
  const looks = [
    '--hideBreadcrumbs',
    '--hidePageHeader',
    '--outputFileStrategy',
    'modules',
    '--entryFileName',
    'index',
  ];
  run('typedoc', [...options, ...flags, ...looks, '--githubPages', 'false', ...doors.map((door) => `src/${door}.ts`)]);
  return demand(readdirSync(REFERENCE, { recursive: true }).filter((file) => file.endsWith('.md')).length, 'pages');
}

/** Every page as one text, for those who read with a model: llms.txt lists them, llms-full.txt holds them. */
function forModels() {
  const pages = readdirSync(`${root}docs`, { recursive: true })
    .filter((file) => file.endsWith('.md') && !/^(?:reference|decisions|\.vitepress)\//.test(file))
    .toSorted((a, b) => a.localeCompare(b))
    .map((file) => ({ file, text: readFileSync(`${root}docs/${file}`, 'utf8') }));
  const list = pages.map(
    ({ file, text }) => `- [${/^# (.*)$/m.exec(text)?.[1] ?? file}](/${file.replace(/\.md$/, '')})`,
  );
  const about = JSON.parse(readFileSync(`${root}package.json`, 'utf8')).description;
  writeFileSync(`${SITE}/llms.txt`, `# Rejoin\n\n> ${about}\n\n${list.join('\n')}\n`);
  writeFileSync(`${SITE}/llms-full.txt`, pages.map(({ file, text }) => `<!-- ${file} -->\n\n${text}`).join('\n'));
}

/** Builds the site, and returns the number of its pages. */
export function docs() {
  reference();
  run('vitepress', ['build', 'docs']);
  forModels();
  return demand(readdirSync(SITE, { recursive: true }).filter((file) => file.endsWith('.html')).length, 'pages');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(`${SITE}: ${docs()} pages`);
