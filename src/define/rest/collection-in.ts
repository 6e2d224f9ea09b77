import { Collection } from '../schema/collection.ts';
import { ObjectSchema } from '../schema/object.ts';
import { Query } from '../schema/query.ts';

type Members = Readonly<Record<string, unknown>>;

/** The first collection in a schema: itself, or in a member of an object. */
export function collectionIn(schema: unknown): Collection | undefined {
  let found: Collection | undefined;
  replaceCollection(schema, (collection) => {
    found = collection;
    return collection;
  });
  return found;
}

/** A schema with another collection in the place of its first one; the same schema where there is none. */
export function replaceCollection(schema: unknown, replace: (collection: Collection) => unknown): unknown {
  if (schema instanceof Collection) return replace(schema);
  if (schema instanceof Query) {
    const inner = replaceCollection(schema.schema, replace);
    return inner === schema.schema ? schema : new Query(inner, schema.process);
  }
  if (schema instanceof ObjectSchema) {
    const members = replaceInMembers(schema.schema, replace);
    return members === schema.schema ? schema : new ObjectSchema(members);
  }
  return isMembers(schema) ? replaceInMembers(schema, replace) : schema;
}

function replaceInMembers(members: Members, replace: (collection: Collection) => unknown): Members {
  for (const [name, member] of Object.entries(members)) {
    let isFound = false;
    const replaced = replaceCollection(member, (collection) => {
      isFound = true;
      return replace(collection);
    });
    if (isFound) return { ...members, [name]: replaced };
  }
  return members;
}

/** An object that stands for itself, rather than one of a class of schemas. */
function isMembers(schema: unknown): schema is Members {
  return typeof schema === 'object' && schema !== null && Object.getPrototypeOf(schema) === Object.prototype;
}
