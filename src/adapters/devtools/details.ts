import { element } from './elements.ts';
import { originsOf } from './field-origin.ts';
import { fieldsOf, rowDiff, shortText } from './row-diff.ts';
import type { Go, Selection } from './selection.ts';
import type { CommitEntry, RenderEntry, RequestEntry, Session, ShownEntry } from './session.ts';
import type { ValueChange } from './value-changes.ts';

function link(text: string, go: Go, selection: Selection): HTMLElement {
  return element('button', { class: 'link', 'data-at': text, onclick: () => go(selection) }, text);
}

function commitLink({ number, cause }: CommitEntry, go: Go): HTMLElement {
  return link(`#${number} ${cause}`, go, { tab: 'Commits', number });
}

function requestLink(number: number | undefined, go: Go): HTMLElement | false {
  return number !== undefined && link(`request #${number}`, go, { tab: 'Requests', number });
}

/** Details of a row: each field with its value and origin, and the answers on the screen that contain the row. */
export function rowDetail(
  session: Session,
  { table, pk }: { readonly table: string; readonly pk: string },
  go: Go,
): HTMLElement {
  const fields = Object.entries(fieldsOf(session.row(table, pk)) ?? {});
  const originOf = originsOf(session, table, pk);
  const shownBy = session.showing(table, pk);
  const { invalidate } = session;
  return element(
    'div',
    {},
    element(
      'h2',
      {},
      `${table} ${pk} `,
      invalidate && link('invalidate', () => invalidate(table, pk), { tab: 'Tables', table, pk }),
    ),
    fields.length === 0 && element('p', { class: 'dim' }, 'It is not there, or was deleted.'),
    ...fields.map(([field, value]) => {
      const { shown, under } = originOf(field);
      return element(
        'p',
        {},
        `${field}: ${shortText(value)} `,
        ...referencesOf(session, table, field, value).map((selection) =>
          link(`→ ${selection.table ?? ''} ${selection.pk ?? ''} `, go, selection),
        ),
        shown && commitLink(shown, go),
        shown && ' ',
        shown && requestLink(shown.request, go),
        under && ` is not confirmed: over ${shortText(under.value)} `,
        under?.commit && commitLink(under.commit, go),
      );
    }),
    element('h2', {}, 'Shown by'),
    ...shownBy.map((key) => element('p', {}, link(key, go, { tab: 'Screen', key }))),
    shownBy.length === 0 && element('p', { class: 'dim' }, 'No answer on the screen.'),
  );
}

/** The largest number of references of one field that are drawn. */
const MAX_REFERENCES = 20;

/** Returns the records that a field refers to. */
function referencesOf(session: Session, table: string, field: string, value: unknown): Selection[] {
  const listed = table.startsWith('[') || table.startsWith('{') ? [table.slice(1, -1)] : [];
  const targets = session.relations
    .filter(({ entity, name, by = name, isMany }) => entity === table && (by === field || (isMany && name === field)))
    .flatMap(({ to }) => to);
  const pks = (Array.isArray(value) ? value : [value]).slice(0, MAX_REFERENCES);
  return pks
    .filter((pk) => typeof pk === 'string' || typeof pk === 'number')
    .flatMap((pk) =>
      [...listed, ...targets]
        .filter((to) => session.row(to, String(pk)) !== undefined)
        .map((to) => ({ tab: 'Tables' as const, table: to, pk: String(pk) })),
    );
}

export function requestDetail(session: Session, entry: RequestEntry, go: Go): HTMLElement {
  const { args, error, isMutation, key, number, startedAt, status } = entry;
  const commits = session.commits.filter(({ request }) => request === number);
  return element(
    'div',
    {},
    element('h2', {}, key),
    element('p', {}, `${isMutation ? 'Mutation' : 'Read'}, ${status}, sent at ${timeText(startedAt)}`),
    ...args.map((arg, at) => element('p', {}, `argument ${at + 1}: ${shortText(arg)}`)),
    error !== undefined && element('p', { class: 'bad' }, error),
    element('h2', {}, 'Changed'),
    ...commits.map((commit) => element('p', {}, commitLink(commit, go), `: ${commit.rows.length} rows`)),
    commits.length === 0 && element('p', { class: 'dim' }, 'No row.'),
  );
}

export function commitDetail(entry: CommitEntry, go: Go, lookAt: (number: number) => void): HTMLElement {
  const { at, cause, number, request, rows } = entry;
  return element(
    'div',
    {},
    element('h2', {}, `#${number} ${cause}`),
    element('p', {}, `at ${timeText(at)} `, requestLink(request, go)),
    element(
      'p',
      {},
      element(
        'button',
        { class: 'link', 'data-at': 'look', onclick: () => lookAt(number) },
        'look at the tables as they were then',
      ),
    ),
    ...diffs(rows, go),
  );
}

/** Why a component was rendered. */
export function renderDetail(session: Session, entry: RenderEntry, go: Go): HTMLElement {
  const { changes, commit: number, call, reads, reason } = entry;
  const commit = session.commits.find((one) => one.number === number);
  const why = {
    first:
      'It was rendered for the first time with what it reads: it was mounted, it got other arguments, or its data arrived.',
    changed: 'It was rendered because what it reads has changed:',
    again: 'What it reads is the same. It was rendered by its parent, or by state of its own.',
  };
  return element(
    'div',
    {},
    element('h2', {}, call.component),
    element('p', {}, `${call.hook} ${reads}`),
    element('p', {}, why[reason]),
    ...changes.map((change) => changeLine(change, go)),
    commit && element('p', {}, 'by ', commitLink(commit, go), ' ', requestLink(commit.request, go)),
  );
}

/** Why an answer on the screen has been shown again. */
export function shownDetail({ key, changes }: ShownEntry, go: Go): HTMLElement {
  return element(
    'div',
    {},
    element('h2', {}, key),
    changes.length === 0 && element('p', { class: 'dim' }, 'It has not changed since the tools began to record.'),
    ...changes.flatMap(({ commit, changes: inside }) => [
      element('p', {}, 'rendered because of ', commitLink(commit, go)),
      ...inside.map((change) => changeLine(change, go)),
    ]),
  );
}

function changeLine({ kind, table, pk, path, field, before = '', after = '' }: ValueChange, go: Go): HTMLElement {
  const record = table !== undefined && pk !== undefined && link(`${table} ${pk}`, go, { tab: 'Tables', table, pk });
  if (kind === 'joined') return element('p', {}, record || after, ` joined ${path}`);
  if (kind === 'left') return element('p', {}, record || before, ` left ${path || 'the list'}`);
  const old = element('span', { class: 'old' }, before);
  return element('p', {}, record, record && ' changed ', `${field ?? path}: `, old, ` ${after} `, where(path));
}

function where(path: string): HTMLElement | false {
  return path !== '' && element('span', { class: 'dim' }, `at ${path}`);
}

/** The largest number of items that are drawn. */
const MAX_ITEMS = 100;

function diffs(rows: CommitEntry['rows'], go: Go): HTMLElement[] {
  const lines = rows.slice(0, MAX_ITEMS).map((row) => {
    const { table, pk } = row;
    const { kind, fields } = rowDiff(row);
    return element(
      'div',
      {},
      element('p', {}, link(`${table} ${pk}`, go, { tab: 'Tables', table, pk }), ` ${kind}`),
      ...fields.map(({ field, before, after }) =>
        element(
          'p',
          {},
          `${field}: `,
          kind === 'changed' && element('span', { class: 'old' }, shortText(before)),
          kind === 'changed' && ' ',
          kind === 'gone' ? element('span', { class: 'old' }, shortText(before)) : shortText(after),
        ),
      ),
    );
  });
  const left = rows.length - lines.length;
  return left > 0 ? [...lines, element('p', { class: 'dim' }, `and ${left} more`)] : lines;
}

/** Returns the time of the day, with milliseconds. */
function timeText(at: number): string {
  return new Date(at).toISOString().slice(11, 23);
}
