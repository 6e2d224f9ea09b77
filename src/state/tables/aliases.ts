/** Temporary pks, each with the pk that the server gave in its stead. */
export class Aliases extends Map<string, string> {
  readonly #temporaries = new Map<string, string>();

  /** The temporary pk under which a record was created first, if it was created here. */
  temporaryOf(server: string): string | undefined {
    return this.#temporaries.get(server);
  }

  override set(temporary: string, server: string): this {
    if (!this.#temporaries.has(server)) this.#temporaries.set(server, temporary);
    return super.set(temporary, server);
  }

  override delete(temporary: string): boolean {
    const server = this.get(temporary);
    if (server !== undefined && this.temporaryOf(server) === temporary) this.#temporaries.delete(server);
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
