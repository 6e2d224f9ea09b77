import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { isPlain, type Fields } from '../../std/plain.ts';
import { entitiesIn } from '../schema/bare-answer.ts';
import { Collection } from '../schema/collection.ts';
import { isEntity } from '../schema/entity.ts';
import { Invalidate } from '../schema/invalidate.ts';
import { isUnion } from '../schema/polymorphic.ts';
import { pkOfPart } from '../schema/pk.ts';
import type { Inferred } from '../endpoint/infer-options.ts';
import type {
  FittingSchema,
  FittingWire,
  KnownOptions,
  Resource,
  ResourceGenerics,
  ResourceList,
  ResourceOptions,
} from './infer-resource.ts';
import { GUESS_DELETED, GUESS_PART, GUESS_WHOLE } from './resource-guesses.ts';
import { parseTemplate } from './path-template.ts';
import { RestEndpoint } from './rest-endpoint.ts';
import type { AnyWire } from './wire-shape.ts';

type MadeEndpoint = { extend(options: Fields): MadeEndpoint } & Fields;
type EndpointClass = new (options: Fields) => MadeEndpoint;
type CollectionClass = new (schema: readonly unknown[], options: Fields) => Collection;

interface GivenOptions extends Fields {
  readonly path: string;
  readonly schema: unknown;
  readonly Endpoint?: EndpointClass;
  readonly Collection?: CollectionClass;
  readonly optimistic?: boolean;
  readonly wire?: AnyWire;
  readonly list?: Fields;
}

/** Makes the endpoints that read and change the records of an entity: `resource({ path: '/posts/:id', schema: Post })`. */
export function resource<O extends ResourceGenerics>(
  options: Inferred<O, keyof ResourceOptions | 'list'> &
    ResourceOptions &
    ResourceList<O> &
    FittingSchema<O> &
    FittingWire<O> &
    KnownOptions<O>,
): Resource<O> {
  const members = membersOf(options as unknown as GivenOptions);
  return extendable(members, members['create']) as unknown as Resource<O>;
}

function membersOf(given: GivenOptions): Fields {
  const { path, schema, optimistic = false, body, paginationField, nonFilterArgumentKeys, list, ...others } = given;
  if (typeof path !== 'string') throw pathMissing();
  checkSchema(given);
  const { names, shortened } = parseTemplate(path);
  if (names.size === 0) throw pathWithoutParam(path);
  const { Endpoint = RestEndpoint as unknown as EndpointClass, Collection: List = Collection, ...shared } = others;
  const name = nameOf(schema);
  const make = (member: string, own: Fields, guess: Fields = {}): MadeEndpoint => {
    const all = { ...shared, path, schema, name: `${name}.${member}`, ...own, ...(optimistic && guess) };
    // The options are also passed to `extend`, so that they override fields of the class.
    return new Endpoint(all).extend(all);
  };
  const withBody = 'body' in given && { body };
  const listOf = (options?: Fields): Collection => new List([schema], { nonFilterArgumentKeys, ...options, ...list });
  const getList = make('getList', {
    method: 'GET',
    path: shortened,
    schema: given.wire?.list?.(listOf) ?? listOf(),
    movePath: path,
    optimistic,
    ...withBody,
    ...(paginationField !== undefined && { paginationField }),
  });
  const deletion = { method: 'DELETE' };
  const readDeletion = make('delete', deletion)['process'] as Process;
  return {
    get: make('get', { method: 'GET' }),
    getList,
    create: createOf(getList),
    update: make('update', { method: 'PUT', ...withBody }, GUESS_WHOLE),
    partialUpdate: make('partialUpdate', { method: 'PATCH', ...withBody }, GUESS_PART),
    delete: make('delete', { ...deletion, ...deletionOf(schema, readDeletion) }, GUESS_DELETED),
  };
}

/** Throws if the schema of a resource is not the class of one record, or a union. */
function checkSchema({ path, schema }: GivenOptions): void {
  const { constructor, keptBy } = Object(schema) as { readonly constructor?: unknown; readonly keptBy?: unknown };
  const [wrong] = [
    isEntity(constructor) && 'a record',
    Array.isArray(schema) && 'a list',
    keptBy !== undefined && 'a live query',
    typeof schema !== 'object' && !isEntity(schema) && `not an entity, but of type ${typeof schema}`,
  ].filter((kind) => kind !== false);
  if (wrong === undefined) return;
  throw new DataError('schema-invalid', `The schema of the resource ${path} is ${wrong}.`, {
    cure: inDevelopment(
      () =>
        "Pass the class of its records, which extends Entity, or a Union of classes: resource({ path: '/posts/:id', schema: Post }).",
    ),
  });
}

type Process = (response: unknown, ...args: readonly unknown[]) => unknown;

/**
 * Returns the options for a deletion. The parameters name the deleted record. If they have no pk, the processed response does. A
 * deletion that was extended with another schema reads its answer by that schema.
 */
function deletionOf(schema: unknown, read: Process): Fields {
  const deleted = isEntity(schema) || isUnion(schema) ? new Invalidate(schema) : schema;
  const process = function process(this: { readonly schema?: unknown }, ...all: Parameters<Process>): unknown {
    const [response, ...args] = all;
    if (this.schema !== deleted) return Reflect.apply(read, this, all);
    const finish = (value: unknown): unknown => deletedOf(schema, value, args);
    // The server has deleted the record, even if its answer cannot be processed.
    const deletedOrThrow = (error: unknown): unknown => {
      if (pkIn(schema, args[0], args) === undefined) throw error;
      return args[0];
    };
    if ((response ?? '') === '') return finish(response);
    let value: unknown;
    try {
      value = Reflect.apply(read, this, all);
    } catch (error) {
      return deletedOrThrow(error);
    }
    return value instanceof Promise ? value.catch(deletedOrThrow).then(finish) : finish(value);
  };
  return { schema: deleted, process: Object.assign(process, { read }) };
}

/** Returns the deleted record: the one that the parameters name, or the one in the response if they name none. */
function deletedOf(schema: unknown, value: unknown, args: readonly unknown[]): unknown {
  const [params] = args;
  if (typeof value === 'string' && value.trimStart().startsWith('<')) throw deletionUnread();
  const pk = pkIn(schema, params, args);
  if (pk !== undefined) return pkIn(schema, value, args) === pk ? value : params;
  const isEmpty = typeof value !== 'number' && Object.keys(Object(value) as object).length === 0;
  return isEmpty ? params : value;
}

/** Returns the pk in parameters or in a response. */
function pkIn(schema: unknown, value: unknown, args: readonly unknown[]): string | undefined {
  if (!isPlain(value)) return undefined;
  return entitiesIn(schema)
    .map((entity) => pkOfPart(entity, value, args))
    .find(Boolean);
}

function deletionUnread(): DataError {
  return new DataError('response-unexpected', 'A deletion was answered with what looks like a page of HTML.', {
    cure: inDevelopment(() => 'The address may be wrong.'),
  });
}

/** Adds `extend` to members. When `getList` is extended, `create` is made again from it, unless the application replaced `create`. */
function extendable(members: Fields, madeCreate: unknown): Fields {
  const extend = (...[change, options]: readonly [unknown, Fields?]): Fields => {
    const more = changedMembers(members, change, options);
    const next = { ...members, ...more };
    const follows = Object(more['getList']) === more['getList'] && next['create'] === madeCreate;
    const create = follows ? createOf(more['getList'] as MadeEndpoint, madeCreate as MadeEndpoint) : madeCreate;
    return extendable(follows ? { ...next, create } : next, create);
  };
  return { ...members, extend };
}

/** Returns the endpoint that creates records of a list. If the list has no collection, the schema of the former `create` stays. */
function createOf(list: MadeEndpoint, former?: MadeEndpoint): unknown {
  const push = list['push'] as MadeEndpoint | undefined;
  const name = `${resourceName(list)}.create`;
  return push?.extend({ name, ...(push['schema'] === undefined && former && { schema: former['schema'] }) }) ?? former;
}

/** Returns the name of the resource of an endpoint: `Todo` in `Todo.getList`. */
function resourceName(endpoint: MadeEndpoint): string {
  return String(endpoint['name']).split('.', 1).join('');
}

function changedMembers(members: Fields, change: unknown, options: Fields | undefined): Fields {
  if (typeof change === 'function') return (change as (resource: Fields) => Fields)(members);
  if (typeof change === 'string') {
    const known = members[change] as MadeEndpoint | undefined;
    if (known !== undefined) return { [change]: known.extend({ ...options }) };
    const get = members['get'] as MadeEndpoint;
    return { [change]: get.extend({ name: `${resourceName(get)}.${change}`, ...options }) };
  }
  const changes = Object.entries(change as Readonly<Record<string, Fields>>);
  return Object.fromEntries(changes.map(([name, own]) => [name, memberOf(members, name).extend(own)]));
}

function memberOf(members: Fields, name: string): MadeEndpoint {
  const member = members[name];
  if (typeof member === 'function') return member as unknown as MadeEndpoint;
  throw new DataError(
    'resource-member-missing',
    `A resource of ${Object.keys(members).join(', ')} has no ${name} to extend.`,
    { cure: inDevelopment(() => `Add it with extend('${name}', options).`) },
  );
}

function nameOf(schema: unknown): string {
  const { name, key } = Object(schema) as { readonly name?: unknown; readonly key?: unknown };
  if (typeof name === 'string' && name !== '') return name;
  return typeof key === 'string' ? key : 'Resource';
}

function pathMissing(): DataError {
  return new DataError('path-missing', 'A resource has no path.', {
    cure: inDevelopment(() => 'Give it the option path, such as /posts/:id.'),
  });
}

function pathWithoutParam(path: string): DataError {
  return new DataError('resource-path-invalid', `The path '${path}' of a resource names no record.`, {
    cure: inDevelopment(() => "End it with a parameter, such as '/posts/:id'."),
  });
}
