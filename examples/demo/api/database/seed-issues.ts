import { Random } from '../random.ts';
import * as words from './issue-words.ts';
import type { Part, Sizes } from './seed-part.ts';

const STATES = ['backlog', 'backlog', 'todo', 'todo', 'doing', 'done', 'done', 'done'] as const;
const BEGINNINGS = { bug: words.BUG_BEGINNINGS, feature: words.FEATURE_BEGINNINGS, chore: words.CHORE_BEGINNINGS };
const KINDS = ['bug', 'bug', 'feature', 'feature', 'chore'] as const;
const PRIORITIES = ['0', '1', '1', '1', '2', '2', '3'] as const;
const DAY = 86_400_000;
const BEGIN = Date.UTC(2026, 2, 1);
/** Days in which the issues were reported. */
const DAYS = 120;

const instant = (days: number): string => new Date(BEGIN + Math.round(days * DAY)).toISOString();

/** So many that a board is full, and not so many that a screen that loads all of them is slow. */
const issuesOf = ({ posts }: Sizes): number => Math.min(1_000, Math.max(120, posts));

/** Issues, two comments for each on the average, and the history that belongs to both. */
export function issueParts(sizes: Sizes): readonly Part[] {
  const issues = issuesOf(sizes);
  const reportedAt = (at: number): number => (DAYS * at) / issues;
  const comment = (at: number): { readonly issue: number; readonly author: number; readonly days: number } => {
    const random = new Random(600_000_000 + at);
    const issue = random.whole(1, issues);
    return { issue, author: random.whole(1, sizes.users), days: reportedAt(issue) + random.next() * 6 };
  };
  return [
    {
      table: 'issue',
      columns:
        'id int, title text, body text, state text, priority int, kind text, author_id int, assignee_id int, created_at timestamptz, updated_at timestamptz',
      count: issues,
      row: (at) => issueRow(at, reportedAt(at), sizes),
    },
    {
      table: 'issue_comment',
      columns: 'id int, issue_id int, author_id int, body text, created_at timestamptz',
      count: issues * 2,
      row: (at) => {
        const { issue: issue_id, author, days } = comment(at);
        const body = new Random(700_000_000 + at).pick(words.COMMENTS);
        return { id: at + 1, issue_id, author_id: author, body, created_at: instant(days) };
      },
    },
    {
      table: 'activity',
      columns: 'id int, issue_id int, person_id int, action text, detail text, at timestamptz',
      count: issues,
      row: (at) => ({
        id: at + 1,
        issue_id: at + 1,
        person_id: issueRow(at, 0, sizes).author_id,
        action: 'created',
        detail: '',
        at: instant(reportedAt(at)),
      }),
    },
  ];
}

function issueRow(at: number, days: number, { users }: Sizes): { readonly author_id: number } {
  const random = new Random(500_000_000 + at);
  const kind = random.pick(KINDS);
  const state = random.pick(STATES);
  const isAssigned = state === 'doing' || state === 'done' || random.next() < 0.6;
  return {
    id: at + 1,
    title: `${random.pick(BEGINNINGS[kind])} ${random.pick(words.PLACES)}`,
    body: `${random.pick(words.DETAILS)} ${random.pick(words.DETAILS)}`,
    state,
    priority: Number(random.pick(PRIORITIES)),
    kind,
    author_id: random.whole(1, users),
    assignee_id: isAssigned ? random.whole(1, users) : null,
    created_at: instant(days),
    updated_at: instant(days + (state === 'backlog' ? 0 : random.next() * 5)),
  } as { readonly author_id: number };
}
