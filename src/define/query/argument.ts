/** A placeholder in a query. Readers of the query pass the value under this name. */
export class Argument<Name extends string = string> {
  /** Exists only in types: an object that happens to have a `name` is not an argument. */
  declare readonly '~argument': Name;
  readonly name: Name;

  constructor(name: Name) {
    this.name = name;
  }
}

/** A value that readers of a query pass: `where({ userId: arg('userId') })` is read with `{ userId: 1 }`. */
export function arg<const Name extends string>(name: Name): Argument<Name> {
  return new Argument(name);
}

/** The values that a reader passed, by the names of the arguments. */
export type NamedArgs = Readonly<Record<string, unknown>>;
