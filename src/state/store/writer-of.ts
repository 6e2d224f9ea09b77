import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import type { Store } from './store.ts';
import type { StoreWriter } from './store-writer.ts';

/** Returns the writer of a store. Throws if something else was given to the function `what`, for example a controller. */
export function writerOf(store: Store, what: string): StoreWriter {
  const { writer } = Object(store) as { readonly writer?: StoreWriter };
  if (writer !== undefined) return writer;
  throw new DataError('store-expected', `${what} was given no store.`, {
    cure: inDevelopment(() => 'Pass controller.store, or a Store of your own.'),
  });
}
