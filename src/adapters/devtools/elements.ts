type Child = Node | string | number | undefined | false;

interface Attributes {
  readonly [name: string]: string | boolean | ((event: Event) => void) | undefined;
}

/** Creates an element with attributes, listeners (`onclick`) and children. */
export function element(tag: string, attributes: Attributes = {}, ...children: readonly Child[]): HTMLElement {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : value);
  }
  for (const child of children)
    if (child !== undefined && child !== false) made.append(typeof child === 'number' ? String(child) : child);
  return made;
}

/** The height of a line of a list, in pixels. */
const LINE_HEIGHT = 24;
/** The number of lines drawn beyond the visible ones. */
const EXTRA_LINES = 8;

/** A list of any length. Only its visible lines are in the document. */
export class LongList<Item> {
  readonly element: HTMLElement;
  readonly #inside: HTMLElement;
  readonly #lineOf: (item: Item) => HTMLElement;
  #items: readonly Item[] = [];

  constructor(label: string, lineOf: (item: Item) => HTMLElement) {
    this.#lineOf = lineOf;
    this.#inside = element('div', { class: 'lines' });
    this.element = element(
      'div',
      { class: 'list', role: 'list', 'aria-label': label, tabindex: '0', onscroll: () => this.#draw() },
      this.#inside,
    );
  }

  show(items: readonly Item[]): void {
    this.#items = items;
    this.#inside.style.height = `${items.length * LINE_HEIGHT}px`;
    this.#draw();
  }

  #draw(): void {
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(0, Math.floor(scrollTop / LINE_HEIGHT) - EXTRA_LINES);
    const last = Math.ceil((scrollTop + (clientHeight || LINE_HEIGHT * 40)) / LINE_HEIGHT) + EXTRA_LINES;
    const lines = this.#items.slice(first, last).map((item, at) => {
      const line = this.#lineOf(item);
      line.style.top = `${(first + at) * LINE_HEIGHT}px`;
      return line;
    });
    this.#inside.replaceChildren(...lines);
  }
}
