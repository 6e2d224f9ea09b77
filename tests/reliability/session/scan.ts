import { inspect } from 'node:util';
import { dehydrate } from '../../../src/index.ts';
import type { Client } from '../network/client.ts';
import { crowd, everyday, type Profile } from '../network/run.ts';
import { KINDS } from '../network/server.ts';

/** Everything that a server has of a user says whose it is. */
const USERS = ['@ann', '@bob'];

/** People come and go all the time, with everything under way. */
export const changing: Profile = {
  ...crowd,
  events: 80,
  faultiness: 0.4,
  trouble: 0.03,
  actions: { ...everyday, abort: 4, subscribe: 5, watch: 6, logout: 9, hydrate: 4 },
  inspect: foreign,
};

/** Whatever a client has, in memory or told to somebody, of a user who is not there any more. */
export function foreign(client: Client): string | undefined {
  client.notes.commits ??= [];
  const own = client.token === undefined ? undefined : `@${client.user}`;
  const others = USERS.filter((user) => user !== own);
  for (const [where, text] of texts(client))
    for (const user of others)
      if (text.includes(user)) return `${client.tab.name} has ${user} in ${where}: ${around(text, user)}`;
  return undefined;
}

function* texts(client: Client): Generator<readonly [where: string, text: string]> {
  const { controller, notes, watches } = client;
  yield ['the store', JSON.stringify(dehydrate(controller.store))];
  for (const kind of KINDS) yield [`the list of ${kind}`, JSON.stringify(controller.get(client.resources[kind].getList.schema)) ?? ''];
  for (const { told, current, key } of watches) {
    yield [`what was told of ${key}`, inspect(told, { depth: 6 })];
    yield [`the view of ${key}`, inspect(current(), { depth: 6 })];
  }
  for (const target of client.targets()) {
    const [endpoint, args] = client.endpointOf(target);
    yield [`the answer of ${client.keyOf(target)}`, JSON.stringify(controller.getResponse(endpoint, ...(args as [{ id: string }])))];
    yield [`the error of ${client.keyOf(target)}`, inspect(controller.getError(endpoint, ...(args as [{ id: string }])))];
  }
  for (const commit of notes.commits ?? []) yield ['a commit', JSON.stringify(commit)];
}

function around(text: string, user: string): string {
  const at = text.indexOf(user);
  return text.slice(Math.max(0, at - 60), at + 20);
}
