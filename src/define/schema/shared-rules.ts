import { warn } from '../../std/warn.ts';
import type { ListOptions } from './list-rules.ts';

/** A collection whose options decide which records its lists have. */
type Ruled = { readonly key: string } & Partial<ListOptions>;

const OPTIONS = ['where', 'page', 'total', 'create', 'orderBy'] as const;

/** Warns of two collections that share their lists, and have different rules. The rules of the later one count for both. */
export function checkSharedRules(former: Ruled, later: Ruled): void {
  warn(later, 'list-rules-shared', () => {
    const differing = OPTIONS.filter((name) => textOf(former[name]) !== textOf(later[name]));
    return differing.length === 0
      ? undefined
      : `Two collections of ${later.key} have other values of ${differing.join(' and ')}. Their lists are kept together, so the rules of the later ` +
          'one count for both. Use one collection, such as getList.schema, wherever a list has these records.';
  });
}

/** A module that is loaded again, as by Fast Refresh, makes its functions again, with the same text. */
function textOf(option: unknown): string {
  return JSON.stringify(option, (_, value: unknown) =>
    typeof value === 'function' || typeof value === 'symbol' ? String(value) : value,
  );
}
