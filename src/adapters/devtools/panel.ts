import { messageOf } from '../../std/thrown.ts';
import { element } from './elements.ts';
import type { Journal } from './journal.ts';
import { type RecordedSession, sessionAt } from './recorded-session.ts';
import { type Selection, TABS } from './selection.ts';
import { importedSession, sessionText } from './session-file.ts';
import { STYLE } from './style.ts';
import { tabParts } from './panel-tabs.ts';

/** The shortest time between two redraws, in milliseconds. */
const MIN_REDRAW_PAUSE = 100;
/** The duration of a click, in milliseconds. */
const CLICK_DURATION = 500;

/** The panel of the developer tools, in a shadow root, so that styles of the page do not affect it. */
export class Panel {
  readonly element: HTMLElement = document.createElement('rejoin-devtools');
  readonly #root: ShadowRoot = this.element.attachShadow({ mode: 'open' });
  readonly #journal: Journal;
  readonly #secrets: readonly string[];
  readonly #body: HTMLElement = element('div', { class: 'body' });
  readonly #tabs: HTMLElement = element('div', { role: 'tablist', 'aria-label': 'Rejoin' });
  readonly #notice: HTMLElement = element('div', { role: 'status', class: 'notice' });
  readonly #stop: () => void;
  #selected: Selection = { tab: 'Tables' };
  #search = '';
  #isOpen = false;
  /** An imported session that is shown instead of the present one. */
  #imported: RecordedSession | undefined;
  /** An earlier state of the imported or the present session, which is shown instead of it. */
  #earlier: RecordedSession | undefined;
  #problem: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(journal: Journal, secrets: readonly string[]) {
    this.#journal = journal;
    this.#secrets = secrets;
    this.#stop = journal.subscribe(() => this.#drawSoon());
    // An element that is redrawn between mousedown and mouseup gets no click event.
    this.element.addEventListener('pointerdown', () => this.#drawSoon(CLICK_DURATION));
    this.#frame();
  }

  remove(): void {
    clearTimeout(this.#timer);
    this.#stop();
    this.element.remove();
  }

  readonly #toggle = (): void => {
    this.#isOpen = !this.#isOpen;
    this.#frame();
  };

  #frame(): void {
    const style = element('style', {}, STYLE);
    const open = element('button', { class: 'open', onclick: this.#toggle }, 'Rejoin');
    const panel = this.#isOpen
      ? element(
          'aside',
          { class: 'panel', 'aria-label': 'Rejoin developer tools' },
          this.#toolbar(),
          this.#notice,
          this.#body,
        )
      : element('aside', { 'aria-label': 'Rejoin developer tools' }, open);
    this.#root.replaceChildren(style, panel);
    if (this.#isOpen) this.#draw();
  }

  #toolbar(): HTMLElement {
    const search = document.createElement('input');
    Object.assign(search, { type: 'search', placeholder: 'Search', value: this.#search, ariaLabel: 'Search' });
    search.addEventListener('input', () => {
      this.#search = search.value.toLowerCase();
      this.#draw();
    });
    const file = document.createElement('input');
    Object.assign(file, { type: 'file', accept: '.json', hidden: true });
    file.addEventListener('change', () => void this.#import(file));
    return element(
      'div',
      { class: 'bar' },
      this.#tabs,
      search,
      element('button', { onclick: () => this.#journal.clear() }, 'Clear'),
      element('button', { onclick: () => this.#export() }, 'Export'),
      element('button', { onclick: () => file.click() }, 'Import'),
      file,
      element('button', { 'aria-label': 'Close', onclick: this.#toggle }, '✕'),
    );
  }

  #export(): void {
    const blob = new Blob([sessionText(this.#imported ?? this.#journal, this.#secrets)], { type: 'application/json' });
    const link = document.createElement('a');
    Object.assign(link, { href: URL.createObjectURL(blob), download: 'rejoin-session.json' });
    link.click();
    URL.revokeObjectURL(link.href);
  }

  async #import({ files }: HTMLInputElement): Promise<void> {
    try {
      this.#problem = undefined;
      const text = await files?.[0]?.text();
      if (text !== undefined) this.#show(importedSession(text), undefined);
    } catch (error) {
      this.#problem = messageOf(error);
    }
    this.#draw();
  }

  /** The data to show: an imported session or the present one, or an earlier state of either. */
  #show(imported: RecordedSession | undefined, earlier: RecordedSession | undefined): void {
    this.#imported = imported;
    this.#earlier = earlier;
    this.#draw();
  }

  readonly #lookAt = (number: number): void => {
    this.#selected = { tab: 'Tables' };
    this.#show(this.#imported, sessionAt(this.#imported ?? this.#journal, number));
  };

  #drawSoon(pause?: number): void {
    // A recorded session does not change.
    const isRecorded = this.#imported !== undefined || this.#earlier !== undefined;
    if (!this.#isOpen || isRecorded || (this.#timer !== undefined && pause === undefined)) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#draw();
    }, pause ?? MIN_REDRAW_PAUSE);
  }

  readonly #go = (selection: Selection): void => {
    this.#selected = selection;
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
    this.#notice.replaceChildren(...this.#notices());
    const scrolled = Array.from(this.#body.children, ({ scrollTop }) => scrollTop);
    this.#body.className = `body ${tab.toLowerCase()}`;
    const parts = tabParts({
      session: this.#earlier ?? this.#imported ?? this.#journal,
      selected: this.#selected,
      search: this.#search,
      go: this.#go,
      lookAt: this.#lookAt,
    });
    this.#body.replaceChildren(...parts);
    Array.from(this.#body.children).forEach((part, at) => part.scrollTo(0, scrolled[at] ?? 0));
    const found = [...this.#root.querySelectorAll<HTMLElement>('[data-at]')];
    if (focused) found.find((one) => one.getAttribute('data-at') === focused)?.focus({ preventScroll: true });
  }

  /** Returns a note that the panel does not show the present, with buttons that lead back. */
  #notices(): HTMLElement[] {
    const [imported, earlier, problem] = [this.#imported, this.#earlier, this.#problem];
    return [
      ...(problem === undefined ? [] : [element('p', { class: 'bad' }, problem)]),
      ...(imported === undefined
        ? []
        : [
            element(
              'p',
              {},
              'A session from a file. ',
              button('back to this page', () => this.#show(undefined, undefined)),
            ),
          ]),
      ...(earlier === undefined
        ? []
        : [
            element(
              'p',
              {},
              `The tables after commit #${earlier.until ?? ''}. The page is as it was. `,
              ...this.#steps(earlier).map(([text, number]) => button(text, () => this.#lookAt(number))),
              button('latest', () => this.#show(imported, undefined)),
            ),
          ]),
    ];
  }

  /** Returns the commits before and after the shown state. */
  #steps({ commits, until }: RecordedSession): (readonly [text: string, number: number])[] {
    const at = commits.findIndex(({ number }) => number === until);
    const [before, after] = [commits[at - 1], commits[at + 1]];
    return [
      ...(before ? [['earlier', before.number] as const] : []),
      ...(after ? [['later', after.number] as const] : []),
    ];
  }
}

function button(text: string, onclick: () => void): HTMLElement {
  return element('button', { class: 'link', 'data-at': text, onclick }, text);
}
