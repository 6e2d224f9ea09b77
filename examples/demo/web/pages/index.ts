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
  'APIs nest records, repeat them, or leave them out. Rejoin files each record once, and joins it again when it is read: wherever it is shown, it is the same object, and it changes everywhere at once.',
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
        'One response nests everything. Each record is filed away once, so an author who is renamed under one post is renamed under all of them.',
        PostsPage,
      ),
      page(
        'reverse',
        'Reverse lookup',
        'Reverse lookup',
        'The API tells the author of a post, and never the posts of an author. They are gathered from where each author was found.',
        ReversePage,
      ),
      page(
        'circular',
        'Circular entities',
        'Circular entities',
        'A member has posts, each post has the member. The values go in circles as well: the author of a post of Ann is Ann, the very object.',
        CircularPage,
      ),
      page(
        'todos',
        'Todos and users',
        'Todos and their users',
        'A todo carries no more than the number of its user. The join happens on the client, and changes show before the server has answered.',
        TodosPage,
      ),
      page(
        'currencies',
        'Currencies by volume',
        'Currencies by volume',
        'Names come from one address, volumes from another. The list is sorted by a field of the joined record.',
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
        'Joined, grouped, counted, and up to date while hundreds of items change each second. A change costs what it changes: a column whose items are the same is not rendered.',
        BoardPage,
      ),
      page(
        'teams',
        'A tree of teams',
        'Teams within teams',
        'The API sends a flat list in which each team says what it is part of. Parts, ancestors and descendants are queries: move a team, and all of them follow.',
        TeamsPage,
      ),
      page(
        'members',
        'Members and roles',
        'Many to many, with roles',
        'People are in many teams, and teams have many people. The link says as what. Each side is read from the links, so the two cannot disagree.',
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
        'Strings are stored as they came, and read as decimals of any precision and as instants.',
        PricePage,
      ),
      page(
        'stream',
        'A stream without an id',
        'A stream without an id',
        'The response does not say whose stream it is. The argument of the request does.',
        StreamPage,
      ),
      page(
        'ticker',
        'A polled ticker',
        'A polled ticker',
        'Fetched every two seconds while the page is visible: once, however many components show it.',
        TickerPage,
      ),
    ],
  },
  {
    name: 'On the wire',
    pages: [
      page(
        'key-case',
        'snake_case',
        'snake_case, both ways',
        'The API uses snake_case, and the page does not: keys are converted on the way in and on the way out.',
        KeyCasePage,
      ),
      page(
        'feed',
        'Pages by header',
        'Pages by header',
        'Where the next page is, stands in the Link header. Each page is added to the list that is shown.',
        FeedPage,
      ),
      page(
        'download',
        'File download',
        'File download',
        'The body is a file, its name is in a header, and nothing of it stays in memory.',
        DownloadPage,
      ),
      page(
        'pushed',
        'WebSocket and events',
        'Pushed by the server',
        'Prices come over a WebSocket, votes as server-sent events. Both fill the tables that responses fill, and both come back when they are cut.',
        PushedPage,
      ),
    ],
  },
  {
    name: 'Under load',
    pages: [
      page(
        'offline',
        'Offline',
        'Unplugged',
        'Unplug the network, write posts and comments on them, reload, close the tab, open another. What you wrote is kept on this device, shown in every tab, and sent once when the network is back.',
        OfflinePage,
      ),
      page(
        'races',
        'Optimistic updates',
        'Optimistic updates, races, rollbacks',
        'Press fast, slow the network down, let changes fail. Each press is an optimistic update of its own: one that fails is rolled back, and nothing else is.',
        RacesPage,
      ),
      page(
        'rows',
        'Ten thousand rows',
        'Ten thousand live rows',
        'A thousand rows change each second, pushed by the server. Those in sight are in the document, and a change renders the one row that shows it.',
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
