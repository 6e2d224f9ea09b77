import { inDoubt, isInDoubt, sentOf, type Stamp, type TableSchema } from './schema.ts';

/** How two versions of a row meet: as static members of an entity class say it, or members of another schema. */
interface VersionRules<Version> {
  merge(existing: Version, incoming: Version): unknown;
  shouldUpdate(existingMeta: Stamp, incomingMeta: Stamp, existing: Version, incoming: Version): boolean;
  shouldReorder(existingMeta: Stamp, incomingMeta: Stamp, existing: Version, incoming: Version): boolean;
}

/** One row of a version that is in the store and one that arrives: the later over the earlier. */
export function mergeVersions<Version>(
  rules: VersionRules<Version>,
  ...[existingMeta, incomingMeta, existing, incoming]: Parameters<VersionRules<Version>['shouldUpdate']>
): unknown {
  if (!rules.shouldUpdate(existingMeta, incomingMeta, existing, incoming)) return existing;
  if (typeof existing !== typeof incoming) return incoming;
  return rules.shouldReorder(existingMeta, incomingMeta, existing, incoming)
    ? rules.merge(incoming, existing)
    : rules.merge(existing, incoming);
}

/** How rows that are not an entity's meet those in the store: as an entity's do by default. */
export abstract class MergeRules implements TableSchema {
  abstract readonly key: string;
  abstract merge(existing: unknown, incoming: unknown): unknown;

  mergeWithStore(existingMeta: Stamp, incomingMeta: Stamp, existing: unknown, incoming: unknown): unknown {
    return mergeVersions(this, existingMeta, incomingMeta, existing, incoming);
  }

  shouldUpdate(_existingMeta: Stamp, _incomingMeta: Stamp, _existing: unknown, _incoming: unknown): boolean {
    return true;
  }

  shouldReorder(existingMeta: Stamp, incomingMeta: Stamp, _existing: unknown, _incoming: unknown): boolean {
    return incomingMeta.issue < existingMeta.issue;
  }

  mergeMetaWithStore(existingMeta: Stamp, incomingMeta: Stamp, existing: unknown, incoming: unknown): Stamp {
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

  override mergeWithStore(
    _existingMeta: unknown,
    _incomingMeta: unknown,
    existing: unknown,
    incoming: unknown,
  ): unknown {
    return typeof existing === typeof incoming ? this.merge(existing, incoming) : incoming;
  }

  override mergeMetaWithStore(existingMeta: Stamp, incomingMeta: Stamp, existing: unknown, incoming: unknown): Stamp {
    const meta = super.mergeMetaWithStore(existingMeta, incomingMeta, existing, incoming);
    if (meta === existingMeta || this.#isOfRead) return existingMeta;
    const changed = { ...meta, sent: sentOf(existingMeta) };
    return isInDoubt(existingMeta) ? inDoubt(changed) : changed;
  }
}
