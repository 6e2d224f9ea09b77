import { commitDetail, requestDetail, rowDetail, shownDetail } from './details.ts';
import { element, LongList } from './elements.ts';
import type { CommitEntry, Journal, RequestEntry, ShownEntry } from './journal.ts';
import { type Selection, type Tab, TABS } from './selection.ts';
import { fieldsOf, shortText } from './row-diff.ts';
import { STYLE } from './style.ts';

/** How many milliseconds lie between two drawings, at least. */
const PAUSE = 100;
/** How many milliseconds a click takes. */
const CLICK = 500;

/** The panel of the developer tools, in an element of its own whose styles are those of no page. */
export class Panel {
  readonly element: HTMLElement = document.createElement('rejoin-devtools');
  readonly #root: ShadowRoot = this.element.attachShadow({ mode: 'open' });
  readonly #journal: Journal;
  readonly #body: HTMLElement = element('div', { class: 'body' });
  readonly #tabs: HTMLElement = element('div', { role: 'tablist', 'aria-label': 'Rejoin' });
  readonly #stop: () => void;
  #selected: Selection = { tab: 'Tables' };
  #search = '';
  #isOpen = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(journal: Journal) {
    this.#journal = journal;
    this.#stop = journal.subscribe(() => this.#drawSoon());
    // What is drawn anew between the two halves of a click gets no click.
    this.element.addEventListener('pointerdown', () => this.#drawSoon(CLICK));
    this.#frame();
  }

  remove(): void {
    clearTimeout(this.#timer);
    this.#stop();
    this.element.remove();
  }

  #frame(): void {
    const toggle = (): void => {
      this.#isOpen = !this.#isOpen;
      this.#frame();
    };
    const style = element('style', {}, STYLE);
    if (!this.#isOpen) {
      const open = element('button', { class: 'open', onclick: toggle }, 'Rejoin');
      this.#root.replaceChildren(style, element('aside', { 'aria-label': 'Rejoin developer tools' }, open));
      return;
    }
    const search = element('input', {
      type: 'search',
      placeholder: 'Search',
      'aria-label': 'Search',
      value: this.#search,
    });
    search.addEventListener('input', () => {
      this.#search = (search as HTMLInputElement).value.toLowerCase();
      this.#draw();
    });
    const bar = element(
      'div',
      { class: 'bar' },
      this.#tabs,
      search,
      element('button', { onclick: () => this.#journal.clear() }, 'Clear'),
      element('button', { 'aria-label': 'Close', onclick: toggle }, '✕'),
    );
    this.#root.replaceChildren(
      style,
      element('aside', { class: 'panel', 'aria-label': 'Rejoin developer tools' }, bar, this.#body),
    );
    this.#draw();
  }

  #drawSoon(pause?: number): void {
    if (!this.#isOpen || (this.#timer !== undefined && pause === undefined)) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#draw();
    }, pause ?? PAUSE);
  }

  readonly #go = (place: Selection): void => {
    this.#selected = place;
    this.#draw();
  };

  #draw(): void {
    const { tab } = this.#selected;
    const focused = this.#root.activeElement?.getAttribute('data-at');
    this.#tabs.replaceChildren(
      ...TABS.map((name) =>
        element(
          'button',
          {
            role: 'tab',
            'aria-selected': String(name === tab),
            'data-at': name,
            onclick: () => this.#go({ tab: name }),
          },
          name,
        ),
      ),
    );
    const scrolled = Array.from(this.#body.children, ({ scrollTop }) => scrollTop);
    this.#body.className = tab === 'Tables' ? 'body tables' : 'body';
    const parts = this.#parts(tab);
    this.#body.replaceChildren(...parts.map((part) => (part instanceof LongList ? part.element : part)));
    Array.from(this.#body.children).forEach((part, at) => part.scrollTo(0, scrolled[at] ?? 0));
    const found = [...this.#root.querySelectorAll<HTMLElement>('[data-at]')];
    if (focused) found.find((one) => one.getAttribute('data-at') === focused)?.focus({ preventScroll: true });
  }

  #parts(tab: Tab): readonly (HTMLElement | LongList<never>)[] {
    switch (tab) {
      case 'Tables':
        return this.#tables();
      case 'Requests':
        return this.#requests();
      case 'Commits':
        return this.#commits();
      default:
        return this.#shown();
    }
  }

  #tables(): readonly HTMLElement[] {
    const counts = new Map<string, number>();
    for (const { table } of this.#journal.controller.store.rows()) counts.set(table, (counts.get(table) ?? 0) + 1);
    const { table = counts.keys().next().value ?? '', pk } = this.#selected;
    const names = this.#list('Tables', [...counts], ([name, count]) => ({
      text: `${name} ${count}`,
      isCurrent: name === table,
      place: { tab: 'Tables', table: name },
    }));
    const rows = [...this.#journal.controller.store.rows()].filter((row) => row.table === table);
    const lines = this.#list(`Rows of ${table}`, rows, (row) => ({
      text: `${row.pk} ${shortText(fieldsOf(row.row) ?? 'deleted')}`,
      isCurrent: row.pk === pk,
      place: { tab: 'Tables', table, pk: row.pk },
    }));
    return [names, lines, this.#detail(pk !== undefined && rowDetail(this.#journal, { table, pk }, this.#go))];
  }

  #requests(): readonly HTMLElement[] {
    const { number } = this.#selected;
    const list = this.#list('Requests', this.#journal.requests.toReversed(), (one: RequestEntry) => ({
      text: `${one.status === 'pending' ? '…' : one.status === 'failed' ? '✗' : '✓'} ${one.key} ${timeOf(one)}`,
      isCurrent: one.number === number,
      place: { tab: 'Requests', number: one.number },
    }));
    const found = this.#journal.requests.find((one) => one.number === number);
    return [list, this.#detail(found && requestDetail(found))];
  }

  #commits(): readonly HTMLElement[] {
    const { number } = this.#selected;
    const list = this.#list('Commits', this.#journal.commits.toReversed(), (one: CommitEntry) => ({
      text: `#${one.number} ${one.cause}: ${one.rows.length} rows`,
      isCurrent: one.number === number,
      place: { tab: 'Commits', number: one.number },
    }));
    const found = this.#journal.commits.find((one) => one.number === number);
    return [list, this.#detail(found && commitDetail(found, this.#go))];
  }

  #shown(): readonly HTMLElement[] {
    const { key } = this.#selected;
    const shown = this.#journal.shown();
    const list = this.#list('Answers on the screen', shown, (one: ShownEntry) => ({
      text: `${one.key}: changed ${one.changes.length} times`,
      isCurrent: one.key === key,
      place: { tab: 'Screen', key: one.key },
    }));
    const found = shown.find((one) => one.key === key);
    return [list, this.#detail(found && shownDetail(found, this.#go))];
  }

  #list<Item>(
    label: string,
    items: readonly Item[],
    lineOf: (item: Item) => { readonly text: string; readonly isCurrent: boolean; readonly place: Selection },
  ): HTMLElement {
    const lines = new LongList<Item>(label, (item) => {
      const { text, isCurrent, place } = lineOf(item);
      const current = isCurrent ? 'true' : undefined;
      const at = JSON.stringify(place);
      return element(
        'button',
        { class: 'line', 'aria-current': current, 'data-at': at, onclick: () => this.#go(place) },
        text,
      );
    });
    const isFound = (item: Item): boolean => lineOf(item).text.toLowerCase().includes(this.#search);
    lines.show(this.#search === '' || label === 'Tables' ? items : items.filter(isFound));
    return lines.element;
  }

  #detail(inside: HTMLElement | false | undefined): HTMLElement {
    return element(
      'div',
      { class: 'detail', 'aria-label': 'Details' },
      inside || element('p', { class: 'dim' }, 'Choose a line.'),
    );
  }
}

function timeOf({ startedAt, endedAt }: RequestEntry): string {
  return endedAt === undefined ? '' : `${Math.round(endedAt - startedAt)} ms`;
}
