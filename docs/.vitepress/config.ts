import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig, type DefaultTheme } from 'vitepress';

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

const recipes = ['nested', 'reverse-lookup', 'circular', 'client-side-join', 'key-based-join', 'rich-values'];
const explanation = ['normalization', 'identity', 'ordering', 'layers', 'transitions'];

export default defineConfig({
  title: 'Rejoin',
  description: 'A client-side relational data layer for REST-style APIs.',
  lang: 'en',
  cleanUrls: true,
  lastUpdated: false,
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Tutorial', link: '/tutorial' },
      { text: 'Recipes', link: '/recipes/nested' },
      { text: 'Reference', link: '/reference/' },
      { text: 'Comparison', link: '/comparison' },
    ],
    sidebar: {
      '/reference/': [{ text: 'Reference', items: pagesIn('reference') }],
      '/': [
        {
          text: 'Start',
          items: [
            { text: 'What it is', link: '/' },
            { text: 'Tutorial', link: '/tutorial' },
          ],
        },
        { text: 'Recipes', items: pagesIn('recipes', recipes) },
        { text: 'How it works', items: pagesIn('explanation', explanation) },
        {
          text: 'To choose by',
          items: [
            { text: 'Performance', link: '/performance' },
            { text: 'Reliability', link: '/reliability' },
            { text: 'Comparison', link: '/comparison' },
          ],
        },
        { text: 'Coming from', items: [{ text: 'Reactive Data Client', link: '/migration' }, ...pagesIn('migration')] },
        {
          text: 'To look up',
          items: [
            { text: 'Reference', link: '/reference/' },
            { text: 'Errors', link: '/errors' },
          ],
        },
        { text: 'Decisions', collapsed: true, items: pagesIn('decisions') },
      ],
    },
  },
});
