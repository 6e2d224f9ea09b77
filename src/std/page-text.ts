/** The globals of a page that are used. */
interface LocalPage {
  readonly document?: unknown;
  readonly localStorage?: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
}

/** Reads a text of `localStorage`. `null` if there is none, in workers, and where the browser forbids it. */
export function localText(key: string): string | null {
  try {
    return localStorageHere()?.getItem(key) ?? null;
  } catch {
    return null;
  }
}

/** Writes a text to `localStorage`, or deletes it. Does nothing in workers, and where the browser forbids it. */
export function setLocalText(key: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorageHere()?.removeItem(key);
    else localStorageHere()?.setItem(key, text);
  } catch {
    // The browser forbids it, or it is full.
  }
}

/** Node has a `localStorage` too, which warns. */
function localStorageHere(): LocalPage['localStorage'] {
  const page = globalThis as LocalPage;
  return page.document === undefined ? undefined : page.localStorage;
}
