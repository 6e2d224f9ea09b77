import { inspect } from 'node:util';
import { dehydrate, type EndpointInterface } from '../../../src/index.ts';
import type { Client } from '../network/client.ts';
import { crowd, everyday, type Profile } from '../network/run.ts';

/** All data of a user on a server contains the name of the user. */
const USERS = ['@ann', '@bob'];

/** Users log in and out at any time, while requests of every kind are in flight. */
export const changing: Profile = {
  ...crowd,
  events: 80,
  faultiness: 0.4,
  trouble: 4000,
  actions: { ...everyday, abort: 4, subscribe: 5, watch: 6, logout: 9, hydrate: 4 },
  inspect: foreign,
};

/** All data of a user who has logged out that a client has in memory or has passed to observers. */
function foreign(client: Client): string | undefined {
  client.notes.commits ??= [];
  const own = client.token === undefined ? undefined : `@${client.user}`;
  const others = USERS.filter((user) => user !== own);
  for (const [where, found] of texts(client))
    for (const user of others)
      if (found.includes(user)) return `${client.tab.name} has ${user} in ${where}: ${around(found, user)}`;
  return undefined;
}

function* texts(client: Client): Generator<readonly [where: string, found: string]> {
  const { controller, notes, watches } = client;
  yield ['the store', JSON.stringify(dehydrate(controller.store))];
  for (const { received, key } of watches) yield [`what observers of ${key} got`, text(received)];
  for (const commit of notes.commits?.splice(0) ?? []) yield ['a commit', JSON.stringify(commit)];
  // A scan takes long. It runs when most data is in memory, and after some of the other steps.
  if (notes.session === client.inspected && ++client.inspections % 12 > 0) return;
  client.inspected = notes.session;
  for (const target of client.targets()) {
    const [endpoint, args] = client.endpointOf(target) as readonly [EndpointInterface, readonly unknown[]];
    const key = client.keyOf(target);
    yield [`the answer of ${key}`, text(controller.getResponse(endpoint, ...args))];
    yield [`the view of ${key}`, text(controller.view(endpoint, ...args).current())];
    yield [`the error of ${key}`, inspect(controller.getError(endpoint, ...args))];
  }
}

function text(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

function around(found: string, user: string): string {
  const at = found.indexOf(user);
  return found.slice(Math.max(0, at - 60), at + 20);
}
