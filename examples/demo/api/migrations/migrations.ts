import { content } from './001-content.ts';
import { markets } from './002-markets.ts';
import { others } from './003-others.ts';
import { teams } from './004-teams.ts';
import { issues } from './005-issues.ts';

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

/** In order. A migration that was released is never changed: the next one is added. */
export const MIGRATIONS: readonly Migration[] = [
  { number: 1, name: 'content', sql: content },
  { number: 2, name: 'markets', sql: markets },
  { number: 3, name: 'others', sql: others },
  { number: 4, name: 'teams', sql: teams },
  { number: 5, name: 'issues', sql: issues },
];
