import { memo } from '../../std/memo.ts';
import type { RowSchema } from '../../define/schema/schema.ts';
import { checkSharedRules } from '../../define/schema/shared-rules.ts';

/** The collections whose lists follow changes of records. */
export class Followers {
  readonly #byMember = new Map<string, readonly RowSchema[]>();
  readonly #byKey = new Map<string, RowSchema>();
  /** The results of `readersOf`. */
  readonly #readers = new Map<string, readonly RowSchema[]>();

  /**
   * Adds a collection. Collections with the same key share their lists, so one of them decides for all: the first, or a later one with
   * rules.
   */
  add(schema: RowSchema): void {
    if (schema.follows === undefined) return;
    const known = this.#byKey.get(schema.key);
    if (known !== undefined && schema.isRuled !== true) return;
    if (known?.isRuled === true) checkSharedRules(known, schema);
    this.#byKey.set(schema.key, schema);
    this.#readers.clear();
    for (const table of schema.follows) {
      const others = this.of(table).filter(({ key }) => key !== schema.key);
      this.#byMember.set(table, [...others, schema]);
    }
  }

  /** Returns the collections whose members are records of a table. */
  of(table: string): readonly RowSchema[] {
    return this.#byMember.get(table) ?? NONE;
  }

  /** Returns the collections whose rules may read records of a table. */
  readersOf(table: string): readonly RowSchema[] {
    return memo(this.#readers, table, () =>
      Array.from(this.#byKey.values()).filter(({ reads }) => reads?.has(table) === true),
    );
  }

  /** Returns the collection whose lists are in a table. */
  get(table: string): RowSchema | undefined {
    return this.#byKey.get(table);
  }

  all(): Iterable<RowSchema> {
    return this.#byKey.values();
  }

  get isEmpty(): boolean {
    return this.#byKey.size === 0;
  }
}

const NONE: readonly RowSchema[] = [];
