export const TABS = ['Tables', 'Model', 'Requests', 'Commits', 'Renders', 'Screen'] as const;
export type Tab = (typeof TABS)[number];

/** The selected place in the panel. */
export interface Selection {
  readonly tab: Tab;
  readonly table?: string;
  readonly pk?: string;
  readonly number?: number;
  readonly key?: string;
}

/** Selects another place. */
export type Go = (place: Selection) => void;
