/** The collection and the records in the schema of an endpoint. */
import type { Collection } from '../schema/collection.ts';
import type { CollectionItem } from '../schema/collection-options.ts';
import type { Denormalize, EntityLike, IsAny, Loose } from '../schema/infer-schema.ts';
import type { Union } from '../schema/union.ts';
import type { Option } from './infer-args.ts';

/** The first collection in a schema. */
export type CollectionIn<S> =
  S extends Collection<Loose, Loose>
    ? S
    : S extends { readonly schema: infer Inner; readonly '~types': Loose }
      ? CollectionIn<Inner>
      : S extends (...args: never[]) => unknown
        ? never
        : S extends abstract new (...args: never[]) => unknown
          ? never
          : S extends Readonly<Record<string, unknown>>
            ? { [name in keyof S]: CollectionIn<S[name]> }[keyof S]
            : never;

type MembersIn<S> =
  CollectionIn<S> extends infer C
    ? [C] extends [never]
      ? Loose
      : C extends Collection<infer Members, Loose>
        ? Denormalize<CollectionItem<Members>>
        : Loose
    : never;

/** The records that an endpoint reads or changes. */
export type RecordIn<O> =
  IsAny<O> extends true
    ? Loose
    : Option<O, 'schema', undefined> extends infer S
      ? S extends EntityLike | Union
        ? Denormalize<S>
        : S extends readonly (infer Item)[]
          ? Denormalize<Item>
          : MembersIn<S>
      : never;
/** The names of the fields of records. For a union, the names of all its members. */
export type FieldsOf<Value> = IsAny<Value> extends true ? Loose : Value extends unknown ? keyof Value & string : never;
