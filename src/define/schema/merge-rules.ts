import type { TableSchema } from './row.ts';
import { isInDoubt, sentOf, type Stamp } from './stamp.ts';

/** How two versions of a row are merged. Static members of an entity class, or members of another schema that has rows. */
interface VersionRules<Version> {
  merge(existing: Version, incoming: Version): unknown;
  shouldUpdate(existingMeta: Stamp, incomingMeta: Stamp, existing: Version, incoming: Version): boolean;
  shouldReorder(existingMeta: Stamp, incomingMeta: Stamp, existing: Version, incoming: Version): boolean;
}

/** Merges the stored and the incoming version of a row. Fields of the later version win. */
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

/** The default rules for rows that are not of an entity. They are the same as for entities. */
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

/**
 * Rules for writes that change a row and never replace it as a whole. A change always applies, because no version of the row that was
 * requested separately can include it.
 */
export abstract class ChangeRules extends MergeRules {
  /**
   * Whether a list or total that is requested but not yet answered may still replace the row. It may if only another read has changed the
   * row.
   */
  readonly #isOfRead: boolean;
  override readonly key: string;

  constructor(key: string, isOfRead: boolean = false) {
    super();
    this.key = key;
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
    const { cut, pages } = existingMeta;
    if (this.#isOfRead || (meta === existingMeta && pages === undefined)) return existingMeta;
    const { issue, fetchedAt, date, expiresAt } = meta;
    const sent = sentOf(existingMeta);
    // Written out, because each change of a list comes here and a spread takes several times as long.
    const changed = { issue, fetchedAt, date, expiresAt: isInDoubt(existingMeta) ? 0 : expiresAt, sent, cut };
    return pages === undefined ? changed : { ...changed, pages: { ...pages, without: issue } };
  }
}
