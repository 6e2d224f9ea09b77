/** Stands in a query for what its readers pass under this name. */
export class Argument<Name extends string = string> {
  /** For the compiler alone: a record with a name is none. */
  declare readonly '~argument': Name;
  readonly name: Name;

  constructor(name: Name) {
    this.name = name;
  }
}

/** What readers of a query pass: `where({ userId: arg('userId') })` is read with `{ userId: 1 }`. */
export function arg<const Name extends string>(name: Name): Argument<Name> {
  return new Argument(name);
}

/** What readers have passed, by name. */
export type NamedArgs = Readonly<Record<string, unknown>>;
