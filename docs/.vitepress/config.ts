import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { defineConfig, type DefaultTheme, type MarkdownRenderer } from 'vitepress';
import { boostOf, tokenize, withKeywords } from './search.ts';

const docs = new URL('..', import.meta.url);

/** The pages of a folder, by their headings. */
function pagesIn(folder: string, order: readonly string[] = []): DefaultTheme.SidebarItem[] {
  const place = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return readdirSync(new URL(`${folder}/`, docs))
    .filter((file) => file.endsWith('.md') && file !== 'index.md')
    .map((file) => file.replace(/\.md$/, ''))
    .sort((a, b) => place(a) - place(b) || a.localeCompare(b))
    .map((name) => {
      const [, text = name] = /^# (.*)$/m.exec(readFileSync(new URL(`${folder}/${name}.md`, docs), 'utf8')) ?? [];
      return { text, link: `/${folder}/${name}` };
    });
}

const KINDS = {
  classes: 'Classes',
  functions: 'Functions',
  variables: 'Values',
  interfaces: 'Interfaces',
  'type-aliases': 'Types',
};

/** The public names of an entry point of the package, by what they are. */
function namesOf(entryPoint: string): DefaultTheme.SidebarItem {
  const folder = new URL(`reference/${entryPoint}/`, docs);
  const items = Object.entries(KINDS).flatMap(([kind, text]) => {
    if (!existsSync(new URL(kind, folder))) return [];
    const names = readdirSync(new URL(kind, folder)).map((file) => file.replace(/\.md$/, ''));
    const isLong = kind === 'interfaces' || kind === 'type-aliases';
    return [
      {
        text,
        collapsed: isLong,
        items: names.toSorted().map((name) => ({ text: name, link: `/reference/${entryPoint}/${kind}/${name}` })),
      },
    ];
  });
  return {
    text: entryPoint === 'rejoin' ? entryPoint : `rejoin/${entryPoint}`,
    link: `/reference/${entryPoint}/`,
    items,
  };
}

/** The entry points of the package, the main one first; none before the reference has been made. */
function entryPoints(): DefaultTheme.SidebarItem[] {
  const folder = new URL('reference/', docs);
  if (!existsSync(folder)) return [];
  const found = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const names = found.map(({ name }) => name).toSorted();
  return ['rejoin', ...names.filter((name) => name !== 'rejoin')].map(namesOf);
}

const recipes = [
  'nested',
  'relations',
  'live-queries',
  'reverse-lookup',
  'circular',
  'client-side-join',
  'key-based-join',
  'rich-values',
];
const guide = [
  'hooks',
  'important-defaults',
  'queries',
  'mutations',
  'forms',
  'offline',
  'offline-edits',
  'search',
  'infinite-lists',
  'optimistic-updates',
  'error-handling',
  'refetching',
  'authentication',
  'prefetching',
  'testing',
  'typescript',
  'performance',
  'react-features',
  'react-native',
];
const explanation = ['normalization', 'identity', 'ordering', 'layers', 'transitions', 'stored-format'];

/** Where a page that is included links to its neighbours in the repository, the pages here that include those. */
const INCLUDED: Readonly<Record<string, string>> = {
  'react/README.md': '/performance-react',
  '../README.md': '/performance',
};

function leadToPages(md: MarkdownRenderer): void {
  md.core.ruler.push('lead-to-pages', ({ tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const to = token.type === 'link_open' ? INCLUDED[token.attrGet('href') ?? ''] : undefined;
      if (to !== undefined) token.attrSet('href', to);
    }
  });
}

export default defineConfig({
  title: 'Rejoin',
  description: 'A client-side relational data layer for REST-style APIs.',
  lang: 'en',
  cleanUrls: true,
  lastUpdated: false,
  head: [['link', { rel: 'icon', href: '/logo.svg' }]],
  markdown: { config: leadToPages },
  themeConfig: {
    logo: '/logo.svg',
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        _render: (source, env, md) => withKeywords(md.render(source, env), env.frontmatter?.['keywords']),
        miniSearch: {
          options: { tokenize },
          searchOptions: {
            boostDocument: boostOf,
          },
        },
      },
    },
    nav: [
      { text: 'Tutorial', link: '/tutorial' },
      { text: 'React guide', link: '/guide/hooks' },
      { text: 'Recipes', link: '/recipes/nested' },
      { text: 'How it works', link: '/explanation/normalization' },
      { text: 'Reference', link: '/reference/' },
      { text: 'Errors', link: '/errors' },
    ],
    sidebar: {
      '/reference/': entryPoints(),
      '/': [
        {
          text: 'Start',
          items: [
            { text: 'What it is', link: '/' },
            { text: 'Tutorial', link: '/tutorial' },
          ],
        },
        {
          text: 'React guide',
          items: [...pagesIn('guide', guide), { text: 'Server rendering', link: '/recipes/ssr' }],
        },
        { text: 'Recipes', items: pagesIn('recipes', recipes) },
        { text: 'How it works', items: pagesIn('explanation', explanation) },
        {
          text: 'To choose by',
          items: [
            { text: 'Performance', link: '/performance' },
            { text: 'Performance in React', link: '/performance-react' },
            { text: 'Reliability', link: '/reliability' },
            { text: 'Comparison', link: '/comparison' },
          ],
        },
        { text: 'Coming from', items: [{ text: 'Reactive Data Client', link: '/migration' }, ...pagesIn('migration')] },
        {
          text: 'To look up',
          items: [
            { text: 'Reference', link: '/reference/' },
            { text: 'Rarely used names', link: '/rarely-used' },
            { text: 'Rarely used types', link: '/rarely-used-types' },
            { text: 'Errors', link: '/errors' },
          ],
        },
        { text: 'Decisions', collapsed: true, items: pagesIn('decisions') },
      ],
    },
  },
});
