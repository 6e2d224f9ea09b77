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

  /** How many are known. */
  get known(): number {
    return this.#relations.size;
  }

  /** The names of those that have become known since so many were. */
  namesFrom(known: number): readonly string[] {
    return [...this.#relations.keys()].slice(known);
  }

  [Symbol.iterator](): Iterator<Relation> {
    return this.#relations.values();
  }

  /** A class says what stands behind a field. */
  relate(name: string, schema: unknown): Relation {
    const relation = this.#relations.get(name) ?? {
      name,
      schema,
      isNested: this.#restored.has(name),
      isNoted: false,
    };
    relation.schema = schema;
    this.#relations.set(name, relation);
    return relation;
  }
}
