import type { EndpointInterface } from '../../define/endpoint/infer-endpoint.ts';
import { isEndpoint } from '../../define/endpoint/request-key.ts';
import { DataError } from '../../std/data-error.ts';
import { inDevelopment } from '../../std/development.ts';
import { classesOf } from './mutated-record.ts';

/**
 * Returns a name by which other tabs, and the next build of the application, know an endpoint. It must not contain the name of a class, which
 * minifiers change: members of a resource are named by the `key` of their entity, or by those of all classes of a union. Fixed format:
 * outboxes on disks have such names.
 */
export function lastingNameOf(endpoint: EndpointInterface): string {
  const { name } = endpoint;
  const { method, path } = endpoint as { readonly method?: unknown; readonly path?: unknown };
  if (typeof path === 'string' && name.endsWith(path)) return `${String(method)} ${path}`;
  const keys = classesOf(endpoint.schema).map(({ key }) => key);
  const dot = name.lastIndexOf('.');
  return keys.length === 0 || dot < 0 ? name : keys.join('|') + name.slice(dot);
}

/** The members of an endpoint that distinguish its requests from those of other endpoints. A plain `Endpoint` has none of them. */
const REQUEST_MEMBERS = ['method', 'urlPrefix', 'path'] as const;

/** The members of a list endpoint whose names are not their own: `unshift` and `assign` are called `create`, and `move` is called `partialUpdate`. */
const LIST_MEMBERS = ['unshift', 'assign', 'remove', 'move'] as const;

/**
 * Returns the name of an endpoint, if it is one of `listed`. `undefined` also for an endpoint of the same name that sends other requests: `extend()`
 * does not change the name.
 */
export function listedNameOf(
  endpoint: EndpointInterface,
  listed: ReadonlyMap<string, EndpointInterface>,
): string | undefined {
  const isLike = (known: EndpointInterface | undefined, members: readonly string[]): boolean =>
    members.every((member) => Reflect.get(Object(known), member) === Reflect.get(endpoint, member));
  // The schema tells how an endpoint changes lists.
  const [exact] = [...listed].find(([, known]) => isLike(known, ['name', 'schema', ...REQUEST_MEMBERS])) ?? [];
  const name = lastingNameOf(endpoint);
  return exact ?? (listed.has(name) && isLike(listed.get(name), REQUEST_MEMBERS) ? name : undefined);
}

/** Returns mutations by name: the given endpoints, the members of the given resources, and those of their list endpoints. `where` names the option, for errors. */
export function mutationsByName(given: readonly object[], where: string): ReadonlyMap<string, EndpointInterface> {
  const found = new Map<string, EndpointInterface>();
  const add = (name: string, endpoint: EndpointInterface): void => {
    const known = found.get(name);
    if (known !== undefined && known !== endpoint) throw nameTwice(name, where);
    found.set(name, endpoint);
  };
  const members = given.flatMap((one) => (isEndpoint(one) ? [one] : (Object.values(one) as unknown[])));
  for (const endpoint of members) {
    if (!isEndpoint(endpoint)) continue;
    const name = lastingNameOf(endpoint);
    if (endpoint.sideEffect) add(name, endpoint);
    else
      for (const change of LIST_MEMBERS) {
        const changing: unknown = Reflect.get(endpoint, change);
        if (isEndpoint(changing) && changing.schema !== undefined) add(`${name}.${change}`, changing);
      }
  }
  return found;
}

function nameTwice(name: string, where: string): DataError {
  return new DataError(
    'endpoint-name-twice',
    `Two endpoints of ${where} are called ${name}, so one could be taken for the other.`,
    { cure: inDevelopment(() => 'Give one of them another name.') },
  );
}
