export const NAMES: readonly string[];
/** Returns what a query of TanStack DB shows at first, and after each change. */
export function shownBy(
  name: string,
  rows: Readonly<Record<string, readonly object[]>>,
  changes: readonly (readonly [kind: string, id: number, fields?: object])[],
): Promise<readonly (readonly object[])[]>;
