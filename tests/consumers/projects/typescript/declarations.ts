/** Exports as a package of a monorepo has them. Their types are inferred, and the compiler writes them into declarations. */
import {
  All,
  ancestors,
  arg,
  belongsTo,
  collect,
  Collection,
  Controller,
  count,
  distinct,
  Endpoint,
  Entity,
  EntityMixin,
  explain,
  from,
  hasMany,
  Invalidate,
  Lazy,
  on,
  Query,
  recommended,
  resource,
  RestEndpoint,
  serverSentEvents,
  Store,
  StreamManager,
  through,
  Union,
  Values,
} from 'rejoin';
import { useDLE, useInfinite, useLive, useMutation, useQuery, useSuspense } from 'rejoin/react';
import { envelope, hal, jsonApi, odata, rails, snakeCased } from 'rejoin/wire';

export class Org extends Entity {
  id = '';
  name = '';
  static key = 'Org';
}
export class User extends Entity {
  id = '';
  name = '';
  kind = 'user';
  orgId = '';
  org: Org | undefined = undefined;
  static key = 'User';
  static schema = { org: Org };
  static friends = hasMany(
    () => User,
    through(() => Friendship, 'from', 'to'),
  );
  static employer = belongsTo(() => Org, 'orgId');
}
export class Friendship extends Entity {
  id = '';
  from = '';
  to = '';
  static key = 'Friendship';
}
class Point {
  id = '';
}
export class PointEntity extends EntityMixin(Point, { key: 'Point' }) {}

export const users = resource({ path: '/users/:id', schema: User, optimistic: true });
export const members = resource({
  path: '/orgs/:orgId/users/:id',
  schema: User,
  searchParams: {} as { q?: string } | undefined,
  body: {} as { name: string },
  paginationField: 'cursor',
});
export const extended = users.extend((base) => ({ me: base.get.extend({ path: '/me' }) }));
export const named = users.extend('current', { path: '/current', method: 'GET' });
export const searched = users.extend({ getList: { searchParams: {} as { q: string } } });
export const wired = [
  resource({ path: '/users/:id', schema: User, wire: envelope({ many: 'items', total: 'n', next: 'next' }) }),
  resource({ path: '/users/:id', schema: User, wire: snakeCased(rails('user')) }),
] as const;
export const jsonApiUsers = resource({
  path: '/users/:id',
  schema: User,
  wire: jsonApi('users', { relations: { org: 'orgs' } }),
});
export const odataUsers = resource({ path: '/Users\\(:id\\)', schema: User, wire: odata({}) });
export const halUsers = resource({ path: '/users/:id', schema: User, wire: hal({ many: 'users' }) });

export const getMe = new RestEndpoint({ path: '/me', schema: User });
export const getPage = new RestEndpoint({
  path: '/users',
  searchParams: {} as { cursor?: string },
  schema: { items: new Collection([User]), next: undefined as string | undefined },
  paginationField: 'cursor',
});
export const createUser = getPage.push;
export const moreUsers = getPage.getPage;
export const removeUser = getPage.remove;
export const moveUser = users.getList.move;
export const pagedUsers = users.getList.paginated(({ page, ...rest }: { page?: number; name?: string }) => [rest]);
export const rename = getMe.extend({ method: 'PATCH', body: {} as { name: string } });
export const remove = new RestEndpoint({ path: '/users/:id', method: 'DELETE', schema: new Invalidate(User) });
export const getCount = new RestEndpoint({ path: '/count', process: (value: { count: number }) => value.count });
export const getTime = new Endpoint(async ({ zone }: { zone: string }) => ({ zone, now: 5 }), { name: 'getTime' });
export const kinds = new Union({ user: User, org: Org }, (value: { kind: 'user' | 'org' }) => value.kind);
export const byName = new Values(User);
export const sorted = new Query(new All(User), (list, { by }: { by: 'name' }) => list.map((user) => user[by]));
export const friends = new Lazy(User.friends);

export const anns = from(User)
  .where({ name: arg('name') })
  .orderBy('name')
  .limit(3);
export const howAnnsAreFound = explain(anns);
export const tree = from(User).with({ friends: User.friends.count(), employer: User.employer });
export const perOrg = from(User).groupBy('orgId', { users: count(), names: collect((user) => user.name) });
export const names = distinct(from(User).select(({ name }) => name));
export const joined = from(User).leftJoin('org', Org, on('orgId', 'id'));
export const usersOf = hasMany(() => User, 'orgId');
export const usersByName = hasMany(() => User, { orgId: 'id', name: 'name' });
export const usersByFunction = hasMany(
  () => User,
  (user) => user.orgId,
);
export const ownerOf = belongsTo({ user: () => User, org: () => Org }, 'kind', 'orgId');
export const above = ancestors(() => User, 'orgId');

export const useUser = (id: string) => useSuspense(users.get, { id });
export const useUserState = (id: string) => useDLE(users.get, { id });
export const useUsers = () => useLive(users.getList);
export const useCreate = () => useMutation(users.getList.push);
export const useReplace = () => useMutation(users.update);
export const useEdit = () => useMutation(users.partialUpdate);
export const useDelete = () => useMutation(users.delete);
export const useEditMember = () => useMutation(members.partialUpdate);
export const useCreateMember = () => useMutation(members.getList.push);
export const useMe = () => useDLE(extended.me);
export const usePages = () =>
  useInfinite(getPage, {}, { next: ({ next }) => (next === undefined ? next : { cursor: next }) });
export const useMemberPages = () => useInfinite(members.getList, { orgId: '1' }, { next: () => undefined });
export const useTree = () => useQuery(tree);

export const defaults = recommended();
export const controller = new Controller();
export const store = new Store();
export const stream = new StreamManager(serverSentEvents('/events'), { write: () => undefined });
