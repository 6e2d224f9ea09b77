/** A page in a browser other than Chromium. */
export interface OtherPage {
  /** Runs code in the page, and returns its value, which JSON can hold. */
  run(code: string): Promise<unknown>;
  goTo(url: string): Promise<void>;
  /** Goes to the former page of this tab. */
  goBack(): Promise<void>;
}

/** A browser other than Chromium. */
export interface OtherBrowser {
  /** Opens a page in a tab of its own, and waits until it is loaded. */
  open(url: string): Promise<OtherPage>;
  /** Ends all its processes. */
  kill(): Promise<void>;
}

/** Code whose value is the value of other code, as JSON. Without a value, JSON is `null`. */
export function asJson(code: string): string {
  return `(async () => JSON.stringify((await (0, eval)(${JSON.stringify(code)})) ?? null))()`;
}
