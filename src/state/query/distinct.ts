import { isUnordered } from '../../define/query/description.ts';
import type { OfGroups } from '../../define/query/infer-source.ts';
import { Grouping } from './group-cell.ts';
import { LiveQuery } from './live-query.ts';

/** Keeps each value of a query once, for example each result of `select()`. Sorted by value. `null` is a value, and `undefined` is none. `distinct(from(Post).select((post) => post.title))` */
export function distinct<Item, Args extends readonly unknown[], Source>(
  query: LiveQuery<Item, Args, Source>,
): LiveQuery<Item, Args, OfGroups<Source>>;
export function distinct(query: LiveQuery): unknown {
  const { select, ...whole } = query.description;
  const description = { ...whole, select: undefined };
  const isSelecting = select !== undefined && isUnordered(description);
  const by = isSelecting ? select : (item: unknown): unknown => item;
  return (isSelecting ? new LiveQuery(description) : query).next(new Grouping(undefined, by, {}));
}
