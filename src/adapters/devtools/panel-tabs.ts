import { commitDetail, renderDetail, requestDetail, rowDetail, shownDetail } from './details.ts';
import { element, LongList } from './elements.ts';
import { modelDiagram, relationLines } from './relation-diagram.ts';
import { rowText, shortText } from './row-diff.ts';
import type { Go, Selection } from './selection.ts';
import type { CommitEntry, RenderEntry, RequestEntry, RowLine, Session, ShownEntry } from './session.ts';

/** The data from which the tabs are drawn. */
export interface TabContent {
  readonly session: Session;
  readonly selected: Selection;
  /** The search text, in lower case. */
  readonly search: string;
  readonly go: Go;
  /** Shows the state after a commit. */
  readonly lookAt: (number: number) => void;
}

interface LineOf<Item> {
  readonly textOf: (item: Item) => string;
  readonly isCurrent: (item: Item) => boolean;
  readonly selectionOf: (item: Item) => Selection;
}

/** Returns the columns of a tab. */
export function tabParts(content: TabContent): readonly HTMLElement[] {
  switch (content.selected.tab) {
    case 'Tables':
      return tables(content);
    case 'Model':
      return [modelDiagram(content.session, content.go), detail(element('div', {}, ...relationLines(content.session)))];
    case 'Requests':
      return requests(content);
    case 'Commits':
      return commits(content);
    case 'Renders':
      return renders(content);
    default:
      return answers(content);
  }
}

function tables(content: TabContent): readonly HTMLElement[] {
  const { session, selected, go } = content;
  const counts = session.tables();
  const { table = counts.keys().next().value ?? '', pk } = selected;
  const names = list({ ...content, search: '' }, 'Tables', [...counts], {
    textOf: ([name, count]) => `${name} ${count}`,
    isCurrent: ([name]) => name === table,
    selectionOf: ([name]) => ({ tab: 'Tables', table: name }),
  });
  const rows = list(content, `Rows of ${table}`, session.rowsOf(table), {
    textOf: (line: RowLine) => `${line.pk} ${rowText(line.row)}`,
    isCurrent: (line) => line.pk === pk,
    selectionOf: (line) => ({ tab: 'Tables', table, pk: line.pk }),
  });
  return [names, rows, detail(pk !== undefined && rowDetail(session, { table, pk }, go))];
}

const SIGNS = { pending: '…', failed: '✗', done: '✓' };

function requests(content: TabContent): readonly HTMLElement[] {
  const { session, selected, go } = content;
  const found = session.requests.find(({ number }) => number === selected.number);
  const lines = list(content, 'Requests', session.requests.toReversed(), {
    textOf: (one: RequestEntry) => `${SIGNS[one.status]} ${one.key} ${elapsedText(one)}`,
    isCurrent: (one) => one === found,
    selectionOf: ({ number }) => ({ tab: 'Requests', number }),
  });
  return [lines, detail(found && requestDetail(session, found, go))];
}

function commits(content: TabContent): readonly HTMLElement[] {
  const { session, selected, go, lookAt } = content;
  const found = session.commits.find(({ number }) => number === selected.number);
  const lines = list(content, 'Commits', session.commits.toReversed(), {
    textOf: (one: CommitEntry) => `#${one.number} ${one.cause}: ${one.rows.length} rows`,
    isCurrent: (one) => one === found,
    selectionOf: ({ number }) => ({ tab: 'Commits', number }),
  });
  return [lines, detail(found && commitDetail(found, go, lookAt))];
}

function renders(content: TabContent): readonly HTMLElement[] {
  const { session, selected, go } = content;
  const found = session.renders.find(({ number }) => number === selected.number);
  const lines = list(content, 'Renders', session.renders.toReversed(), {
    textOf: renderText,
    isCurrent: (one) => one === found,
    selectionOf: ({ number }) => ({ tab: 'Renders', number }),
  });
  return [lines, detail(found && renderDetail(session, found, go))];
}

function renderText({ call, reads, reason, changes: [first] }: RenderEntry): string {
  const why = { first: 'first render', again: 'rendered again, its data has not changed', changed: 'changed' };
  const record = first?.table === undefined ? '' : `${first.table} ${first.pk ?? ''} `;
  const what =
    first === undefined ? why[reason] : `${record}${first.kind === 'field' ? (first.field ?? first.path) : first.kind}`;
  return `${call.component} ${call.hook} ${reads}: ${what}`;
}

function answers(content: TabContent): readonly HTMLElement[] {
  const { session, selected, go } = content;
  const shown = session.shown();
  const found = shown.find(({ key }) => key === selected.key);
  const lines = list(content, 'Answers on the screen', shown, {
    textOf: (one: ShownEntry) => `${one.key}: changed ${one.changes.length} times`,
    isCurrent: (one) => one === found,
    selectionOf: ({ key }) => ({ tab: 'Screen', key }),
  });
  return [lines, detail(found && shownDetail(found, go))];
}

function list<Item>(
  { search, go }: TabContent,
  label: string,
  items: readonly Item[],
  { textOf, isCurrent, selectionOf }: LineOf<Item>,
): HTMLElement {
  const lines = new LongList<Item>(label, (item) => {
    const selection = selectionOf(item);
    const current = isCurrent(item) ? 'true' : undefined;
    const at = shortText(selection);
    return element(
      'button',
      { class: 'line', 'aria-current': current, 'data-at': at, onclick: () => go(selection) },
      textOf(item),
    );
  });
  lines.show(search === '' ? items : items.filter((item) => textOf(item).toLowerCase().includes(search)));
  return lines.element;
}

function detail(inside: HTMLElement | false | undefined): HTMLElement {
  return element(
    'div',
    { class: 'detail', 'aria-label': 'Details' },
    inside || element('p', { class: 'dim' }, 'Choose a line.'),
  );
}

function elapsedText({ startedAt, endedAt }: RequestEntry): string {
  return endedAt === undefined ? '' : `${Math.round(endedAt - startedAt)} ms`;
}
