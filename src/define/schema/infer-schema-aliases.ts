/** Types by the names that applications import, made of those that the schemas have. */
import type { Loose } from './infer-schema.ts';
import type { NormalizeDelegate, SchemaSimple } from './schema.ts';

/** The primary key of a record, as it is stored. */
export type PK = string;
/** An instance of a schema class. */
export type SchemaClass = SchemaSimple;
/** A schema that holds records of one kind, or of several. */
export interface PolymorphicInterface extends SchemaSimple {
  /** What it is made of: one schema, or a map of them by the names of their kinds. */
  readonly schema: Loose;
}
/** Files a part of what came: see `NormalizeDelegate`. */
export type Visit = NormalizeDelegate['visit'];
/** What a list is a list of. */
export type ArrayElement<Items extends readonly unknown[]> = Items[number];
