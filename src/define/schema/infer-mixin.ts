import type { EntityIndex } from './indexes.ts';
import type { StandardSchema } from '../../std/standard-schema.ts';
import type { Entity } from './entity.ts';
import type { AbstractInstanceType, Loose } from './infer-schema.ts';

/** The classes that `EntityMixin` accepts: all. */
export type MixinBase = abstract new (...args: Loose[]) => object;

type Statics = typeof Entity;
type Hook =
  | 'process'
  | 'validate'
  | 'createIfValid'
  | 'merge'
  | 'mergeWithStore'
  | 'shouldUpdate'
  | 'shouldReorder'
  | 'mergeMetaWithStore'
  | 'queryKey';

/** The second argument of `EntityMixin`: the statics of an entity, and its pk. */
export interface EntityOptions<Instance> extends Partial<Pick<Statics, Hook>> {
  /** The field that is the pk, or a function that returns the pk of a record. Default: the field `id`. */
  readonly pk?:
    | (keyof Instance & string)
    | ((value: Instance, parent?: Loose, key?: string) => string | number | undefined);
  readonly key?: string;
  readonly schema?: { readonly [field in keyof Instance]?: unknown };
  readonly indexes?: readonly EntityIndex<keyof Instance & string>[];
  readonly maxEntityDepth?: number;
  readonly validator?: StandardSchema;
}

type SchemaOf<Options> = Options extends { readonly schema: infer Map extends object }
  ? { -readonly [field in keyof Map]: Map[field] }
  : Record<string, Loose>;

/** The member that every record has. A method, so that classes can override it. */
interface MixedRecord {
  pk(parent?: Loose, key?: string, args?: readonly Loose[]): string | number | undefined;
}

/** The class that `EntityMixin` returns for `Base`. */
export type Mixed<Base extends MixinBase, Options> = Base &
  (new (...args: Loose[]) => MixedRecord) & { schema: SchemaOf<Options> } & {
    readonly prototype: AbstractInstanceType<Base> & MixedRecord;
  } & Omit<Statics, 'prototype' | 'schema'>;
