import { element } from './elements.ts';
import type { CommitEntry, Journal, RequestEntry, ShownEntry } from './journal.ts';
import type { Selection } from './selection.ts';
import { fieldsOf, type RowDiff, shortText } from './row-diff.ts';

type Go = (place: Selection) => void;

function link(text: string, go: Go, place: Selection): HTMLElement {
  return element('button', { class: 'link', 'data-at': text, onclick: () => go(place) }, text);
}

/** A row: each field with its value and where it is from, and the answers on the screen that contain it. */
export function rowDetail(
  journal: Journal,
  { table, pk }: { readonly table: string; readonly pk: string },
  go: Go,
): HTMLElement {
  const { store } = journal.controller;
  const fields = Object.entries(fieldsOf(store.row(table, pk)) ?? {});
  const shownBy = journal.showing(table, pk);
  const invalidate = (): void => store.invalidate({ key: table }, pk);
  return element(
    'div',
    {},
    element('h2', {}, `${table} ${pk} `, link('invalidate', invalidate, { tab: 'Tables', table, pk })),
    ...fields.map(([field, value]) => {
      const origin = journal.originOf(table, pk, field);
      return element(
        'p',
        {},
        `${field}: ${shortText(value)} `,
        ...referencesOf(journal, table, value).map((place) => link(`→ ${place.table} `, go, place)),
        origin && link(`#${origin.number} ${origin.cause}`, go, { tab: 'Commits', number: origin.number }),
      );
    }),
    element('h2', {}, 'Shown by'),
    ...shownBy.map((key) => element('p', {}, link(key, go, { tab: 'Screen', key }))),
    shownBy.length === 0 && element('p', { class: 'dim' }, 'No answer on the screen.'),
  );
}

/** The rows of other tables that a value may refer to: those that have it for a pk. */
function referencesOf(journal: Journal, from: string, value: unknown): Selection[] {
  if (typeof value !== 'string' && typeof value !== 'number') return [];
  const { store } = journal.controller;
  const tables = new Set(Array.from(store.rows(), ({ table }) => table));
  tables.delete(from);
  return [...tables]
    .filter((table) => store.row(table, String(value)) !== undefined)
    .map((table) => ({ tab: 'Tables', table, pk: String(value) }));
}

export function requestDetail({ key, args, isMutation, status, error }: RequestEntry): HTMLElement {
  return element(
    'div',
    {},
    element('h2', {}, key),
    element('p', {}, `${isMutation ? 'Mutation' : 'Read'}, ${status}`),
    ...args.map((arg, at) => element('p', {}, `argument ${at + 1}: ${shortText(arg)}`)),
    error !== undefined && element('p', { class: 'bad' }, error),
  );
}

export function commitDetail({ number, cause, rows }: CommitEntry, go: Go): HTMLElement {
  return element('div', {}, element('h2', {}, `#${number} ${cause}`), ...diffs(rows, go));
}

/** Why an answer on the screen has been shown again. */
export function shownDetail({ key, changes }: ShownEntry, go: Go): HTMLElement {
  return element(
    'div',
    {},
    element('h2', {}, key),
    changes.length === 0 && element('p', { class: 'dim' }, 'It has not changed since the tools are here.'),
    ...changes.flatMap(({ commit, rows }) => [
      element(
        'p',
        {},
        'rendered because of ',
        link(`#${commit.number} ${commit.cause}`, go, { tab: 'Commits', number: commit.number }),
      ),
      ...diffs(rows, go),
    ]),
  );
}

/** More than these are not drawn. */
const MOST = 100;

function diffs(rows: readonly RowDiff[], go: Go): HTMLElement[] {
  const lines = rows
    .slice(0, MOST)
    .map(({ table, pk, kind, fields }) =>
      element(
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
      ),
    );
  const left = rows.length - lines.length;
  return left > 0 ? [...lines, element('p', { class: 'dim' }, `and ${left} more`)] : lines;
}
