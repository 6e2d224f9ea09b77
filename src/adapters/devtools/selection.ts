export const TABS = ['Tables', 'Model', 'Requests', 'Commits', 'Renders', 'Screen'] as const;
export type Tab = (typeof TABS)[number];

/** What is looked at in the panel. */
export interface Selection {
  readonly tab: Tab;
  readonly table?: string;
  readonly pk?: string;
  readonly number?: number;
  readonly key?: string;
}

/** Shows another place of the panel. */
export type Go = (place: Selection) => void;
