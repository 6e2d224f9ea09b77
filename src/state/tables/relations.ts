/** What stands behind a field, as far as a class of the table says so. All classes of a table know it. */
export interface Relation {
  readonly name: string;
  /** What is there. */
  schema: unknown;
  /** Whether a response had records in this field, and not only their pks. */
  isNested: boolean;
  /** The version in which something new was said of it last. */
  said: number;
}

/** What the classes of a table say of their fields; of two that say something, the later one counts. */
export class Relations {
  readonly #relations = new Map<string, Relation>();
  /** The classes of the table, and what each has said last. */
  readonly #schemas = new Map<object, unknown>();
  /** Fields that had records in them when their rows were filed elsewhere. */
  readonly #restored = new Set<string>();
  #moment: Relations | undefined = undefined;

  /** What is said now, for others to keep: the same object until something else is said. */
  get moment(): Relations {
    return (this.#moment ??= this.copy());
  }

  /** The same, to be told other things from now on. */
  copy(): Relations {
    const copy = new Relations();
    for (const [name, relation] of this.#relations) copy.#relations.set(name, { ...relation });
    for (const [entity, schema] of this.#schemas) copy.#schemas.set(entity, schema);
    for (const name of this.#restored) copy.#restored.add(name);
    copy.version = this.version;
    return copy;
  }

  /** The fields that are read otherwise than by other relations of the same table. */
  othersThan(before: Relations): readonly string[] {
    const isOther = ({ name, schema, isNested }: Relation): boolean => {
      const then = before.#relations.get(name);
      return then?.schema !== schema || then?.isNested !== isNested;
    };
    return [...this.#relations.values()].filter(isOther).map(({ name }) => name);
  }

  add(entity: object): void {
    if (!this.#schemas.has(entity)) this.#schemas.set(entity, undefined);
  }

  /** Whether several classes read the table. */
  get isShared(): boolean {
    return this.#schemas.size > 1;
  }

  /** Responses have records in a field, or they have none after all. */
  nest(relation: Relation, isNested: boolean): void {
    relation.isNested = isNested;
    this.#moment = undefined;
  }

  /** The fields that responses have records in. */
  *nested(): Generator<string> {
    for (const { name, isNested } of this.#relations.values()) if (isNested) yield name;
  }

  /** Rows come from a store in which a field had records in it. */
  restore(name: string): void {
    this.#restored.add(name);
    this.#moment = undefined;
    const relation = this.#relations.get(name);
    if (relation !== undefined) this.nest(relation, true);
  }

  /** Counts what classes have said that was new. */
  version = 0;

  /** The names of those of which a class has said something new since a version. */
  namesSince(version: number): readonly string[] {
    return [...this.#relations.values()].filter(({ said }) => said > version).map(({ name }) => name);
  }

  [Symbol.iterator](): Iterator<Relation> {
    return this.#relations.values();
  }

  /** How many fields something is said of. */
  get size(): number {
    return this.#relations.size;
  }

  /** Whether a class says something that it has not said before. */
  isNews(entity: { readonly schema: unknown }): boolean {
    const isNews = this.#schemas.get(entity) !== entity.schema;
    this.#schemas.set(entity, entity.schema);
    if (isNews) this.#moment = undefined;
    return isNews;
  }

  find(name: string): Relation | undefined {
    return this.#relations.get(name);
  }

  /** A class says what stands behind a field. `isSame` tells whether two schemas read the same. */
  relate(name: string, schema: unknown, isSame: (one: unknown, other: unknown) => boolean): Relation {
    const known = this.#relations.get(name);
    if (known !== undefined && isSame(known.schema, schema)) return known;
    const said = ++this.version;
    this.#moment = undefined;
    if (known !== undefined) return Object.assign(known, { schema, said });
    const relation = { name, schema, isNested: this.#restored.has(name), said };
    this.#relations.set(name, relation);
    return relation;
  }
}
