/** A pk that a record had until the request with this issue was answered, and the pk that it has since. */
interface LaterPk {
  readonly to: string;
  readonly issue: number;
  /** When the edit was issued. */
  readonly edited: number;
}

/** The records of one table whose pks edits have changed. Another record can get a former pk, so data of a later request means that record. */
export class ChangedPks {
  readonly #changes = new Map<string, LaterPk>();
  readonly #keys = new Map<string, string>();
  #count = 0;

  /** Notes that a record has another pk. `key`: its React key. Returns an undo function. */
  add(from: string, change: LaterPk, key: string | undefined): () => void {
    const { to } = change;
    const changes = new Map(this.#changes);
    const keys = new Map(this.#keys);
    this.#changes.delete(to);
    this.#changes.set(from, change);
    if (key !== undefined) {
      this.#keys.set(to, key);
      // Another record with the former pk is another row on the screen.
      this.#keys.set(from, `${from}\n${++this.#count}`);
    }
    return () => {
      replaceAll(this.#changes, changes);
      replaceAll(this.#keys, keys);
    };
  }

  /** Returns the present pk of the record that had a pk when the request with this issue was sent. */
  pkNow(pk: string, issue: number): string {
    let now = pk;
    let since = issue;
    for (let change = this.#changes.get(pk); change !== undefined && change.issue > since;) {
      now = change.to;
      since = change.issue;
      change = this.#changes.get(now);
    }
    return now;
  }

  /**
   * Returns the present pk of a record whose create was issued at `issue` and is answered with this pk. If an edit of a record with this pk was
   * issued later, a read has shown the created record, and the edit has changed its pk.
   */
  createdAs(pk: string, issue: number): string {
    let now = pk;
    for (let change = this.#changes.get(pk); change !== undefined && change.edited > issue;) {
      now = change.to;
      change = this.#changes.get(now);
    }
    return now;
  }

  /** Returns the React key of a record, if it is not its pk. */
  keyOf(pk: string): string | undefined {
    return this.#keys.get(pk);
  }

  /** Forgets the records that were removed. */
  forget(existing: Pick<ReadonlyMap<string, unknown>, 'has'>): void {
    for (const [from, { to }] of this.#changes) if (!existing.has(to)) this.#changes.delete(from);
    for (const pk of this.#keys.keys()) if (!existing.has(pk)) this.#keys.delete(pk);
  }
}

function replaceAll<Value>(map: Map<string, Value>, entries: ReadonlyMap<string, Value>): void {
  map.clear();
  for (const [name, value] of entries) map.set(name, value);
}
