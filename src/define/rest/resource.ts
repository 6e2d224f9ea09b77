import { DataError } from '../../std/data-error.ts';
import { warn } from '../../std/warn.ts';
import { isPlain, type Fields } from '../../std/plain.ts';
import { Collection } from '../schema/collection.ts';
import { isEntity } from '../schema/entity.ts';
import { Invalidate } from '../schema/invalidate.ts';
import { pkIfAny } from '../schema/pk.ts';
import type { FittingWire, Resource, ResourceGenerics, ResourceList, ResourceOptions } from './infer-resource.ts';
import { GUESS_GONE, GUESS_PART, GUESS_RECORDS } from './optimistic.ts';
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

/** The endpoints by which records of one kind are usually read and changed. */
export function resource<O extends ResourceGenerics>(
  options: Readonly<O> & ResourceOptions & ResourceList<O> & FittingWire<O>,
): Resource<O> {
  const members = membersOf(options as unknown as GivenOptions);
  return extendable(members, members['create']) as unknown as Resource<O>;
}

function membersOf(given: GivenOptions): Fields {
  const { path, schema, optimistic = false, body, paginationField, nonFilterArgumentKeys, list, ...others } = given;
  checkNames(given);
  if (typeof path !== 'string') throw pathMissing();
  checkSchema(given);
  const { names, shortened } = parseTemplate(path);
  if (names.size === 0) throw pathWithoutParam(path);
  const { Endpoint = RestEndpoint as unknown as EndpointClass, Collection: List = Collection, ...shared } = others;
  const name = nameOf(schema);
  const make = (member: string, own: Fields, guess: Fields = {}): MadeEndpoint => {
    const all = { ...shared, path, schema, name: `${name}.${member}`, ...own, ...(optimistic && guess) };
    // Once more with `extend`: what is said here goes before the fields of the class.
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
    update: make('update', { method: 'PUT', ...withBody }, GUESS_RECORDS),
    partialUpdate: make('partialUpdate', { method: 'PATCH', ...withBody }, GUESS_PART),
    delete: make('delete', { ...deletion, ...deletionOf(schema, readDeletion) }, GUESS_GONE),
  };
}

/** The schema of a resource is that of one record. */
function checkSchema({ path, schema }: GivenOptions): void {
  const isRecord = isEntity((Object(schema) as { readonly constructor?: unknown }).constructor);
  if (!isRecord && !Array.isArray(schema) && typeof schema !== 'string') return;
  throw new DataError(
    'schema-invalid',
    `The schema of the resource ${path} is ${isRecord ? 'a record' : Array.isArray(schema) ? 'a list' : 'a text'}. Give the class of its ` +
      "records, or a Union of such, from which its lists follow: resource({ path: '/posts/:id', schema: Post }).",
  );
}

function isUnion(schema: unknown): boolean {
  return (Object(schema) as { readonly isUnion?: unknown }).isUnion === true;
}

/** Classes are given by the names of classes. */
function checkNames(given: GivenOptions): void {
  warn(given, 'option-case', () => {
    const name = ['endpoint', 'collection'].find((option) => option in given);
    if (name === undefined) return undefined;
    const due = name === 'endpoint' ? 'Endpoint' : 'Collection';
    return `The option ${name} of the resource ${given.path} says nothing. The class for it is given as ${due}.`;
  });
}

type Process = (response: unknown, ...args: readonly unknown[]) => unknown;

/** What is deleted is named by the address, or, where that has no pk, by the response, as the class of the endpoint reads it. */
function deletionOf(schema: unknown, read: Process): Fields {
  const isRecord = isEntity(schema) || isUnion(schema);
  return {
    schema: isRecord ? new Invalidate(schema) : schema,
    process(this: unknown, ...all: Parameters<Process>): unknown {
      const [response, ...args] = all;
      const finish = (value: unknown): unknown => deletedOf(schema, value, args);
      // The server has deleted it, whether or not its answer can be read.
      const give = (error: unknown): unknown => {
        if (pkIn(schema, args[0], args) === undefined) throw error;
        return args[0];
      };
      if (isNothing(response)) return finish(response);
      let value: unknown;
      try {
        value = Reflect.apply(read, this, all);
      } catch (error) {
        return give(error);
      }
      return value instanceof Promise ? value.catch(give).then(finish) : finish(value);
    },
  };
}

function isNothing(response: unknown): boolean {
  return response === undefined || response === null || response === '';
}

/** What was deleted: the record that the parameters name, whatever the response says of it. */
function deletedOf(schema: unknown, value: unknown, args: readonly unknown[]): unknown {
  const [params] = args;
  if (typeof value === 'string' && value.trimStart().startsWith('<')) throw deletionUnread();
  const pk = pkIn(schema, params, args);
  if (pk !== undefined) return pkIn(schema, value, args) === pk ? value : params;
  const saysNothing = typeof value !== 'number' && Object.keys(Object(value) as object).length === 0;
  return saysNothing ? params : value;
}

/** The pk that parameters, or a response, have for an entity. */
function pkIn(schema: unknown, value: unknown, args: readonly unknown[]): string | undefined {
  if (!isEntity(schema) || !isPlain(value)) return undefined;
  try {
    return pkIfAny(schema.pk(value, undefined, undefined, args));
  } catch {
    // It was written for records, and these need not be like one.
    return undefined;
  }
}

function deletionUnread(): DataError {
  return new DataError(
    'response-unexpected',
    'A deletion was answered with what looks like a page of HTML; the address may be wrong.',
  );
}

/** Fields with `extend`. `create` follows the list, as long as it is the one that was made from a list. */
function extendable(members: Fields, madeCreate: unknown): Fields {
  const extend = (...[change, options]: readonly [unknown, Fields?]): Fields => {
    const more = changed(members, change, options);
    const next = { ...members, ...more };
    const follows = Object(more['getList']) === more['getList'] && next['create'] === madeCreate;
    const create = follows ? createOf(more['getList'] as MadeEndpoint, madeCreate as MadeEndpoint) : madeCreate;
    return extendable(follows ? { ...next, create } : next, create);
  };
  return { ...members, extend };
}

/** The endpoint that creates records of a list. Where the list has no Collection, records are filed as before. */
function createOf(list: MadeEndpoint, former?: MadeEndpoint): unknown {
  const push = list['push'] as MadeEndpoint | undefined;
  const name = `${resourceName(list)}.create`;
  return push?.extend({ name, ...(push['schema'] === undefined && former && { schema: former['schema'] }) }) ?? former;
}

/** The name of the resource that an endpoint belongs to: `Todo` of `Todo.getList`. */
function resourceName(endpoint: MadeEndpoint): string {
  return String(endpoint['name']).split('.', 1).join('');
}

function changed(members: Fields, change: unknown, options: Fields | undefined): Fields {
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
    `A resource of ${Object.keys(members).join(', ')} has no ${name} to extend. Add it with extend('${name}', options).`,
  );
}

function nameOf(schema: unknown): string {
  const { name, key } = Object(schema) as { readonly name?: unknown; readonly key?: unknown };
  if (typeof name === 'string' && name !== '') return name;
  return typeof key === 'string' ? key : 'Resource';
}

function pathMissing(): DataError {
  return new DataError('path-missing', 'A resource has no path. Give it the option path, such as /posts/:id.');
}

function pathWithoutParam(path: string): DataError {
  return new DataError(
    'resource-path-invalid',
    `The path '${path}' of a resource names no record. End it with a parameter, such as '/posts/:id'.`,
  );
}
