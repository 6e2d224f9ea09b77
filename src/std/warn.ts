import { seePage } from './data-error.ts';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

const warned: WeakMap<object, Set<string>> = /* #__PURE__ */ new WeakMap();

/**
 * Tells of what looks like a mistake, in development and once for what it is about, unless there is nothing to tell. `text` looks,
 * and runs in development alone: nothing of a call stays in a production bundle, as nothing is left of this function there.
 */
export function warn(about: object, code: string, text: () => string | undefined): void {
  try {
    // Bundlers put the word itself here.
    if (process.env.NODE_ENV !== 'production') {
      const message = text();
      const known = warned.get(about) ?? new Set();
      if (message === undefined || known.has(message)) return;
      warned.set(about, known.add(message));
      // oxlint-disable-next-line no-console -- The one place that does.
      console.warn(`${message} ${seePage(code)}`);
    }
  } catch {
    // A page without a bundler has no process.
  }
}
