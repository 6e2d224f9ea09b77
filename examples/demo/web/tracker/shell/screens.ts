import { type ComponentType, lazy } from 'react';
import type { SourceFile } from '../../shell/code-panel.tsx';
import { RejoinActivity } from '../screens/activity/rejoin.tsx';
import { RejoinBoard } from '../screens/board/rejoin.tsx';
import { RejoinIssue } from '../screens/issue/rejoin.tsx';
import { RejoinList } from '../screens/list/rejoin.tsx';
import { RejoinPeople } from '../screens/people/rejoin.tsx';
import { RejoinReports } from '../screens/reports/rejoin.tsx';
import { RejoinSearch } from '../screens/search/rejoin.tsx';
import { linesOfCode } from './line-count.ts';
import type { Side } from './counters.ts';

export interface Version {
  readonly Page: ComponentType;
  /** The file of this screen, and the files that all screens share. */
  readonly own: SourceFile;
  readonly shared: readonly SourceFile[];
  readonly ownLines: number;
  readonly sharedLines: number;
}

export interface Screen {
  readonly path: string;
  readonly name: string;
  readonly title: string;
  /** Says what to try when the two versions are compared. */
  readonly compare: string;
  /** The key that opens the screen after `g`. */
  readonly key: string;
  readonly versions: Readonly<Record<Side, Version>>;
}

const sources = import.meta.glob<string>('../screens/**/{rejoin,tanstack}*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
});

function fileAt(path: string): SourceFile {
  const text = sources[`../screens/${path}`];
  if (text === undefined) throw new Error(`There is no ${path}.`);
  // Comments for the linter are left out.
  return { name: path, text: text.replaceAll(/^.*oxlint-disable.*\n/gm, '') };
}

const SHARED = { rejoin: ['rejoin-model.ts'], tanstack: ['tanstack-api.ts', 'tanstack-changes.ts'] } as const;

function version(side: Side, folder: string, Page: ComponentType): Version {
  const own = fileAt(`${folder}/${side}.tsx`);
  const shared = SHARED[side].map(fileAt);
  const sharedLines = shared.reduce((sum, { text }) => sum + linesOfCode(text), 0);
  return { Page, own, shared, ownLines: linesOfCode(own.text), sharedLines };
}

/** Loaded only when the versions are compared. */
const tanstack = import.meta.glob<Record<string, ComponentType>>('../screens/*/tanstack.tsx');

function screen(
  folder: string,
  Page: ComponentType,
  about: Pick<Screen, 'path' | 'name' | 'title' | 'compare' | 'key'>,
): Screen {
  const Other = lazy(async () => {
    const exported = await tanstack[`../screens/${folder}/tanstack.tsx`]?.();
    const [found] = Object.values(exported ?? {});
    if (found === undefined) throw new Error(`${folder}/tanstack.tsx exports no component.`);
    return { default: found };
  });
  return {
    ...about,
    versions: { rejoin: version('rejoin', folder, Page), tanstack: version('tanstack', folder, Other) },
  };
}

export const list: Screen = screen('list', RejoinList, {
  path: '/',
  name: 'Issues',
  title: 'Issues',
  key: 'i',
  compare: 'Add an issue and change its state, then go through the filters. Count the requests after each change.',
});

export const issue: Screen = screen('issue', RejoinIssue, {
  path: '/issues/1',
  name: 'Issue',
  title: 'Issue',
  key: '',
  compare: 'Write a comment and go back to the list: the number of comments there is part of the answer.',
});

export const screens: readonly Screen[] = [
  list,
  screen('board', RejoinBoard, {
    path: '/issues/board',
    name: 'Board',
    title: 'Board',
    key: 'b',
    compare: 'Move some cards quickly. One version fetches all issues again; the other one sends no request.',
  }),
  screen('people', RejoinPeople, {
    path: '/issues/people',
    name: 'People',
    title: 'People',
    key: 'p',
    compare: 'Rename a person. The name is in every list: look at which requests each version sends again.',
  }),
  screen('search', RejoinSearch, {
    path: '/issues/search',
    name: 'Search',
    title: 'Search',
    key: 's',
    compare: 'Search for two words in turn, and change a state in the result.',
  }),
  screen('reports', RejoinReports, {
    path: '/issues/reports',
    name: 'Reports',
    title: 'Reports',
    key: 'r',
    compare:
      'Finish some urgent issues. Each report is updated before the server has answered; look at which components are rendered.',
  }),
  screen('activity', RejoinActivity, {
    path: '/issues/activity',
    name: 'Activity',
    title: 'Activity',
    key: 'a',
    compare: 'Let another client change issues for a while, then look at the board.',
  }),
];

/** The screen at a path; `undefined` where there is none. */
export function screenAt(path: string): Screen | undefined {
  return screens.find((one) => one.path === path) ?? (/^\/issues\/[1-9]\d{0,8}$/.test(path) ? issue : undefined);
}
