/** The schema of a field, declared by a class of the table. All classes of a table share it. */
export interface Relation {
  readonly name: string;
  /** The declared schema. */
  schema: unknown;
  /** Whether responses had nested records in this field, and not only pks. */
  isNested: boolean;
  /** The version in which the declaration last changed. */
  declaredIn: number;
}

/** The fields that classes of one table declare, by name. If two classes declare the same field, the later one counts. */
export class Relations extends Map<string, Relation> {
  /** The classes of the table, with their last known `static schema`. */
  readonly #schemas = new Map<object, unknown>();
  /** Fields that had nested records in the store from which their rows were restored. */
  readonly #restored = new Set<string>();
  #sharedCopy: Relations | undefined = undefined;

  /** Returns a copy of the present declarations. It is the same object until a declaration changes. */
  get sharedCopy(): Relations {
    return (this.#sharedCopy ??= this.copy());
  }

  /** Returns a copy that can change separately. */
  copy(): Relations {
    const copy = new Relations();
    for (const [name, relation] of this) copy.set(name, { ...relation });
    for (const [entity, schema] of this.#schemas) copy.#schemas.set(entity, schema);
    for (const name of this.#restored) copy.#restored.add(name);
    copy.version = this.version;
    return copy;
  }

  /** Returns the fields that are read differently than with the relations `before`. */
  othersThan(before: Relations): readonly string[] {
    const isOther = ({ name, schema, isNested }: Relation): boolean => {
      const then = before.get(name);
      return then?.schema !== schema || then?.isNested !== isNested;
    };
    return [...this.values()].filter(isOther).map(({ name }) => name);
  }

  /** Whether several classes read the table. */
  get isShared(): boolean {
    return this.#schemas.size > 1;
  }

  /** Sets whether responses have nested records in a field. */
  nest(relation: Relation, isNested: boolean): void {
    relation.isNested = isNested;
    this.#sharedCopy = undefined;
  }

  /** Returns the fields in which responses have nested records. */
  *nested(): Generator<string> {
    for (const { name, isNested } of this.values()) if (isNested) yield name;
  }

  /** Notes a field that had nested records in the store from which rows were restored. */
  restore(name: string): void {
    this.#restored.add(name);
    this.#sharedCopy = undefined;
    const relation = this.get(name);
    if (relation !== undefined) this.nest(relation, true);
  }

  /** Counts changes of declarations. */
  version = 0;

  /** Returns the names of the fields whose declaration has changed since a version. */
  namesSince(version: number): readonly string[] {
    return [...this.values()].filter(({ declaredIn }) => declaredIn > version).map(({ name }) => name);
  }

  /** Returns whether the schema of a class has changed since the last call. */
  hasNewSchema(entity: { readonly schema: unknown }): boolean {
    const hasNewSchema = this.#schemas.get(entity) !== entity.schema;
    this.#schemas.set(entity, entity.schema);
    if (hasNewSchema) this.#sharedCopy = undefined;
    return hasNewSchema;
  }

  /** Declares the schema of a field. `isSame` returns whether two schemas read the same value. */
  relate(name: string, schema: unknown, isSame: (one: unknown, other: unknown) => boolean): Relation {
    const known = this.get(name);
    if (known !== undefined && isSame(known.schema, schema)) return known;
    const declaredIn = ++this.version;
    this.#sharedCopy = undefined;
    if (known !== undefined) return Object.assign(known, { schema, declaredIn });
    const relation = { name, schema, isNested: this.#restored.has(name), declaredIn };
    this.set(name, relation);
    return relation;
  }
}
