import type { ComponentType } from 'react';
import type { SourceFile } from '../shell/code-panel.tsx';
import { BoardPage } from './board/page.tsx';
import { CircularPage } from './circular/page.tsx';
import { CurrenciesPage } from './currencies/page.tsx';
import { DownloadPage } from './download/page.tsx';
import { FeedPage } from './feed/page.tsx';
import { KeyCasePage } from './key-case/page.tsx';
import { MembersPage } from './members/page.tsx';
import { OfflinePage } from './offline/page.tsx';
import { OverviewPage } from './overview/page.tsx';
import { PostsPage } from './posts/page.tsx';
import { PricePage } from './price/page.tsx';
import { PushedPage } from './pushed/page.tsx';
import { RacesPage } from './races/page.tsx';
import { ReversePage } from './reverse/page.tsx';
import { RowsPage } from './rows/page.tsx';
import { StreamPage } from './stream/page.tsx';
import { TeamsPage } from './teams/page.tsx';
import { TickerPage } from './ticker/page.tsx';
import { TodosPage } from './todos/page.tsx';

export interface DemoPage {
  readonly path: string;
  /** The short title, for small screens. */
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly Page: ComponentType;
  readonly files: readonly SourceFile[];
}

interface Group {
  readonly name: string;
  readonly pages: readonly DemoPage[];
}

const sources = import.meta.glob<string>('./*/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true });

/** A page with the source files of its folder, which are shown beside it: first the model, then the components. */
function page(folder: string, name: string, title: string, about: string, Page: ComponentType): DemoPage {
  const files = ['model.ts', 'page.tsx'].flatMap((file) => {
    const text = sources[`./${folder}/${file}`];
    // Comments for the linter are not shown.
    return text === undefined ? [] : [{ name: file, text: text.replaceAll(/^.*oxlint-disable.*\n/gm, '') }];
  });
  return { path: `/${folder}`, name, title, about, Page, files };
}

export const overview: DemoPage = page(
  'overview',
  'Overview',
  'One record is one object',
  'APIs nest records, repeat them, or leave them out. Rejoin stores each record once, and joins it with others when it is read. All components get the same object, and show a change of it at the same time.',
  OverviewPage,
);

export const groups: readonly Group[] = [
  {
    name: 'Joins',
    pages: [
      page(
        'posts',
        'Nested posts',
        'Posts, authors, comments',
        'One response contains all records, nested in each other. Each record is stored once, so an author who is renamed under one post is renamed under all posts.',
        PostsPage,
      ),
      page(
        'reverse',
        'Reverse lookup',
        'Reverse lookup',
        'The API returns the author of each post, and not the posts of an author. A query finds them through the field that refers to the author.',
        ReversePage,
      ),
      page(
        'circular',
        'Circular entities',
        'Circular entities',
        'A member has posts, and each post has its member. The objects refer to each other too: the author of a post of Ann is the same object as Ann.',
        CircularPage,
      ),
      page(
        'todos',
        'Todos and users',
        'Todos and their users',
        'A todo has only the id of its user. It is joined with the user on the client, and changes are shown before the server has answered.',
        TodosPage,
      ),
      page(
        'currencies',
        'Currencies by volume',
        'Currencies by volume',
        'Names and volumes come from two URLs. The list is sorted by a field of the joined record.',
        CurrenciesPage,
      ),
    ],
  },
  {
    name: 'Live queries',
    pages: [
      page(
        'board',
        'A live board',
        'Six warehouses, ten thousand items',
        'Items are joined, grouped and counted, and hundreds of them change each second. The cost of a change depends only on the changed items: a column without changed items is not rendered.',
        BoardPage,
      ),
      page(
        'teams',
        'A tree of teams',
        'Teams within teams',
        'The API sends a flat list in which each team has the id of its parent. Parts, ancestors and descendants are queries: move a team, and all of them are updated.',
        TeamsPage,
      ),
      page(
        'members',
        'Members and roles',
        'Many to many, with roles',
        'People are in many teams, and teams have many people. A link between the two has the role. Both sides are read from the links, so they always agree.',
        MembersPage,
      ),
    ],
  },
  {
    name: 'Values and keys',
    pages: [
      page(
        'price',
        'Decimals and instants',
        'Decimals and instants',
        'Strings are stored as the server sent them, and are read as decimals of any precision and as instants.',
        PricePage,
      ),
      page(
        'stream',
        'A stream without an id',
        'A stream without an id',
        'The response does not contain the user of the stream. The pk comes from the argument of the request.',
        StreamPage,
      ),
      page(
        'ticker',
        'A polled ticker',
        'A polled ticker',
        'A price is fetched every two seconds while the page is visible, with one request for all components that show it.',
        TickerPage,
      ),
    ],
  },
  {
    name: 'HTTP and streams',
    pages: [
      page(
        'key-case',
        'snake_case',
        'snake_case, both ways',
        'The API uses snake_case, and the page uses camelCase: keys are converted in responses and in requests.',
        KeyCasePage,
      ),
      page(
        'feed',
        'Pages by header',
        'Pages by header',
        'The Link header has the URL of the next page. Each page is added to the shown list.',
        FeedPage,
      ),
      page(
        'download',
        'File download',
        'File download',
        'The body of the answer is a file, and a header has its name. The store does not keep the file.',
        DownloadPage,
      ),
      page(
        'pushed',
        'WebSocket and events',
        'Messages from the server',
        'Prices come over a WebSocket, and votes as server-sent events. Both are stored in the same tables as responses, and both reconnect after a lost connection.',
        PushedPage,
      ),
    ],
  },
  {
    name: 'Bad networks and many rows',
    pages: [
      page(
        'offline',
        'Offline',
        'Edits without a network',
        'Go offline, write posts and comments, reload the page, close the tab, open another one. Your edits are saved on this device, shown in every tab, and sent once when the network is back.',
        OfflinePage,
      ),
      page(
        'races',
        'Optimistic updates',
        'Optimistic updates, races, rollbacks',
        'Click fast, make the network slow, make changes fail. Each click is a separate optimistic update: if it fails, it is rolled back, and no other update is.',
        RacesPage,
      ),
      page(
        'rows',
        'Ten thousand rows',
        'Ten thousand live rows',
        'The server pushes changes of a thousand rows each second. Only visible rows are in the document, and a change renders only the row that shows it.',
        RowsPage,
      ),
    ],
  },
];

const pages = [overview, ...groups.flatMap((group) => group.pages)];

/** The page at a path; `undefined` where there is none. */
export function pageAt(path: string): DemoPage | undefined {
  return pages.find((one) => one.path === path);
}
