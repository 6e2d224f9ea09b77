import type { Loose } from './infer-schema.ts';
import { sentOf, type Stamp, type TableSchema } from './schema.ts';

/** How rows that are not an entity's meet those in the store: as an entity's do by default. */
export abstract class MergeRules implements TableSchema {
  abstract readonly key: string;
  abstract merge(existing: Loose, incoming: Loose): unknown;

  mergeWithStore(existingMeta: Stamp, incomingMeta: Stamp, existing: Loose, incoming: Loose): unknown {
    if (!this.shouldUpdate(existingMeta, incomingMeta, existing, incoming)) return existing;
    if (typeof existing !== typeof incoming) return incoming;
    return this.shouldReorder(existingMeta, incomingMeta, existing, incoming)
      ? this.merge(incoming, existing)
      : this.merge(existing, incoming);
  }

  shouldUpdate(_existingMeta: Stamp, _incomingMeta: Stamp, _existing: Loose, _incoming: Loose): boolean {
    return true;
  }

  shouldReorder(existingMeta: Stamp, incomingMeta: Stamp, _existing: Loose, _incoming: Loose): boolean {
    return incomingMeta.issue < existingMeta.issue;
  }

  mergeMetaWithStore(existingMeta: Stamp, incomingMeta: Stamp, existing: Loose, incoming: Loose): Stamp {
    return this.shouldReorder(existingMeta, incomingMeta, existing, incoming) ? existingMeta : incomingMeta;
  }
}

/** Rules that change a row, and never bring one as a whole: whether the row is older or newer, it could not know of the change. */
export abstract class ChangeRules extends MergeRules {
  /** Whether an answer that brings the row as a whole, and is on its way, still counts: it does where nothing but another answer has changed the row. */
  readonly #isOfRead: boolean;

  constructor(isOfRead: boolean = false) {
    super();
    this.#isOfRead = isOfRead;
  }

  override mergeWithStore(_existingMeta: unknown, _incomingMeta: unknown, existing: Loose, incoming: Loose): unknown {
    return typeof existing === typeof incoming ? this.merge(existing, incoming) : incoming;
  }

  override mergeMetaWithStore(existingMeta: Stamp, incomingMeta: Stamp, existing: Loose, incoming: Loose): Stamp {
    const meta = super.mergeMetaWithStore(existingMeta, incomingMeta, existing, incoming);
    return meta === existingMeta || this.#isOfRead ? existingMeta : { ...meta, sent: sentOf(existingMeta) };
  }
}
