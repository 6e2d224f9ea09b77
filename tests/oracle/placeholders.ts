/** Stands for the one object of a record or list in a value of the model. */
export class Ref {
  readonly table: string;
  readonly pk: string;
  readonly name: string;

  constructor(table: string, pk: string) {
    this.table = table;
    this.pk = pk;
    this.name = nameOf(table, pk);
  }
}

export function nameOf(table: string, pk: string): string {
  return `${table} ${pk}`;
}

/** Stands for a pk that the store makes up for a record that has none yet; later for the server's. */
export class Temporary {
  readonly #name: string;
  /** What the store calls it. */
  actual: string | undefined = undefined;
  becomes: string | undefined = undefined;

  constructor(name: string) {
    this.#name = name;
  }

  toString(): string {
    return this.becomes ?? this.#name;
  }
}

/** Stands for a table for the answers of requests. */
export const ANSWERS = '(answers)';

/** Stands, as a pk, for every row of a table, also those that are gone. */
export const EVERY = '(every)';

/** Stands for the error that a field holds when its function could not read it. */
export const UNREADABLE: unique symbol = Symbol('unreadable');
