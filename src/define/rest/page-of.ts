import type { ArraySchema } from '../schema/array.ts';
import { Collection } from '../schema/collection.ts';
import type { Loose } from '../schema/infer.ts';
import { assign, push } from '../schema/members.ts';
import { Values } from '../schema/values.ts';

/** Leaves the cursor out of the arguments of a request. */
export type RemoveCursor = (...args: Loose[]) => readonly Loose[];

/** A collection of which a response has some more members, and not all that there are. */
export class PageOf extends Collection<ArraySchema | Values> {
  constructor(list: Collection, removeCursor: RemoveCursor) {
    super(list.schema, {
      argsKey: (...args) => list.argsKey(...(removeCursor(...args) as Parameters<Collection['argsKey']>)),
      createCollectionFilter: (...args) =>
        list.createCollectionFilter(...(removeCursor(...args) as Parameters<Collection['createCollectionFilter']>)),
      ...(list.nestKey && { nestKey: (parent, key) => list.nestKey?.(parent, key) ?? {} }),
    });
  }

  override merge(existing: Loose, incoming: Loose): unknown {
    return this.schema instanceof Values ? assign(existing, incoming) : push(existing, incoming);
  }

  /** A page adds to what there is, whether that is newer or older. */
  override mergeWithStore(_existingMeta: unknown, _incomingMeta: unknown, existing: Loose, incoming: Loose): unknown {
    return typeof existing === typeof incoming ? this.merge(existing, incoming) : incoming;
  }
}
