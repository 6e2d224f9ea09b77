/** In a value of the model: the object of a record or list. Two refs of one name must be one object. */
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

/** In a value of the model: the temporary pk of a new record, and later its pk on the server. */
export class Temporary {
  readonly name: string;
  /** The temporary pk in the store. `undefined` until the record was read. */
  actual: string | undefined = undefined;
  /** The pk on the server. `undefined` until the create is confirmed. */
  becomes: string | undefined = undefined;

  constructor(name: string) {
    this.name = name;
  }

  toString(): string {
    return this.becomes ?? this.name;
  }
}

/** The name of the table in which the model has the answers of requests. */
export const ANSWERS = '(answers)';

/** A pk that means every row of a table, including deleted rows. */
export const EVERY = '(every)';

/** In a value of the model: the error of a field whose function threw. */
export const UNREADABLE: unique symbol = Symbol('unreadable');
