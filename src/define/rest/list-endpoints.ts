import { collectionIn, replaceCollection } from './collection-in.ts';
import { GUESS_RECORDS } from './resource-guesses.ts';
import { isPosition } from '../schema/argument-names.ts';
import type { RemoveCursor } from '../schema/collection-options.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';

/** The members of a list endpoint that change the list: `todos.getList.push`. */
export type ListChangeName = 'push' | 'unshift' | 'assign' | 'remove' | 'move';

/** The part of a list endpoint that its members are made from. */
export interface ListEndpoint {
  readonly name: string;
  readonly schema?: unknown;
  readonly body?: unknown;
  readonly movePath?: string | undefined;
  readonly optimistic?: boolean | undefined;
  key(...args: readonly unknown[]): string;
  extend(options: Readonly<Record<string, unknown>>): this;
}

/** Makes the endpoint that creates, moves or removes members of the lists of `list`. Stores it as the member `name` of `list`. */
export function listChangeOf<List extends ListEndpoint>(list: List, name: ListChangeName): List {
  const value = makeListChange(list, name);
  // The property is not enumerable, so that `list.extend()` does not copy it, and the copy makes its own.
  Object.defineProperty(list, name, { value, configurable: true, writable: true });
  return value;
}

/** The ends of the names of endpoints that change records. The name of any other ends with `create`. */
const CHANGES: { readonly [name in ListChangeName]?: string } = { move: 'partialUpdate', remove: 'remove' };

function makeListChange<List extends ListEndpoint>(list: List, name: ListChangeName): List {
  const { body = {}, movePath, optimistic } = list;
  const change = CHANGES[name];
  return list.extend({
    name: `${list.name}.${change ?? 'create'}`,
    method: change ? 'PATCH' : 'POST',
    schema: collectionIn(list.schema)?.[name],
    body,
    ...(name === 'move' && movePath !== undefined && { path: movePath }),
    ...(optimistic && name !== 'remove' && name !== 'assign' && GUESS_RECORDS),
  });
}

/** Makes the endpoint for further pages. It has the request key of the list, and adds its records to the end of the list. */
export function paginated<List extends ListEndpoint>(list: List, cursor: string | RemoveCursor): List {
  const removeCursor: RemoveCursor =
    typeof cursor === 'function'
      ? cursor
      : ({ [cursor]: _cursor, ...params }: Readonly<Record<string, unknown>> = {}, ...others) => [params, ...others];
  const schema = replaceCollection(list.schema, (collection) =>
    collection.pagesWith(removeCursor, typeof cursor === 'string' && !isPosition(cursor)),
  );
  if (schema === undefined) throw collectionMissing(list.name);
  const { key } = list;
  return list.extend({
    name: `${list.name}.getPage`,
    schema,
    key(this: unknown, ...args: readonly unknown[]) {
      return Reflect.apply(key, this, removeCursor(...args));
    },
    pageKey: key,
  });
}

function collectionMissing(name: string): DataError {
  return new DataError(
    'collection-missing',
    `The schema of ${name} has no Collection to which a page could be added.`,
    { cure: inDevelopment(() => 'Use one, for example schema: new Collection([Post]).') },
  );
}
