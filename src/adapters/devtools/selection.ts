/** The tabs of the panel, in order. */
export const TABS = ['Tables', 'Model', 'Requests', 'Commits', 'Renders', 'Screen'] as const;
export type Tab = (typeof TABS)[number];

/** The tab, and the table, record, request or commit in it, that the panel shows. */
export interface Selection {
  readonly tab: Tab;
  readonly table?: string;
  readonly pk?: string;
  readonly number?: number;
  readonly key?: string;
}

/** Shows another part of the panel. */
export type Go = (selection: Selection) => void;
