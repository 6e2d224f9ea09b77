import { collectionIn, replaceCollection } from './collection-in.ts';
import { GUESS_RECORDS } from './optimistic.ts';
import { pagesOf, type RemoveCursor } from '../schema/collection-pages.ts';
import { DataError } from '../../std/data-error.ts';

export type AdderName = 'push' | 'unshift' | 'assign' | 'remove' | 'move';

/** What of an endpoint its relatives are made of. */
export interface ListEndpoint {
  readonly name: string;
  readonly schema?: unknown;
  readonly body?: unknown;
  readonly movePath?: string | undefined;
  readonly optimistic?: boolean | undefined;
  key(...args: readonly unknown[]): string;
  extend(options: Readonly<Record<string, unknown>>): this;
}

/** The endpoint that creates, moves or takes out members of the lists that `list` fetches. It is made once. */
export function adderOf<List extends ListEndpoint>(list: List, name: AdderName): List {
  const value = makeAdder(list, name);
  // Not enumerable, so that an endpoint that `list` is extended to has one of its own.
  Object.defineProperty(list, name, { value, configurable: true, writable: true });
  return value;
}

function makeAdder<List extends ListEndpoint>(list: List, name: AdderName): List {
  const { body = {}, movePath, optimistic } = list;
  const isChange = name === 'remove' || name === 'move';
  return list.extend({
    name: `${list.name}.${isChange ? 'partialUpdate' : 'create'}`,
    method: isChange ? 'PATCH' : 'POST',
    schema: collectionIn(list.schema)?.[name],
    body,
    ...(name === 'move' && movePath !== undefined && { path: movePath }),
    ...(optimistic && name !== 'remove' && name !== 'assign' && GUESS_RECORDS),
  });
}

/** The endpoint of further pages: filed under the key of the list, they are put behind what it has. */
export function paginated<List extends ListEndpoint>(list: List, cursor: string | RemoveCursor): List {
  const removeCursor: RemoveCursor =
    typeof cursor === 'function'
      ? cursor
      : ({ [cursor]: _cursor, ...params }: Readonly<Record<string, unknown>> = {}, ...others) => [params, ...others];
  const schema = replaceCollection(list.schema, (collection) => pagesOf(collection, removeCursor));
  if (schema === undefined) throw collectionMissing(list.name);
  const { key } = list;
  return list.extend({
    name: `${list.name}.getPage`,
    schema,
    key(this: unknown, ...args: readonly unknown[]) {
      return Reflect.apply(key, this, removeCursor(...args));
    },
  });
}

function collectionMissing(name: string): DataError {
  return new DataError(
    'collection-missing',
    `${name} has no Collection in its schema that a page could be added to. Use one.`,
  );
}
