/** How many answered mutations are remembered. */
const MOST = 200;

/** The mutations of this tab, by record. If mutations of two tabs overlap, only the server knows which came last. */
export class TabMutations {
  readonly #pending = new Map<string, number>();
  /** By record: the issue at which its last mutation was answered. */
  readonly #answered = new Map<string, number>();

  begin(record: string): void {
    this.#pending.set(record, (this.#pending.get(record) ?? 0) + 1);
  }

  end(record: string): void {
    const left = (this.#pending.get(record) ?? 1) - 1;
    if (left > 0) this.#pending.set(record, left);
    else this.#pending.delete(record);
  }

  answered(record: string, issue: number): void {
    this.#answered.delete(record);
    this.#answered.set(record, issue);
    const [oldest] = this.#answered.keys();
    if (this.#answered.size > MOST && oldest !== undefined) this.#answered.delete(oldest);
  }

  /** Whether a mutation of this tab was in flight after another tab had sent its own. */
  overlaps(record: string, sent: number): boolean {
    return this.#pending.has(record) || (this.#answered.get(record) ?? 0) > sent;
  }
}
