/** Public aliases of the types of schemas. */
import type { Loose } from './infer-schema.ts';
import type { Kinds } from './polymorphic.ts';
import type { NormalizeDelegate } from './delegate.ts';
import type { SchemaSimple } from './schema.ts';

/** The primary key of a record, as it is stored. */
export type PK = string;
/** An instance of a schema class. @hidden */
export type SchemaClass = SchemaSimple;
/** A schema that holds records of one class, or of several. @hidden */
export interface PolymorphicInterface extends SchemaSimple {
  /** One schema, or a map of schemas by name. */
  readonly schema: Loose;
  readonly kinds: Kinds;
}
/** Normalizes a part of the input: see `NormalizeDelegate`. */
export type Visit = NormalizeDelegate['visit'];
/** The type of the items of a list. */
export type ArrayElement<Items extends readonly unknown[]> = Items[number];
