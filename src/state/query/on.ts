import { checkField } from '../../define/query/check-argument.ts';
import type { FieldName } from '../../define/query/infer-condition.ts';
import type { JoinBy, JoinKind } from '../../define/query/infer-query.ts';
import type { OrderStep } from '../../define/query/order.ts';
import { Joining } from './join-cell.ts';
import type { Operator } from './operator.ts';

/** The values that must be equal in two joined records. */
export class JoinOn<Mine = unknown, Theirs = unknown> {
  /** Exists only in types. */
  declare readonly '~on': { readonly mine: Mine; readonly theirs: Theirs };
  /** @internal */
  readonly joining: (name: string, other: unknown, isLeft: boolean) => Operator;

  constructor(mine: OrderStep['by'], theirs: OrderStep['by']) {
    this.joining = (name, other, isLeft) => new Joining(name, other, mine, theirs, isLeft);
  }
}

/** The pairs of keys by which an item and another one can be equal. */
export type CanBeEqual<Item, Other> = {
  [kind in JoinKind]: JoinOn<JoinBy<Item, kind>, JoinBy<Other, kind>>;
}[JoinKind];

/** For the error of the compiler about a wrong `on()`: it names the field that an item or another one has not, or says that both have other kinds of values. */
export type WrongOn<Item, Other> = JoinOn<
  FieldName<Item> | ((record: Item) => unknown),
  FieldName<Other> | ((record: Other) => unknown)
> &
  'Their values are never equal: they are of different kinds.';

/**
 * Joins records that are equal: the value of `mine`, a field or a function, equals that of `theirs`.
 * `from(Post).join('author', User, on('authorId', 'id'))`.
 */
export function on<const Mine extends OrderStep['by'], const Theirs extends OrderStep['by']>(
  mine: Mine,
  theirs: Theirs,
): JoinOn<Mine, Theirs> {
  checkField('on()', mine);
  checkField('on()', theirs);
  return new JoinOn(mine, theirs);
}
