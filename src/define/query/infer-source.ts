import type { AnyClass, List } from '../schema/infer-schema.ts';

/** The source of a query of other items than records of a class: of joined records, or of the result of another query. @hidden */
export interface ItemsOf<Class> {
  /** Exists only in types. */
  readonly '~class': Class;
}

/** The source of a query that adds relations to such items. Its conditions and orders see the items without them. @hidden */
export interface Rows<Row, Class> extends ItemsOf<Class> {
  /** Exists only in types. */
  readonly '~row': Row;
}

/** The source of a query after `select()`. Its conditions and orders see the records. @hidden */
export interface Selected<Row> {
  /** Exists only in types. */
  readonly '~row': Row;
  /** Exists only in types. */
  readonly '~selected': true;
}

/** The source of a query whose result is not a list. @hidden */
export interface Returning<Result extends 'one' | 'count' | 'exists', Source> {
  /** Exists only in types. */
  readonly '~result': Result;
  /** Exists only in types. */
  readonly '~source': Source;
}

/** What the conditions and orders of a query see. */
export type RowOf<Item, Source> = Source extends AnyClass
  ? InstanceOf<Source>
  : Source extends { readonly '~row': infer Row }
    ? Row
    : Source extends { readonly '~source': infer Inner }
      ? RowOf<Item, Inner>
      : Item;

/** The class of the records of a query. `unknown` without one. */
export type ClassOf<Source> = Source extends AnyClass
  ? Source
  : Source extends { readonly '~class': infer Class }
    ? Class
    : Source extends { readonly '~source': infer Inner }
      ? ClassOf<Inner>
      : unknown;

/** The source of the list of a query. */
export type ListSource<Source> = Source extends { readonly '~source': infer Inner } ? Inner : Source;

/** The source of a query with relations in its items. */
export type SourceWith<Item, Source> = Source extends AnyClass | { readonly '~row': unknown }
  ? Source
  : Source extends Returning<infer Result, infer Inner>
    ? Returning<Result, SourceWith<Item, Inner>>
    : Rows<Item, ClassOf<Source>>;

/** The source of a query of the items of another query. */
export type OfItems<Source> = Source extends AnyClass
  ? ItemsOf<Source>
  : Source extends Returning<infer Result, infer Inner>
    ? Returning<Result, OfItems<Inner>>
    : Source extends { readonly '~class': infer Class }
      ? unknown extends Class
        ? unknown
        : ItemsOf<Class>
      : unknown;

/** The source of a query of a query. */
export type FromQuery<Item, Source> = Source extends AnyClass
  ? [InstanceOf<Source>] extends [Item]
    ? Source
    : ItemsOf<Source>
  : OfItems<Source>;

/** An error of the compiler for a query of a query that has no list of items. */
export type ListOnly<Source> =
  Source extends Returning<infer Result, unknown>
    ? `A query of a query reads a list. Leave out ${Result}() of the inner one.`
    : unknown;

/** The source of a query of groups. */
export type OfGroups<Source> = Source extends Returning<infer Result, unknown> ? Returning<Result, unknown> : unknown;

/** The source of a query with a `select()`. */
export type Selecting<Item, Source> =
  Source extends Returning<infer Result, infer Inner>
    ? Returning<Result, Selected<RowOf<Item, Inner>>>
    : Selected<RowOf<Item, Source>>;

/** The value of a query. */
export type ValueOfQuery<Item, Source> =
  Source extends Returning<infer Result, unknown>
    ? Result extends 'one'
      ? Item | undefined
      : Result extends 'count'
        ? number
        : boolean
    : List<Item>;

export type InstanceOf<Class extends AnyClass> = Class extends { readonly prototype: infer Instance }
  ? Instance
  : never;

/** An error of the compiler for a second `select()`. */
export type SelectedOnce<Source> = Source extends { readonly '~selected': true }
  ? 'This query has a select() already. Write from(query).select(…).'
  : unknown;
