import { createElement as h, type ReactNode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import type { Controller } from '../../src/index.ts';
import { DataProvider } from '../../src/react.ts';
import type { PagePart } from '../../src/adapters/ssr/page-part.ts';
import { fromScriptJson, takeOver, type TakenOver } from '../../src/ssr.ts';
import { type Api, api, type Node, Todo, treeOf } from './app.ts';

export interface Hydrated {
  /** The errors that React has reported. */
  readonly errors: readonly string[];
  /** Requests that the browser sent. */
  readonly asked: readonly string[];
  readonly html: string;
  /** The HTML of a fresh render of the same store. */
  readonly fresh: string;
}

/** A page that a browser gets batch by batch. */
export class Page {
  readonly root: HTMLElement;
  #isLoading = true;

  constructor() {
    document.body.innerHTML = '';
    this.root = document.body.appendChild(document.createElement('div'));
    // React reveals parts at most three times a second, counted from this time. Here it reveals them at once.
    Object.defineProperty(globalThis, '$RT', { configurable: true, get: () => undefined, set: () => {} });
    Object.defineProperty(document, 'readyState', {
      configurable: true,
      get: () => (this.#isLoading ? 'loading' : 'complete'),
    });
  }

  /** Parses the next batch, and runs its scripts. */
  async arrive(html: string): Promise<void> {
    this.root.insertAdjacentHTML('beforeend', html);
    const scripts = [...this.root.querySelectorAll('script:not([type])')];
    // Observers are notified before a script of the page runs.
    await Promise.resolve();
    for (const script of scripts) {
      script.remove();
      try {
        // oxlint-disable-next-line no-eval -- as a browser does with the scripts of React
        (0, eval)(script.textContent ?? '');
      } catch (error) {
        // React has discarded the HTML of the server.
        console.error(error);
      }
    }
  }

  end(): void {
    this.#isLoading = false;
    document.dispatchEvent(new Event('DOMContentLoaded'));
  }
}

/** Hydrates after `early` batches. The others arrive while React hydrates. Then the data is changed. */
export async function hydrated(
  node: Node,
  batches: readonly string[],
  early: number,
  prepare: (controller: Controller) => void = () => {},
  change: (controller: Controller) => void = () => {},
): Promise<Hydrated> {
  const errors: string[] = [];
  const asked: string[] = [];
  const { error: report } = console;
  console.error = (...args: unknown[]) => void errors.push(args.map(String).join(' ').slice(0, 500));
  const own: Api = {
    answer: async (name, id) => {
      asked.push(`${name} ${id}`);
      return new Promise(() => {});
    },
  };
  api.current = own;
  const page = new Page();
  try {
    for (const batch of batches.slice(0, early)) await page.arrive(batch);
    const taken = takeOver();
    prepare(taken.controller);
    const root = hydrateRoot(page.root, provided(taken, treeOf(node)), {
      onRecoverableError: (error) =>
        errors.push(`recovered: ${String(error)} ${((error as Error).cause as Error | undefined)?.stack}`),
    });
    for (const batch of batches.slice(early)) {
      await turn();
      await page.arrive(batch);
    }
    page.end();
    await taken.whenComplete;
    await settled(page.root);
    change(taken.controller);
    const container = document.createElement('div');
    const again = createRoot(container);
    again.render(h(DataProvider, { controller: taken.controller }, treeOf(node)));
    await settled(container);
    // React may hydrate parts 300 ms later, so that fallbacks do not flicker.
    for (let turns = 0; plain(page.root) !== plain(container) && turns < 2000; turns++) await turn();
    const [html, fresh] = [plain(page.root), plain(container)];
    root.unmount();
    again.unmount();
    taken.controller.dispose();
    return { errors, asked, html, fresh };
  } finally {
    console.error = report;
  }
}

function provided({ controller, rendering }: TakenOver, children: ReactNode): ReactNode {
  return h(DataProvider, { controller, rendering }, children);
}

/** The HTML without the markers of React. */
function plain(element: HTMLElement): string {
  return element.innerHTML.replaceAll(/<!--.*?-->/g, '').replaceAll(/<template.*?<\/template>/g, '');
}

/** Returns when nothing has changed for a while, and no part waits to be revealed. */
async function settled(element: HTMLElement): Promise<void> {
  let before = '';
  for (let quiet = 0, turns = 0; quiet < 8 && turns < 400; turns++) {
    await turn();
    const now = element.innerHTML;
    quiet = now === before && !now.includes('<i>loading') ? quiet + 1 : 0;
    before = now;
  }
}

async function turn(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, 1));
}

/** Returns what is wrong with a page that arrives in batches, some of them before React begins. */
export async function faultsOf(node: Node, batches: readonly string[], seed: number): Promise<string[]> {
  const early = (seed % batches.length) + 1;
  const change = seed % 3 === 0 ? edit : () => {};
  const { errors, asked, html, fresh } = await hydrated(node, batches, early, () => {}, change);
  const scripts = [...batches.join('').matchAll(/<script type="application\/json"[^>]*>([^<]*)<\/script>/g)];
  const sent = scripts
    .flatMap(([, json = '']) => (fromScriptJson(json) as PagePart).states)
    .flatMap(({ results }) => results.map(([key]) => key));
  // The browser must not request data that the page contains.
  const again = asked.filter((what) => sent.includes(keyOf(what)));
  return [
    ...errors,
    ...again.map((what) => `asked for ${what} again`),
    ...(html === fresh ? [] : [`shows ${html} instead of ${fresh}`]),
  ];
}

/** Edits as a user makes them: a record is renamed, moved, added and removed. */
function edit(controller: Controller): void {
  const author = { id: 'u0', name: 'renamed' };
  void controller.set(Todo, { id: '1' }, { id: '1', title: 'new title', author });
  void controller.set(Todo, { id: 'new' }, { id: 'new', title: 'another', author });
  controller.store.invalidate(Todo, '2-more');
}

function keyOf(asked: string): string {
  const [name, id] = asked.split(' ');
  return `${name} ${JSON.stringify([{ [name === 'getTodos' ? 'list' : 'id']: id }])}`;
}
