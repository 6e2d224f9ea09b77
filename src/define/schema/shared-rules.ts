import { warn } from '../../std/warn.ts';
import type { ListOptions } from './list-rules.ts';

/** A collection whose options decide which records its lists have. */
type Ruled = { readonly key: string } & Partial<ListOptions>;

/** Warns of two collections that share their lists, and have different rules. The rules of the later one count for both. */
export function checkSharedRules(former: Ruled, later: Ruled): void {
  warn(later, 'list-rules-shared', () => {
    const options = ['where', 'page', 'total', 'create', 'orderBy'] as const;
    const [texts = [], laterTexts = []] = [former, later].map((rules) =>
      options.map((name) =>
        // A module that is loaded again, as by Fast Refresh, makes its functions again, with the same text.
        JSON.stringify(rules[name], (_, value: unknown) =>
          typeof value === 'function' || typeof value === 'symbol' ? String(value) : value,
        ),
      ),
    );
    const differing = options.filter((_, at) => texts[at] !== laterTexts[at]);
    return differing.length === 0
      ? undefined
      : `Two collections of ${later.key} have other values of ${differing.join(' and ')}. Their lists are kept together, so the rules of the later ` +
          'one count for both. Use one collection, such as getList.schema, wherever a list has these records.';
  });
}
