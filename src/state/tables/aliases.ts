/** Temporary pks of one table, each with the pk that the server assigned in its place. */
export class Aliases extends Map<string, string> {
  readonly #temporaries = new Map<string, Set<string>>();

  /** Returns the temporary pk under which a record was first created here, if it was. */
  temporaryOf(server: string): string | undefined {
    return this.#temporaries.get(server)?.values().next().value;
  }

  /** Returns whether a temporary pk is an alias of this record here, and was not in `before`. */
  isNewAlias(server: string, before: Aliases | undefined): boolean {
    for (const temporary of this.#temporaries.get(server) ?? []) if (before?.get(temporary) !== server) return true;
    return false;
  }

  override set(temporary: string, server: string): this {
    const temporaries = this.#temporaries.get(server) ?? new Set<string>();
    this.#temporaries.set(server, temporaries.add(temporary));
    return super.set(temporary, server);
  }

  override delete(temporary: string): boolean {
    const server = this.get(temporary) ?? '';
    const temporaries = this.#temporaries.get(server);
    temporaries?.delete(temporary);
    if (temporaries?.size === 0) this.#temporaries.delete(server);
    return super.delete(temporary);
  }

  override clear(): void {
    this.#temporaries.clear();
    super.clear();
  }

  copy(): Aliases {
    const copy = new Aliases();
    for (const [temporary, server] of this) copy.set(temporary, server);
    return copy;
  }
}
