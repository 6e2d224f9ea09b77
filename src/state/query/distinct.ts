import { isUnordered } from '../../define/query/description.ts';
import { Grouping } from './group-cell.ts';
import { LiveQuery } from './live-query.ts';

/** Keeps each value of a query once, for example each result of `select()`. Sorted by value. `null` is a value, and `undefined` is none. `distinct(from(Post).select((post) => post.title))` */
export function distinct<
  Row,
  Item,
  Named,
  Owner extends readonly unknown[],
  R extends 'list' | 'one' | 'count' | 'exists',
>(query: LiveQuery<Row, Item, Named, Owner, R>): LiveQuery<Item, Item, Named, Owner, R>;
export function distinct(query: LiveQuery): unknown {
  const { select, ...whole } = query.description;
  const description = { ...whole, select: undefined };
  const isSelecting = select !== undefined && isUnordered(description);
  const by = isSelecting ? select : (item: unknown): unknown => item;
  return (isSelecting ? new LiveQuery(description) : query).next(new Grouping(undefined, by, {}));
}
