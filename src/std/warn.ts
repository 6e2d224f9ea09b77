import { withAddress } from './data-error.ts';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

const warned: WeakMap<object, Set<string>> = /* #__PURE__ */ new WeakMap();

/**
 * Warns of a likely mistake, in development, and once for each `about`. `text` checks for the mistake and returns the warning, or `undefined`.
 * It runs in development only, and a production bundle contains neither it nor this function.
 */
export function warn(about: object, code: string, text: () => string | undefined): void {
  try {
    // Bundlers replace the expression by its value.
    if (process.env.NODE_ENV !== 'production') {
      const message = text();
      const known = warned.get(about) ?? new Set();
      if (message === undefined || known.has(message)) return;
      warned.set(about, known.add(message));
      // oxlint-disable-next-line no-console -- The one place that does.
      console.warn(withAddress(message, code));
    }
  } catch {
    // A page that was not bundled has no `process`.
  }
}
