/** What stands behind a field, as far as a class of the table says so. All classes of a table know it. */
export interface Relation {
  readonly name: string;
  /** What is there. */
  schema: unknown;
  /** Whether a response had records in this field, and not only their pks. */
  isNested: boolean;
  /** Whether a write that is under way has found that out. */
  isNoted: boolean;
}

/** What the classes of a table say of their fields; of two that say something, the later one counts. */
export class Relations {
  readonly #relations = new Map<string, Relation>();
  /** The version in which something new was said of a field last. */
  readonly #said = new Map<string, number>();
  /** What each class has said last. */
  readonly #schemas = new WeakMap<object, unknown>();
  /** The classes of the table. */
  readonly classes: Set<object> = new Set();
  /** Fields that had records in them when their rows were filed elsewhere. */
  readonly #restored = new Set<string>();

  /** The fields that responses have records in. */
  *nested(): Generator<string> {
    for (const { name, isNested } of this.#relations.values()) if (isNested) yield name;
  }

  /** Rows come from a store in which a field had records in it. */
  restore(name: string): void {
    this.#restored.add(name);
    const relation = this.#relations.get(name);
    if (relation !== undefined) relation.isNested = true;
  }

  /** Counts what classes have said that was new. */
  version = 0;

  /** The names of those of which a class has said something new since a version. */
  namesSince(version: number): readonly string[] {
    return [...this.#said].filter(([, at]) => at > version).map(([name]) => name);
  }

  [Symbol.iterator](): Iterator<Relation> {
    return this.#relations.values();
  }

  /** Whether a class says something that it has not said before. */
  isNews(entity: { readonly schema: unknown }): boolean {
    const isNews = this.#schemas.get(entity) !== entity.schema;
    this.#schemas.set(entity, entity.schema);
    return isNews;
  }

  find(name: string): Relation | undefined {
    return this.#relations.get(name);
  }

  /** A class says what stands behind a field. `isSame` tells whether two schemas read the same. */
  relate(name: string, schema: unknown, isSame: (one: unknown, other: unknown) => boolean): Relation {
    const known = this.#relations.get(name);
    if (known !== undefined && isSame(known.schema, schema)) return known;
    const relation = known ?? { name, schema, isNested: this.#restored.has(name), isNoted: false };
    relation.schema = schema;
    this.#relations.set(name, relation);
    this.#said.set(name, ++this.version);
    return relation;
  }
}
